import type { Line, Provider } from '@faxdeck/provider-kit'

/** The providers of this installation and the lines that are open to them. Lines are opened when first asked for and again after a change of settings: ask each time. */
export interface ProviderAccess {
  readonly providers: readonly Provider[]
  find: (id: string) => Provider | undefined
  /** Who sends new faxes: the test line while FAX_DISABLED is on. */
  outbound: () => Provider
  /** Who receives. */
  inbound: () => Provider
  /**
   * The open line to a provider.
   * @throws {Problem} `provider_not_configured` with one sentence saying what is missing and where to set it
   */
  line: (id: string) => Line
  /** How many faxes a provider is given at once. */
  concurrency: (id: string) => number
}
