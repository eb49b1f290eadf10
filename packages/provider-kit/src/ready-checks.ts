import type { Check, ProviderSettings } from './provider.ts'
import { isLoopbackUrl } from './public-address.ts'

type Words = Pick<Check, 'name' | 'hint'> & { severity?: Check['severity'] }

/** Whether a setting has a value. */
export function hasValue(settings: ProviderSettings, key: string): boolean {
  const value = settings[key] ?? null
  return value !== null && value !== ''
}

/** A check that a setting has a value; critical unless said otherwise. */
export function settingIsSet(setting: string, { name, hint, severity = 'critical' }: Words): Check {
  return { name, severity, hint, setting, run: (settings) => ({ passed: hasValue(settings, setting) }) }
}

/** A check that the password somebody ships with a product was changed. */
export function passwordIsOwn(setting: string, shipped: string, { name, hint }: Words): Check {
  return { name, severity: 'critical', hint, setting, run: (settings) => ({ passed: settings[setting] !== shipped }) }
}

/** A check that documents and callbacks travel over HTTPS: `public_url_https`. @param name the provider, for people */
export function publicUrlIsHttps(name: string): Check {
  return {
    name: 'public_url_https',
    severity: 'warning',
    hint: `The public API URL is not HTTPS, so what ${name} fetches and reports can be read on the way: set PUBLIC_API_URL to an https:// address that ${name} can reach.`,
    setting: 'public_api_url',
    run: (_settings, { publicUrl }) => ({ passed: publicUrl.startsWith('https://') }),
  }
}

/** A check that the provider has an address to report to: its own setting, or what follows from the public URL. */
export function callbackIsKnown(setting: string, name: string): Check {
  return {
    name: 'callback_url_set',
    severity: 'warning',
    hint: `${name} has nowhere to report how a fax went: set the ${name} status callback URL, or a public API URL that is not of this machine alone.`,
    setting,
    run: (settings, { publicUrl }) => ({
      passed: hasValue(settings, setting) || (publicUrl !== '' && !isLoopbackUrl(publicUrl)),
    }),
  }
}
