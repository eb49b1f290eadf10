import {
  callProvider,
  type Host,
  type ProviderAnswer,
  type ProviderCall,
  type ProviderSettings,
} from '@faxdeck/provider-kit'

export const name = 'Documo'

const sandbox = 'https://api.sandbox.documo.com'

/** An account of Documo, as its API is asked. */
export interface Account {
  /** `https://api.documo.com`, without a trailing slash. */
  origin: string
  authorization: string
  callerId: string
  /** Result codes that Documo gives to a busy line, and to calls that carried no page. */
  busyCodes: readonly string[]
  lineErrorCodes: readonly string[]
  /** Addresses that Documo does not document openly; `{id}` stands for the fax. */
  paths: { account: string; download: string; history: string }
}

const listOf = (codes: string) => codes.split(/[\s,]+/).filter((code) => code !== '')

/** The account that the settings name. The key stands after the word Basic as it is, unlike RFC 7617. */
export function accountOf(settings: ProviderSettings): Account {
  const text = (key: string) => String(settings[key] ?? '')
  const origin = settings.documo_use_sandbox === true ? sandbox : text('documo_base_url')
  return {
    origin: origin.replace(/\/+$/, ''),
    authorization: `Basic ${text('documo_api_key')}`,
    callerId: text('documo_caller_id'),
    busyCodes: listOf(text('documo_busy_codes')),
    lineErrorCodes: listOf(text('documo_line_error_codes')),
    paths: {
      account: text('documo_account_path'),
      download: text('documo_download_path'),
      history: text('documo_history_path'),
    },
  }
}

/** Asks once. @throws {ProviderProblem} when no answer came */
export function ask(
  { origin, authorization }: Account,
  path: string,
  host: Host,
  signal: AbortSignal,
  rest: Pick<ProviderCall, 'body'> = {},
): Promise<ProviderAnswer> {
  return callProvider({ name, url: origin + path, authorization, ...rest }, host, signal)
}
