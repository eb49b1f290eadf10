import type { IncomingFax } from '@faxdeck/provider-kit'
import type { Handlers } from '../http/handler.ts'
import type { WorkHandler } from '../queue/worker.ts'

export type InboundRoutes =
  | 'listInbound'
  | 'getInbound'
  | 'getInboundPdf'
  | 'getInboundOriginal'
  | 'getInboundPage'
  | 'markInboundRead'
  | 'fetchInboundAgain'
  | 'listCallbacks'
  | 'simulateInbound'
  | 'registerSinchWebhook'

export interface Received {
  id: string
  /** True when this fax was already recorded; nothing was changed. */
  repeat: boolean
}

/** A received fax that a person should hear of. */
export interface InboundConcern {
  id: string
  from: string | null
  sentence: string
  at: string
}

/** What a person should hear of received faxes, newest first. */
export interface InboundConcerns {
  /** Those that failed since an instant (ISO). */
  failures: (since: string, most: number) => Promise<InboundConcern[]>
  /** Those of which nobody knows how they ended, until a person has looked. */
  unclear: (most: number) => Promise<InboundConcern[]>
  /** One sentence for each provider that brought faxes while receiving was off, which have not arrived since. */
  leftBehind: () => Promise<string[]>
}

/** Receiving. */
export interface Inbound extends InboundConcerns {
  handlers: Handlers<InboundRoutes>
  /** Does queued work of the kind `inbound`. */
  work: WorkHandler
  /** Records an incoming fax durably before it resolves. Undefined while receiving is off: nothing is recorded. */
  receive: (provider: string, fax: IncomingFax) => Promise<Received | undefined>
  totals: () => Promise<{ today: number; unread: number }>
  /** Removes documents past their retention. */
  expire: () => Promise<void>
}
