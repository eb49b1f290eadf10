import type { PageNote } from '@faxdeck/contract'
import type { Tx } from '../db/database.ts'
import { type Accepted, acceptInside, type createAcceptance, type NewJob } from './accept.ts'
import type { Upload } from '../http/handler.ts'
import type { FaxDoors } from './doors.ts'
import type { Pressure } from './pressure.ts'
import type { Quote, QuoteOptions } from './quote.ts'
import {
  documentProblem,
  findFirstAnswer,
  type Order,
  prepareJob,
  readOrder,
  type Submission,
  submitOrder,
} from './submit.ts'

/** Sending step by step, for those who ask a person in between. Each refuses with a `Problem`. */
export interface Sending {
  /** Checks number, key and provider. */
  read: (submission: Submission) => Order
  /** The first answer, when the Idempotency-Key was used for this very fax before. */
  findFirst: (order: Order) => Promise<Accepted | undefined>
  submit: (order: Order) => Promise<Accepted>
  /** Draws the pages of an order, and answers what the check of them found. */
  check: (order: Order) => Promise<PageNote[]>
  /** Opens the document and stores it under `stored`: whoever does not accept the job removes it. */
  prepare: (order: Order) => Promise<NewJob & { stored: string }>
  /** Accepts a prepared job as it leaves now, in the caller's own transaction. */
  acceptIn: (tx: Tx, job: NewJob) => Promise<Accepted>
}

export function createSending(
  doors: FaxDoors,
  accept: ReturnType<typeof createAcceptance>,
  pressure: Pressure,
  quote: (file: Upload, options: QuoteOptions) => Promise<Quote>,
): Sending {
  return {
    read: (submission) => readOrder(doors, submission),
    findFirst: (order) => findFirstAnswer(doors, order),
    submit: (order) => pressure.around(() => submitOrder({ ...doors, accept }, order)),
    check: async ({ file, to, tones, cover }) => {
      try {
        return (await quote(file, { ...cover, to, tones })).page_notes
      } catch (error) {
        throw documentProblem(error)
      }
    },
    prepare: (order) => prepareJob(doors, order),
    acceptIn: (tx, job) => acceptInside(tx, job, doors),
  }
}
