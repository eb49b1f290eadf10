import type { FailureKind } from '@faxdeck/contract/failure-kinds'
import type { CallRecord } from './call-record.ts'

/** What happened to a fax that a provider has taken. Polls, callbacks and line events are all turned into this. */
export interface StatusUpdate {
  /** Our attempt, when the provider gives our reference back: by the address of a callback, else as `reference`. */
  attemptId?: string
  /** Our reference in what the provider itself says of the fax: its tag, label or subject. */
  reference?: string
  /** The provider's id of the fax. */
  providerId?: string
  state: 'queued' | 'in_progress' | 'delivered' | 'failed'
  /** With `failed`. */
  kind?: FailureKind
  /** With `failed`: one sentence for people. */
  sentence?: string
  /**
   * With `failed`, where no page can have gone: worth one more attempt. `unheard`: answered, but not by a fax machine.
   * `elsewhere`: refused by a carrier, and there is another.
   */
  again?: 'as_it_is' | 'coarser' | 'unheard' | 'elsewhere'
  /** Pages the far end confirmed. */
  pagesConfirmed?: number
  /** With `cancelled`: we hung up ourselves. Pages that were confirmed until then do not make it another failure. */
  onRequest?: true
  /** The number it went to, as the provider writes it. */
  to?: string
  /** The account that it belongs to, as the provider names it: see `Provider.accountId`. */
  account?: string
  /** The link that the provider got its document by. */
  documentUrl?: string
  /** In a list: when the provider took it. */
  at?: Date
  /** The provider's own status word. Unknown words are `in_progress`, never success. */
  word?: string
  /** What the call did, as far as its engine reports it. */
  call?: CallRecord
  /** Whether the provider says that it was only a test: then nothing was sent. Absent when it says neither. */
  isTest?: boolean
}

/** A fax somebody sent to us. */
export interface IncomingFax {
  /** The provider's id; the same id is the same fax. */
  providerId: string
  from: string | null
  to: string | null
  pages: number | null
  receivedAt?: Date
  /**
   * `failed`: the far end gave up; there may be no document. `unclear`: the provider does not say in words that are known
   * how it ended; the fax is kept, with what there is of it, for a person to look at. See `endingOf`.
   */
  state: 'received' | 'failed' | 'unclear'
  /** With `failed` and `unclear`: one sentence for people. */
  sentence?: string
  isTest?: boolean
  /** The document itself, or a way for the gateway to get it later, even after a restart: see Line.fetchDocument. */
  document: { bytes: Uint8Array } | { path: string } | { fetch: string } | null
  /** The notification as received, bounded, without secrets: evidence. */
  notification?: string
  /** What the call did, as far as its engine reports it. */
  call?: CallRecord
}
