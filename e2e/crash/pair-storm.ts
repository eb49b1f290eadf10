import { setTimeout as sleep } from 'node:timers/promises'
import { CallProblem, type JobSummary } from '../../packages/contract/src/index.ts'
import { pdfFile } from '../harness/paper.ts'
import { waitForNone } from '../harness/wait.ts'
import { type Dice, diceOf } from './dice.ts'
import { everyJob } from './findings.ts'
import { type Member, openPair, type Pair } from './pair.ts'

export interface PairScale {
  /** How often each kind of accident happens. */
  rounds: number
  clients: number
  /** The longest pause a client makes between two faxes. */
  pauseMs: number
  /** How long a gateway stands still at most. */
  longestFreezeMs: number
  listsAfterMs: number
  slowestMs: number
  seed: number
}

/** One fax that a client means to send once, however often it has to ask, and whichever gateway it asks. */
export interface Sent {
  key: string
  to: string
  posts: number
  /** The ids of the 202 answers. */
  ids: Set<string>
}

export interface PairAftermath {
  pair: Pair
  sent: readonly Sent[]
  jobs: readonly JobSummary[]
  accidents: Readonly<Record<Accident, number>>
  /** Gateways that ended though nobody killed them. */
  ended: readonly string[]
  /** The longest that a client of a gateway that was not itself stopped waited for an answer, in milliseconds. */
  longestAnswerMs: number
  chainIsIntact: boolean
}

/** Seconds in which at least one more fax comes to rest: a lease and the longest pause between two attempts. */
const stillFor = 240
const clockStepSeconds = 660
/** Longer than the gateways wait for an answer. */
const frozenServerMs = 5000
const retried = [0, 500, 503, 507]

const kinds = [
  'fast restart of PostgreSQL',
  'all sessions terminated',
  'gateway stopped still',
  'crash of PostgreSQL',
  'gateway killed',
  'clock set ahead and back',
  'PostgreSQL stopped still',
] as const
export type Accident = (typeof kinds)[number]

class Storm {
  readonly sent: Sent[] = []
  readonly ended: string[] = []
  readonly accidents = Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<Accident, number>
  longestAnswerMs = 0
  readonly #pair: Pair
  readonly #scale: PairScale
  readonly #dice: Dice
  readonly #over = new AbortController()
  /** Stopped or dead just now: how long its clients wait says nothing. */
  readonly #down = new Set<Member>()

  constructor(pair: Pair, scale: PairScale, dice: Dice) {
    this.#pair = pair
    this.#scale = scale
    this.#dice = dice
  }

  async rage(): Promise<void> {
    for (const member of this.#pair.members) this.#watch(member)
    const sending = Array.from({ length: this.#scale.clients }, (_, index) =>
      this.#send(diceOf(this.#scale.seed + index + 1)).catch((error: unknown) => {
        this.#over.abort()
        throw error
      }),
    )
    const accidents = this.#happen().finally(() => this.#over.abort())
    await Promise.allSettled([...sending, accidents])
    await Promise.all([...sending, accidents])
  }

