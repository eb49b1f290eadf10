import type { GatewayContext } from '../../base/context.ts'
import type { FaxJobRow } from '../../base/db/tables/tables.ts'
import { isHeld } from '../move/hold.ts'
import { needsAttention } from '../move/move.ts'

/** How many callers may wait at the same time; any more are answered at once, and ask again. */
const maxWaiting = 2000
const maxPerKey = 500
/** Notifications of another process can get lost with its connection, so the fax is also checked this often. */
const lookMs = 5000

/** Whether waiting longer is of use: neither ended, nor in the hands of a person. */
const isOpen = (job: FaxJobRow): boolean => job.finished_at === null && !needsAttention(job) && !isHeld(job)

interface Wait {
  job: FaxJobRow
  keyId: string
  seconds: number
  /** Aborted once the caller has gone. */
  gone: AbortSignal
}

/** Holds answers back until the outcome of a fax is known. */
export class Waits {
  readonly #context: GatewayContext
  readonly #stopping = new AbortController()
  readonly #byKey = new Map<string, number>()
  #waiting = 0

  constructor(context: GatewayContext) {
    this.#context = context
  }

  /** Answers all who wait with what is known now. */
  stop(): void {
    this.#stopping.abort()
  }

  /** The fax once its outcome is known, a person has to decide, or the time is up. */
  async outcome(wait: Wait): Promise<FaxJobRow> {
    const { job, keyId } = wait
    const own = this.#byKey.get(keyId) ?? 0
    if (wait.seconds === 0 || !isOpen(job) || this.#waiting >= maxWaiting || own >= maxPerKey) return job
    this.#waiting++
    this.#byKey.set(keyId, own + 1)
    try {
      return await this.#follow(wait)
    } finally {
      this.#waiting--
      const left = (this.#byKey.get(keyId) ?? 1) - 1
      if (left === 0) this.#byKey.delete(keyId)
      else this.#byKey.set(keyId, left)
    }
  }

  async #follow({ job, seconds, gone }: Wait): Promise<FaxJobRow> {
    const { database, trail } = this.#context
    const until = performance.now() + seconds * 1000
    const over = AbortSignal.any([gone, this.#stopping.signal])
    let wake: () => void = () => undefined
    let isNews = true
    const unfollow = await trail.follow((entries) => {
      if (!entries.some((entry) => entry.job_id === job.id)) return
      isNews = true
      wake()
    })
    const end = () => wake()
    over.addEventListener('abort', end)
    try {
      for (let known = job; ;) {
        isNews = false
        const jobs = database.db.selectFrom('fax_jobs').selectAll().where('id', '=', job.id)
        known = (await jobs.executeTakeFirst()) ?? known
        const left = until - performance.now()
        if (!isOpen(known) || left <= 0 || over.aborted) return known
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, Math.min(left, lookMs)).unref()
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
          if (isNews || over.aborted) wake()
        })
      }
    } finally {
      over.removeEventListener('abort', end)
      unfollow()
    }
  }
}
