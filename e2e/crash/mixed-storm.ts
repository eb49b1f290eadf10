import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CallProblem, type InboundFax, type JobSummary } from '../../packages/contract/src/index.ts'
import type { Emulator } from '../../packages/provider-kit/src/emulator/index.ts'
import { startEmulators } from '../../scripts/emulators/start-emulators.mjs'
import { reservePort } from '../../apps/gateway/src/testing/reserve-port.ts'
import { GatewayProcess, unlimited } from '../harness/gateway-process.ts'
import { waitFor, waitForNone } from '../harness/wait.ts'
import { type Dice, diceOf } from './dice.ts'
import { everyInbound, everyJob } from './findings.ts'
import { type Delivered, type Quota, receiveFaxes, sendUpTo } from './mixed-traffic.ts'
import type { Submission } from './sender.ts'

export interface Scale {
  faxes: number
  kills: number
  /** Faxes that come in from each provider. */
  arrivals: number
  seed: number
}

/** What is known outside when the storm is over and every fax has come to rest. */
export interface MixedAftermath {
  /** By provider: what its stand-in was really given. */
  emulators: ReadonlyMap<string, Emulator>
  ledger: readonly Submission[]
  jobs: readonly JobSummary[]
  /** The provider's id that the gateway shows for each job. */
  sids: ReadonlyMap<string, string | null>
  delivered: readonly Delivered[]
  inbox: readonly InboundFax[]
  killsByProvider: ReadonlyMap<string, number>
  chainIsIntact: boolean
  close: () => Promise<void>
}

const clients = 6
/** How often the outbound provider is changed, per provider. */
const rounds = 2
/** Seconds in which at least one more fax comes to rest, or is fetched. */
const stillFor = 480
/** The line that is open from the first moment on; lists are compared for the first time when the storm is over. */
const inboundMeanwhile = 'sip'

/** The gateway with the stand-in of every provider, all of them set up at once. */
async function open() {
  const port = await reservePort()
  const url = `http://127.0.0.1:${port}`
  // Answers take so long that a kill finds some of them on their way.
  const running = await startEmulators({ gatewayUrl: url, stepMs: 60, latencyMs: 60 })
  const emulators = new Map(running.map(({ provider, emulator }) => [provider.id, emulator]))
  const accounts = Object.assign({}, ...running.map(({ emulator }) => emulator.env)) as Record<string, string>
  const never = { RETRY_BUSY_TIMES: '0', RETRY_NO_ANSWER_TIMES: '0', RETRY_LINE_ERROR_TIMES: '0' }
  const gateway = new GatewayProcess(port, {
    env: {
      ...unlimited,
      ...never,
      ...accounts,
      FAX_DISABLED: 'false',
      FAX_INBOUND_BACKEND: inboundMeanwhile,
      PUBLIC_API_URL: url,
      RETRY_UNREACHABLE_FIRST_SECONDS: '1',
      RECONCILE_MINUTES: '1',
      LANE_CONCURRENCY: '10',
    },
  })
  const close = async () => {
    await gateway.remove()
    for (const emulator of emulators.values()) await emulator.close()
  }
  return { gateway, emulators, close }
}

type Opened = Awaited<ReturnType<typeof open>>

/** Changes a setting, however often the gateway dies over it. */
async function set({ client }: GatewayProcess, change: { outbound_backend?: string; inbound_backend?: string }) {
  await waitFor('a changed setting', async () => {
    try {
      await client.updateSettings({ body: change })
      return true
    } catch (error) {
      if (error instanceof CallProblem && [0, 503].includes(error.status)) return undefined
      throw error
    }
  })
}

class Storm {
  readonly ledger: Submission[] = []
  readonly delivered: Delivered[] = []
  readonly killsByProvider = new Map<string, number>()
  readonly #scale: Scale
  readonly #opened: Opened
  readonly #dice: Dice
  readonly #over = new AbortController()
  readonly #quota: Quota
  #outbound = ''

  constructor(scale: Scale, opened: Opened) {
    this.#scale = scale
    this.#opened = opened
    this.#dice = diceOf(scale.seed)
    this.#quota = { total: scale.faxes, calm: opened.emulators.size, now: 0 }
  }

  /** @throws {Error} what the first of them met; all have ended then */
  async rage(): Promise<void> {
    const { faxes, arrivals, seed } = this.#scale
    const { gateway, emulators } = this.#opened
    const { signal } = this.#over
    await gateway.start()
    const sending = Array.from({ length: clients }, (_, index) =>
      sendUpTo(this.#quota, gateway.client, this.ledger, diceOf(seed + index + 1), signal),
    )
    const receive = () =>
      [...emulators].map(([provider, emulator], index) => {
        const what = { provider, emulator, count: arrivals, someUntold: faxes >= 1000 }
        return receiveFaxes(what, this.delivered, diceOf(seed + 100 + index), signal)
      })
    const storm = this.#calm().then(() => this.#together([...receive(), this.#switch(), this.#kill()]))
    await this.#together([...sending, storm])
  }

  /** Waits for the end of all of them, and ends the storm when one fails. */
  async #together(works: readonly Promise<void>[]): Promise<void> {
    const all = works.map((work) =>
      work.catch((error: unknown) => {
        this.#over.abort()
        throw error
      }),
    )
    await Promise.allSettled(all)
    await Promise.all(all)
  }