  /** A gateway may end only when it is killed. */
  #watch(member: Member): void {
    const { gateway } = member
    void gateway.exited().then((code) => {
      if (!this.#down.has(member) && !this.#over.signal.aborted) {
        this.ended.push(`exit ${code}: ${gateway.printed.slice(-1500)}`)
        this.#over.abort()
      }
    })
  }

  async #send(dice: Dice): Promise<void> {
    while (!this.#over.signal.aborted) {
      const number = this.sent.length + 1
      const key = `fax-${String(number).padStart(6, '0')}`
      const fax = { key, to: `+1555${String(number).padStart(7, '0')}`, posts: 0, ids: new Set<string>() }
      this.sent.push(fax)
      await this.#post(fax, dice)
      await sleep(dice.between(20, this.#scale.pauseMs))
    }
  }

  async #post(fax: Sent, dice: Dice): Promise<void> {
    const file = pdfFile('letter.pdf', [[fax.key]])
    for (;;) {
      const member = this.#pair.members[dice.happens(0.5) ? 0 : 1]
      const wasUp = !this.#down.has(member)
      const since = performance.now()
      fax.posts += 1
      try {
        const headers = { 'idempotency-key': fax.key }
        const { id } = await member.gateway.client.submitFax({ form: { to: fax.to, file } }, { headers })
        fax.ids.add(id)
        // Some ask once more, perhaps the other gateway.
        if (dice.happens(0.95)) return
      } catch (error) {
        if (!(error instanceof CallProblem) || !retried.includes(error.status)) throw error
        await sleep(dice.between(50, 300))
      } finally {
        const took = performance.now() - since
        if (wasUp && !this.#down.has(member)) this.longestAnswerMs = Math.max(this.longestAnswerMs, took)
      }
    }
  }

  async #happen(): Promise<void> {
    for (let round = 0; round < this.#scale.rounds; round += 1) {
      for (const kind of kinds) {
        if (this.#over.signal.aborted) return
        await sleep(this.#dice.between(200, 800))
        const member = this.#pair.members[this.#dice.happens(0.5) ? 0 : 1]
        const happened = await this.#cause(kind, member)
        if (happened) this.accidents[kind] += 1
      }
    }
    for (const { gateway } of this.#pair.members) await gateway.ready()
  }

  /** @returns false when it cannot be made to happen here */
  async #cause(kind: Accident, member: Member): Promise<boolean> {
    const { postgres } = this.#pair
    switch (kind) {
      case 'fast restart of PostgreSQL':
        await postgres.restart('fast')
        return true
      case 'crash of PostgreSQL':
        await postgres.restart('immediate')
        return true
      case 'all sessions terminated':
        await postgres.terminateSessions()
        return true
      case 'PostgreSQL stopped still':
        if (process.platform !== 'linux') return false
        postgres.freeze()
        await sleep(frozenServerMs)
        postgres.thaw()
        return true
      case 'gateway stopped still':
        return this.#freeze(member)
      case 'gateway killed':
        return this.#kill(member)
      case 'clock set ahead and back':
        return this.#moveClock(member)
    }
  }

  async #freeze(member: Member): Promise<boolean> {
    this.#down.add(member)
    process.kill(member.gateway.pid, 'SIGSTOP')
    await sleep(this.#dice.between(0.6, 1) * this.#scale.longestFreezeMs)
    process.kill(member.gateway.pid, 'SIGCONT')
    await sleep(200)
    this.#down.delete(member)
    return true
  }

  async #kill(member: Member): Promise<boolean> {
    this.#down.add(member)
    await member.gateway.kill()
    await member.gateway.start()
    this.#down.delete(member)
    this.#watch(member)
    return true
  }

  /** Ahead while faxes are being handed over, so far that every lease and pause would have ended by it. */
  async #moveClock({ clock }: Member): Promise<boolean> {
    if (!clock) return false
    clock.set(clockStepSeconds)
    await sleep(this.#scale.slowestMs)
    clock.set(0)
    return true
  }
}

/** Waits until every fax has ended or waits for a person. */
async function settled({ members, postgres }: Pair): Promise<JobSummary[]> {
  const [{ gateway }] = members
  const rests = (job: JobSummary) => ['SUCCESS', 'FAILED'].includes(job.status) || job.needs_attention
  let jobs: JobSummary[] = []
  const moving = () => jobs.filter((job) => !rests(job))
  const left = async () => {
    jobs = await everyJob(gateway.client)
    return moving().length
  }
  await waitForNone('every fax to come to rest', left, stillFor).catch(async (error: unknown) => {
    const rows =
      await postgres.ask(`select now(), q.*, j.phase, a.* from fax_jobs j left join queue q on q.subject_id = j.id
      left join fax_attempts a on a.id = j.attempt_id where j.phase not in ('ended', 'uncertain')`)
    const printed = members.map(({ gateway: { printed } }) => printed.slice(-3000))
    throw new Error(`${String(error)} Still under way: ${JSON.stringify([moving(), rows])}\n${printed.join('\n')}`)
  })
  return jobs
}

/** Looks once more at those that wait for a person: what the provider lists late it lists by now. */
async function lookedUp(pair: Pair, listsAfterMs: number): Promise<JobSummary[]> {
  const [{ gateway }] = pair.members
  await settled(pair)
  await sleep(listsAfterMs)
  const waiting = (await everyJob(gateway.client)).filter(({ needs_attention }) => needs_attention)
  await Promise.all(waiting.map(({ id }) => gateway.client.refreshJob({ params: { id } })))
  return settled(pair)
}

/**
 * Sends through both gateways while accidents of every kind befall them and their database, one after the other, and
 * waits until nothing is under way.
 * @throws {Error} when a start fails, a client gets an answer it must not get, or something stays under way
 */
export async function raisePairStorm(scale: PairScale): Promise<PairAftermath> {
  const dice = diceOf(scale.seed)
  const pair = await openPair({ ...scale, dice: diceOf(scale.seed + 100) })
  const storm = new Storm(pair, scale, dice)
  try {
    await storm.rage()
    const jobs = storm.ended.length > 0 ? [] : await lookedUp(pair, scale.listsAfterMs)
    const chain = storm.ended.length > 0 ? undefined : await pair.members[1].gateway.client.verifyAuditChain({})
    const { sent, accidents, ended, longestAnswerMs } = storm
    return { pair, sent, jobs, accidents, ended, longestAnswerMs, chainIsIntact: chain?.intact ?? false }
  } catch (error) {
    await pair.close()
    throw error
  }
}
