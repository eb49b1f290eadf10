import type { Line, Provider } from '@faxdeck/provider-kit'
import type { ClockReading } from './clocks.ts'

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
  /** The line to a provider if one is open now. */
  opened: (id: string) => Line | undefined
  /**
   * Who sends in place of a provider while sending to it is paused: undefined unless that is the outbound one, and a
   * stand-in is chosen and set up.
   */
  standIn: (id: string) => Provider | undefined
  /** A fingerprint of the account that a provider is used with now; null for providers that have no accounts. */
  account: (id: string) => string | null
  /** The provider's own clock, as its answers show it; undefined before the first one. */
  clock: (id: string) => ClockReading | undefined
  /** How many faxes a provider is given at once. */
  concurrency: (id: string) => number
}
