import { statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Host } from '@faxdeck/provider-kit'
import { fullMark } from '../config/dialplan.ts'
import type { ManagerAccess } from '../config/engine-conf.ts'
import type { LinePlan } from '../plan.ts'
import { KeeperSession, type TrunkCall, type TrunkState } from './keeper-session.ts'

/** After this many checks without an answer, each of a few seconds, an Asterisk no longer carries calls. */
const silentLooks = 15
const answerMs = 1000
/** So much room a few received faxes and their notes need. */
const leastBytes = 64 * 1024 * 1024

/** What is left on the disk of a folder. */
export async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}

/** Whether calls can go out by this trunk, as far as is known. */
export const isUsable = ({ registration, reachable }: TrunkState): boolean =>
  reachable !== false && (registration === null || registration === 'Registered')

/** Looks at the trunks of a running Asterisk, and reports when one goes down or comes back. */
export class TrunkWatch {
  readonly #access: ManagerAccess
  readonly #log: Host['log']
  readonly #freeBytes: () => Promise<number>
  /** As Asterisk has it; undefined until it was set. */
  #isFull: boolean | undefined
  #session: KeeperSession | undefined
  #states: readonly TrunkState[] = []
  #calls: readonly TrunkCall[] | undefined
  /** Those that have answered OPTIONS: only their silence means something. */
  readonly #answering = new Set<string>()
  /** Looks in a row that nobody answered. */
  #silent = 0

  /**
   * @param session signed in with this access
   * @param free bytes that are left where received faxes are written
   */
  constructor(session: KeeperSession, access: ManagerAccess, log: Host['log'], free: () => Promise<number>) {
    this.#freeBytes = free
    this.#session = session
    this.#access = access
    this.#log = log
  }

  get states(): readonly TrunkState[] {
    return this.#states
  }

  /** The calls that were up when they were last counted; undefined when Asterisk did not say. */
  get calls(): readonly TrunkCall[] | undefined {
    return this.#calls
  }

  get isSteady(): boolean {
    return this.#states.length > 0 && this.#states.every(isUsable)
  }

  /** It is no longer worth waiting for. */
  get isHung(): boolean {
    return this.#silent >= silentLooks
  }

  /** @returns whether Asterisk has done it */
  async command(text: string): Promise<boolean> {
    try {
      const session = this.#session ?? (await this.#signIn())
      await session?.command(text)
      return session !== undefined
    } catch {
      return false
    }
  }

  /** New settings: see `KeeperSession.reload`. */
  async reload(plan: LinePlan): Promise<void> {
    const session = this.#session ?? (await this.#signIn())
    await session?.reload(plan).catch(() => undefined)
  }

  /** Looks now; afterwards `states` is what was seen. */
  async look(names: readonly string[]): Promise<void> {
    try {
      const session = this.#session ?? (await this.#signIn())
      const before = this.#states
      this.#states = ((await session?.states(names)) ?? []).map((state) => this.#heeded(state))
      this.#silent = session ? 0 : this.#silent + 1
      if (session) await this.#refuseWhenFull(session)
      for (const state of this.#states)
        this.#report(
          state,
          before.find(({ name }) => name === state.name),
        )
    } catch {
      this.#silent += 1
      this.end()
    }
  }

  /** Counts the calls now; afterwards `calls` is what was seen. */
  async countCalls(): Promise<void> {
    try {
      const session = this.#session ?? (await this.#signIn())
      this.#calls = await session?.calls()
    } catch {
      this.#calls = undefined
    }
  }

  /** Asks a carrier for a sign of life now, and looks again when it has had so long to answer. */
  async probe(name: string, names: readonly string[], waitMs = answerMs): Promise<TrunkState | undefined> {
    await this.#session?.qualify(name).catch(() => undefined)
    await sleep(waitMs)
    await this.look(names)
    return this.#states.find((state) => state.name === name)
  }

  end(): void {
    this.#session?.end()
    this.#session = undefined
  }

  #heeded(state: TrunkState): TrunkState {
    if (state.reachable === true) this.#answering.add(state.name)
    return state.reachable === false && !this.#answering.has(state.name) ? { ...state, reachable: null } : state
  }

  /** The fax engine confirms pages that the disk did not take, so that no call is taken then: senders try again later. */
  async #refuseWhenFull(session: KeeperSession): Promise<void> {
    const isFull = (await this.#freeBytes().catch(() => Infinity)) < leastBytes
    if (isFull === this.#isFull) return
    await session.command(`dialplan set global ${fullMark} ${isFull ? 1 : 0}`)
    if (isFull) this.#log.warn('The disk is nearly full: incoming calls are answered as busy.')
    else if (this.#isFull === true) this.#log.info('There is room on the disk again: incoming calls are answered.')
    this.#isFull = isFull
  }

  async #signIn(): Promise<KeeperSession | undefined> {
    this.#session = await KeeperSession.open(this.#access, AbortSignal.timeout(2000)).catch(() => undefined)
    return this.#session
  }

  #report(now: TrunkState, before: TrunkState | undefined): void {
    if (now.registration === before?.registration && now.reachable === before.reachable) return
    const facts = { trunk: now.name, registration: now.registration, reachable: now.reachable }
    if (isUsable(now)) this.#log.info('The trunk is up.', facts)
    else if (before && isUsable(before)) this.#log.warn('The trunk is down.', facts)
  }
}
