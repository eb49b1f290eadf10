import type { IncomingFax } from '@faxdeck/provider-kit'
import type { Handlers } from '../http/handler.ts'
import type { WorkHandler } from '../queue/worker.ts'

export type InboundRoutes =
  | 'listInbound'
  | 'getInbound'
  | 'getInboundPdf'
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

/** Received faxes that failed since an instant (ISO), newest first. */
export type Failures = (
  since: string,
  most: number,
) => Promise<{ id: string; from: string | null; sentence: string; at: string }[]>

/** Receiving. */
export interface Inbound {
  handlers: Handlers<InboundRoutes>
  /** Does queued work of the kind `inbound`. */
  work: WorkHandler
  /** Records an incoming fax durably before it resolves. Undefined while receiving is off: nothing is recorded. */
  receive: (provider: string, fax: IncomingFax) => Promise<Received | undefined>
  totals: () => Promise<{ today: number; unread: number }>
  failures: Failures
  /** Removes documents past their retention. */
  expire: () => Promise<void>
}
