import { setTimeout as delay } from 'node:timers/promises'

/** The database cannot be reached, or cannot do now what was asked. Nothing of it was done. */
export class DatabaseAway extends Error {
  override name = 'DatabaseAway'
  readonly reason: string

  /** @param cause what the driver said */
  constructor(reason: string, cause?: unknown) {
    super(`The database cannot be reached: ${reason.replace(/\.?$/, '.')}`, { cause })
    this.reason = reason
  }
}

/** The connection broke while a change was being committed: it may have been committed, or not. */
export class OutcomeUnknown extends DatabaseAway {
  override name = 'OutcomeUnknown'
}

const againMs = 250

/** Retries work that must not get lost while the database is away, so the work must be safe to repeat. */
export async function untilBack<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof DatabaseAway)) throw error
      await delay(againMs)
    }
  }
}

/** The message of an error. If several addresses of one host fail, the combined error has no message of its own. */
export function wordsOf(error: unknown): string {
  const reported = error instanceof AggregateError ? error.errors : [error]
  return reported.map((each: unknown) => (each instanceof Error ? each.message || each.name : String(each))).join(', ')
}

function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : ''
}

/** The connection is no more: PostgreSQL's classes of connection failures and shutdowns, and the time limit for idle transactions. */
const endsConnection = (code: string) => /^(08|57P0|25P0[34])/.test(code) || code === '40003'

/** The driver's own words, which have no code: it did not even send the statement. */
const neverSent = /not queryable/
/** Likewise, of a connection that ended while it waited for the answer. */
const endedUnanswered = /^Connection terminated|^Connection ended/

/** The connection lives, and the statement was refused: no free connection, a lock or an answer that took too long, a standby that may not write. */
const refused = new Set(['53300', '55P03', '57014', '25006'])

/**
 * What a failed statement means to the caller.
 * @param isLost whether its connection is known to be gone
 * @param commits whether the server may have made the change durable before that
 */
export function meaningOf(error: unknown, isLost: boolean, commits: boolean): { error: unknown; isLost: boolean } {
  const code = codeOf(error)
  const words = code === '' ? wordsOf(error) : ''
  if (neverSent.test(words)) return { error: new DatabaseAway('the connection ended', error), isLost: true }
  const lost = isLost || endsConnection(code) || endedUnanswered.test(words)
  if (lost && commits) return { error: new OutcomeUnknown(wordsOf(error), error), isLost: true }
  if (lost || refused.has(code)) return { error: new DatabaseAway(wordsOf(error), error), isLost: lost }
  return { error, isLost: false }
}