  /**
   * One fax through each provider before the first kill: later each may lose all of its own to kills, and a telephone
   * engine learns from its first call where the folder is that it shares with the gateway.
   */
  async #calm(): Promise<void> {
    const { gateway, emulators } = this.#opened
    for (const [id, emulator] of emulators) {
      await set(gateway, { outbound_backend: id })
      this.#quota.now += 1
      await waitFor(`the first fax over ${id}`, async () => emulator.faxes.length > 0 || undefined, 60)
    }
  }

  /** Gives every provider its share, in turns: the next begins when all are acknowledged, and most still under way. */
  async #switch(): Promise<void> {
    const { gateway, emulators } = this.#opened
    const turns = Array.from({ length: rounds }, () => [...emulators.keys()]).flat()
    const isOver = () => this.#over.signal.aborted || undefined
    for (const [turn, id] of turns.entries()) {
      if (isOver()) return
      await set(gateway, { outbound_backend: id })
      this.#outbound = id
      const { total, calm } = this.#quota
      const quota = calm + Math.round(((turn + 1) * (total - calm)) / turns.length)
      this.#quota.now = quota
      const isFull = async () => this.ledger.filter(({ ids }) => ids.size > 0).length >= quota || isOver()
      await waitFor(`${quota} faxes to be acknowledged`, isFull, 600)
    }
  }

  async #kill(): Promise<void> {
    const { faxes, kills } = this.#scale
    const { gateway, emulators } = this.#opened
    const calm = emulators.size
    for (let kill = 0; kill < kills && !this.#over.signal.aborted; kill += 1) {
      await this.#posted(calm + ((kill + this.#dice.between(0.3, 0.9)) * (faxes - calm)) / kills)
      await sleep(this.#dice.between(0, 300))
      await gateway.kill()
      this.killsByProvider.set(this.#outbound, (this.killsByProvider.get(this.#outbound) ?? 0) + 1)
      gateway.spawn()
      // Some hit a gateway that is just starting.
      if (this.#dice.happens(0.85)) await gateway.ready()
    }
    await gateway.ready()
  }

  async #posted(count: number): Promise<void> {
    const enough = async () => this.ledger.length >= Math.floor(count) || this.#over.signal.aborted || undefined
    await waitFor(`${count} faxes to be posted`, enough, 600)
  }
}

/** Waits until every fax has ended or waits for a person. */
async function settled({ gateway }: Opened): Promise<JobSummary[]> {
  const rests = (job: JobSummary) => ['SUCCESS', 'FAILED'].includes(job.status) || job.needs_attention
  let jobs: JobSummary[] = []
  const moving = () => jobs.filter((job) => !rests(job))
  const left = async () => {
    jobs = await everyJob(gateway.client)
    return moving().length
  }
  await waitForNone('every fax to come to rest', left, stillFor).catch((error: unknown) => {
    throw new Error(`${String(error)} Still under way: ${JSON.stringify(moving())}\n${gateway.printed.slice(-3000)}`)
  })
  return jobs
}

/** Makes ten minutes pass for pages whose end FreeSWITCH reported while nobody listened. */
async function ageOrphans({ directory }: GatewayProcess): Promise<void> {
  const inbox = join(directory, 'lines/freeswitch/inbox')
  const before = new Date(Date.now() - 11 * 60_000)
  for (const name of await readdir(inbox)) await utimes(join(inbox, name), before, before).catch(() => undefined)
}

/** Turns to each provider from which something is missing: a gateway that starts compares its list, or its folder. */
async function reconcileMissing(
  { gateway, emulators }: Opened,
  delivered: readonly Delivered[],
): Promise<InboundFax[]> {
  const { client } = gateway
  const complete = (faxes: InboundFax[], of: (fax: Delivered) => boolean) => {
    const there = new Set(
      faxes
        .filter(({ status }) => status !== 'waiting')
        .map(({ backend, provider_sid }) => `${backend} ${provider_sid}`),
    )
    return delivered.filter(of).every(({ provider, providerId }) => there.has(`${provider} ${providerId}`))
  }
  for (const id of emulators.keys()) {
    const isWhole = async () => complete(await everyInbound(client), ({ provider }) => provider === id) || undefined
    if (await waitFor('what is being fetched', isWhole, 3).catch(() => false)) continue
    if (id === 'freeswitch') await ageOrphans(gateway)
    await set(gateway, { inbound_backend: id })
    await gateway.kill()
    await gateway.start()
    await waitFor(`every fax from ${id}`, isWhole, stillFor)
  }
  return everyInbound(client)
}

/**
 * Sends through all providers in turns and receives from all of them at once, while the gateway is killed at random
 * moments and started again on the same data; then waits until nothing is under way.
 *
 * It is one gateway whose outbound provider is changed under it: every kill finds faxes of several providers in all
 * their states, also of providers that are not the chosen one any more.
 * @throws {Error} when a start fails, a client gets an answer it must not get, or something stays under way
 */
export async function raiseMixedStorm(scale: Scale): Promise<MixedAftermath> {
  const opened = await open()
  const { gateway, emulators, close } = opened
  const storm = new Storm(scale, opened)
  try {
    await storm.rage()
    const { ledger, delivered, killsByProvider } = storm
    await settled(opened)
    const inbox = await reconcileMissing(opened, delivered)
    const jobs = await settled(opened)
    const sids = new Map<string, string | null>()
    for (const { id } of jobs) sids.set(id, (await gateway.client.getJob({ params: { id } })).provider_sid)
    const { intact: chainIsIntact } = await gateway.client.verifyAuditChain({})
    return { emulators, ledger, jobs, sids, delivered, inbox, killsByProvider, chainIsIntact, close }
  } catch (error) {
    await close()
    throw error
  }
}
