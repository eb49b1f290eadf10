import {
  basicAuthorization,
  callProvider,
  type Host,
  type ProviderAnswer,
  type ProviderSettings,
} from '@faxdeck/provider-kit'

/** A project of SignalWire, as its API is asked. */
export interface Account {
  project: string
  token: string
  from: string
  quality: string
  /** `https://example.signalwire.com`, without a trailing slash. */
  origin: string
  /** Where the faxes of the project are, below which everything about faxes stands. */
  faxes: string
  authorization: string
}

export const name = 'SignalWire'

const versionPath = '/api/laml/2010-04-01'

/** The address of the project itself, which answers whether the credentials are good. */
export function projectUrl({ origin, project }: Pick<Account, 'origin' | 'project'>): string {
  return `${origin}${versionPath}/Accounts/${encodeURIComponent(project)}`
}

/** The project that the settings name. They are complete: Provider.missing has seen to that. */
export function accountOf(settings: ProviderSettings): Account {
  const text = (key: string) => String(settings[key] ?? '')
  const [project, token] = [text('signalwire_project_id'), text('signalwire_api_token')]
  const origin = (text('signalwire_base_url') || `https://${text('signalwire_space_url')}`).replace(/\/+$/, '')
  return {
    project,
    token,
    from: text('signalwire_fax_from_e164'),
    quality: text('signalwire_quality'),
    origin,
    faxes: `${projectUrl({ origin, project })}/Faxes`,
    authorization: basicAuthorization(project, token),
  }
}

/** Asks about faxes. @throws {ProviderProblem} when no answer came */
export function ask(
  { authorization }: Account,
  url: string,
  host: Host,
  signal: AbortSignal,
  form?: Record<string, string>,
): Promise<ProviderAnswer> {
  return callProvider({ name, url, authorization, ...(form ? { body: new URLSearchParams(form) } : {}) }, host, signal)
}
