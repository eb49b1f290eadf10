import type { EmulatedFax } from './line.ts'

/** A local emulator of a provider: it takes faxes, lets them end, and calls the gateway back as the provider would. */
export interface Emulator {
  /** The variables with which a gateway uses this emulator, beyond those that choose the provider. */
  env: Readonly<Record<string, string>>
  /** Everything it was given, in order: what the far end really got. */
  faxes: readonly EmulatedFax[]
  /** Somebody faxes one of our numbers; resolves with the provider's id once the gateway has been notified, or left alone. */
  receive: (fax: ReceivedFax) => Promise<string>
  close: () => Promise<void>
}

/** A fax from outside. */
export interface ReceivedFax {
  from: string
  to: string
  pages: number
  pdf: Uint8Array
  /** How the gateway is called back: once, twice at the same time, or not at all. Once when left out. */
  reported?: 'once' | 'twice' | 'never'
}

export interface EmulatorOptions {
  /** Where the gateway answers, without a trailing slash: what the account has been notified about received faxes. */
  gatewayUrl: string
  /** 0, any free one, when left out. */
  port?: number
  /** Time between a request and its answer. */
  latencyMs?: number
  /** Time between two states of a fax. */
  stepMs?: number
  /** The provider's clock: it stamps faxes and dates answers. That of the machine when left out. */
  now?: () => Date
  /** How long a fax is with the provider before its lists show it. */
  listsAfterMs?: number
  /** How long a minute takes between two tries to deliver a callback; a minute when left out. */
  minuteMs?: number
  /** The account is one for tests, at providers whose answers say so. */
  isTestAccount?: boolean
  /** How the answer gets lost that a number wants to be lost; `cut`, the quicker one, when left out. */
  loses?: 'cut' | 'silence'
}

/** What every `emulator.ts` of a provider exports under the name `emulate`. */
export type Emulate = (options: EmulatorOptions) => Promise<Emulator>
