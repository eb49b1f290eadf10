import type { Check, CheckedUse, Finding, ProviderSettings } from '../provider.ts'
import { isLoopbackUrl } from '../http/public-address.ts'

type Words = Pick<Check, 'name' | 'hint'> & { severity?: Check['severity'] }

/** Whether a setting has a value. */
export function hasValue(settings: ProviderSettings, key: string): boolean {
  const value = settings[key] ?? null
  return value !== null && value !== ''
}

/** The finding of a check that was not run. @param why as a sentence that begins "Not run" */
export const notRun = (why: string): Finding => ({ passed: false, untried: why })

export const needsSettings = notRun('Not run: a required setting is missing.')

/** A check that a setting has a value; critical unless said otherwise. */
export function settingIsSet(setting: string, { name, hint, severity = 'critical' }: Words): Check {
  return { name, severity, hint, setting, run: (settings) => ({ passed: hasValue(settings, setting) }) }
}

/** A check that the password somebody ships with a product was changed. */
export function passwordIsOwn(setting: string, shipped: string, { name, hint }: Words): Check {
  return { name, severity: 'critical', hint, setting, run: (settings) => ({ passed: settings[setting] !== shipped }) }
}

interface SecretWords {
  name: string
  /** What goes missing while only status is reported. */
  hint: string
  /** What goes missing while faxes are received. */
  receivingHint: string
}

/**
 * A check that what proves a provider's callbacks is set. The rule for every provider: without it received faxes are
 * refused, which is critical; while none are received, status is asked for instead, which is a warning.
 * @param isNeeded whether the settings verify callbacks at all
 */
export function callbackSecretIsSet(
  setting: string,
  { name, hint, receivingHint }: SecretWords,
  isNeeded: (settings: ProviderSettings, use: CheckedUse) => boolean = () => true,
): Check {
  return {
    name,
    severity: 'warning',
    hint,
    setting,
    run: (settings, _host, _signal, use) => {
      if (hasValue(settings, setting) || !isNeeded(settings, use)) return { passed: true }
      return use.receiving
        ? { passed: false, instead: { hint: receivingHint, severity: 'critical', setting } }
        : { passed: false }
    },
  }
}

/**
 * A check that documents and callbacks travel over HTTPS: `public_url_https`.
 * @param name the provider, for people
 * @param fetches whether it gets documents over that address, too
 */
export function publicUrlIsHttps(name: string, fetches: (settings: ProviderSettings) => boolean): Check {
  const hintFor = (what: string) =>
    `The public API URL is not HTTPS, so what ${name} ${what} can be read on the way: set PUBLIC_API_URL to an https:// address that ${name} can reach.`
  const onlyHere = `The public API URL is not HTTPS and leads to this machine alone: set PUBLIC_API_URL to an https:// address that ${name} can reach.`
  return {
    name: 'public_url_https',
    severity: 'warning',
    hint: hintFor('reports'),
    setting: 'public_api_url',
    run: (settings, { publicUrl }) => {
      if (publicUrl.startsWith('https://')) return { passed: true }
      if (isLoopbackUrl(publicUrl)) return { passed: false, instead: { hint: onlyHere } }
      return { passed: false, ...(fetches(settings) && { instead: { hint: hintFor('fetches and reports') } }) }
    },
  }
}

/** A check that the provider has an address to report to: its own setting, or what follows from the public URL. */
export function callbackIsKnown(setting: string, name: string): Check {
  return {
    name: 'callback_url_set',
    severity: 'warning',
    hint: `${name} has nowhere to report how a fax went: set the ${name} status callback URL, or a public API URL that is not of this machine alone.`,
    setting,
    run: (settings, { publicUrl }) => {
      if (hasValue(settings, setting)) return { passed: true }
      return { passed: publicUrl !== '' && !isLoopbackUrl(publicUrl) }
    },
  }
}
