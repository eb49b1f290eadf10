import {
  accountFinding,
  type Answered,
  askAddress,
  type Check,
  type Finding,
  type Host,
  type ProviderSettings,
  publicUrlIsHttps,
  settingIsSet,
  type Verdict,
  verdictOf,
  needsSettings,
} from '@faxdeck/provider-kit'
import type { SettingRow } from '@faxdeck/settings'
import type { Action } from './action.ts'
import type { Manifest } from './manifest.ts'
import { initOf, prepareRequest, type PreparedRequest } from './request.ts'
import { settingsContext, valuesIn } from './settings.ts'
import { TemplateProblem } from './template.ts'

/** No fax has this id: a service that takes the credentials says that it does not know it. */
const nobodysFax = 'faxdeck-check'
/** How services say that they do not know a fax. */
const unknownFax = [400, 404, 410, 422]

/** The action that only reads, if there is one: what may be asked without changing anything. */
const readingAction = ({ actions: { get_status: action } }: Manifest): Action | undefined =>
  action?.method === 'GET' ? action : undefined

function questionOf(manifest: Manifest, action: Action, settings: ProviderSettings): PreparedRequest | undefined {
  const values = settingsContext(manifest, valuesIn(manifest, settings))
  try {
    return prepareRequest(manifest, action, { ...values, job_id: nobodysFax, provider_sid: nobodysFax })
  } catch (error) {
    if (error instanceof TemplateProblem) return undefined
    throw error
  }
}

/** Any answer of an API will do: what it says of a fax that nobody has sent is its own business. */
function verdictAbout(answered: Answered, name: string): Verdict {
  const isAnswer = 'status' in answered && unknownFax.includes(answered.status) && !answered.isPage
  if (isAnswer) return { kind: 'accepted' }
  return verdictOf(answered, { name, accepts: (body) => (body === undefined ? undefined : true) })
}

/** The bare address of a service may show anything, a page as well. */
function verdictAboutAddress(answered: Answered, name: string): Verdict {
  const isThere = 'status' in answered && answered.status < 500
  return isThere ? { kind: 'accepted' } : verdictOf(answered, { name, accepts: () => true })
}

/** Asks the service about a fax that does not exist, or whether it is there at all. */
async function askService(
  manifest: Manifest,
  settings: ProviderSettings,
  host: Host,
  signal: AbortSignal,
): Promise<Finding> {
  const { name, actions } = manifest
  const action = readingAction(manifest)
  const question = action && questionOf(manifest, action, settings)
  if (question) {
    const answered = await askAddress(name, question.url.href, initOf(question), host, signal)
    return accountFinding(verdictAbout(answered, name), name)
  }
  const init = { redirect: 'manual' } as const
  const answered = await askAddress(name, actions.send_fax.address.origin, init, host, signal)
  return accountFinding(verdictAboutAddress(answered, name), name)
}

/** What diagnostics try of a service behind a manifest. @param needed keys of the settings it cannot be without */
export function checksOf(manifest: Manifest, rows: readonly SettingRow[], needed: readonly string[]): Check[] {
  const { name, actions } = manifest
  const unset = rows
    .filter(({ key }) => needed.includes(key))
    .map(({ key, label, plugin }) =>
      settingIsSet(key, {
        name: `${plugin?.field ?? key}_set`,
        hint: `${label} of ${name} is not set: enter it under Tools, Plugins, Configure.`,
      }),
    )
  const isComplete = (settings: ProviderSettings) => needed.every((key) => (settings[key] ?? '') !== '')
  const answers: Check = {
    name: 'account_answers',
    severity: 'critical',
    hint: `${name} does not accept the credentials: enter them again under Tools, Plugins, Configure.`,
    run: (settings, host, signal) =>
      isComplete(settings) ? askService(manifest, settings, host, signal) : needsSettings,
  }
  return [
    ...unset,
    answers,
    ...(actions.send_fax.names.includes('file_url') ? [publicUrlIsHttps(name, () => true)] : []),
  ]
}
