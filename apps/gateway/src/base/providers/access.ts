import type { Host, Line, Provider, ProviderSettings } from '@faxdeck/provider-kit'
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
   * The backup provider while sending to a provider is paused: undefined unless that one is the outbound provider, and
   * a backup provider is chosen and set up.
   */
  standIn: (id: string) => Provider | undefined
  /** A fingerprint of the account that a provider is used with now; null for providers that have no accounts. */
  account: (id: string) => string | null
  /** Whether its settings lead to an account that sends nothing. */
  isTestAccount: (id: string) => boolean
  /** The provider's own clock, as its answers show it; undefined before the first one. */
  clock: (id: string) => ClockReading | undefined
  /** How many faxes a provider is given at once. */
  concurrency: (id: string) => number
  /** The provider that is set up and yet gets no fax, because the test line carries every one. */
  bypassed: () => Provider | undefined
  /** Why a provider cannot send: one sentence saying what to do, or nothing. */
  problemOf: (provider: Provider) => string | undefined
  /** The values of a provider's own rows. */
  settingsOf: (provider: Provider) => ProviderSettings
  /**
   * What the gateway gives a provider. Its directory exists afterwards.
   * @param values its settings: what they name inside this network is reached, and nothing else there
   */
  hostOf: (provider: Provider, values?: ProviderSettings) => Host
  /** The same for checks, which look for a few seconds, and also where the directory cannot be made. */
  probingHostOf: (provider: Provider, values?: ProviderSettings) => Host
}

/** The providers that settings belong to. @param keys payload keys of settings */
export const providersWith = (access: Pick<ProviderAccess, 'providers'>, keys: readonly string[]): Provider[] =>
  access.providers.filter(({ settings }) => settings.some(({ key }) => keys.includes(key)))
