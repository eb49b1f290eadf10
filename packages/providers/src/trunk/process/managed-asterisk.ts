import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Host, ProviderProblem } from '@faxdeck/provider-kit'
import type { ManagerAccess } from '../config/engine-conf.ts'
import { qualifySeconds } from '../config/pjsip-conf.ts'
import { configOf, marksOf, writeConfig } from '../config/write-config.ts'
import type { LinePlan } from '../plan.ts'
import { endEngine, type EngineProcess, findRunning, forgetEngine, startEngine } from './engine-process.ts'
import { type KeeperSession, registerNow, signInWhenUp, type TrunkCall, type TrunkState } from './keeper-session.ts'
import { assertFree, lastLines } from './obstacles.ts'
import { accessOf, drawAccess, placesOf } from './places.ts'
import { type AsteriskProgram, versionFault, versionOf } from './program.ts'
import { freeBytes, TrunkWatch } from './trunk-watch.ts'

const registersWithinMs = 4000
const firstPauseMs = 500
const longestPauseMs = 30_000
/** So long it must have run for its next end to count as the first. */
const steadyMs = 60_000
const watchEveryMs = 5000
/** While a trunk is not up. */
const watchClosely = 1000
/** A gateway that stops waits so long for calls to end; what is still up then ends by itself. */
const stopWithinMs = 3000

/** What the line wants of its Asterisk. */
export interface Wanted {
  plan: LinePlan
  program: AsteriskProgram
}

type Phase = 'starting' | 'up' | 'renewing' | 'stopped'

/**
 * The Asterisk of one data directory: written, started, watched, started again when it dies, and ended when nobody wants
 * it any more. Whatever befalls it, nothing is dialed by this: what becomes of a fax is decided where it always is.
 */
export class ManagedAsterisk {
  readonly #lineDirectory: string
  readonly #log: Host['log']
  readonly #room = () => freeBytes(this.#lineDirectory)
  #wanted: Wanted | undefined
  #wantedAt = -Infinity
  #phase: Phase = 'stopped'
  #problem: string | undefined
  #access: ManagerAccess | undefined
  #watch: TrunkWatch | undefined
  /** Wakes the loop: settings changed, or nobody wants the Asterisk any more. */
  #wake = new AbortController()
  #ready = Promise.withResolvers<true>()
  #running: Promise<void> = Promise.resolve()

  /** @param lineDirectory the folder that the line shares with Asterisk */
  constructor(lineDirectory: string, log: Host['log']) {
    this.#lineDirectory = lineDirectory
    this.#log = log
  }

  get phase(): Phase {
    return this.#phase
  }

  /** Why it is not up, as a sentence, as far as is known. */
  get problem(): string | undefined {
    return this.#problem
  }

  get states(): readonly TrunkState[] {
    return this.#watch?.states ?? []
  }

  /** What it is to run with; undefined when nobody wants it. */
  get plan(): LinePlan | undefined {
    return this.#wanted?.plan
  }

  /** The calls that were up when they were last counted, sent or received. */
  get calls(): readonly TrunkCall[] | undefined {
    return this.#watch?.calls
  }

  /** What it is to run with from now on; nothing: it is to end. */
  want(wanted: Wanted | undefined): void {
    const isNew = this.#wanted === undefined && wanted !== undefined
    this.#wanted = wanted
    this.#wantedAt = performance.now()
    this.#wake.abort()
    if (isNew) this.#running = this.#running.then(() => this.#run())
  }

  /** Resolves when it has ended, or is left to its last calls. */
  settled = (): Promise<void> => this.#running

  /** How the line signs in, once it is up. @throws {ProviderProblem} `unreachable` with the reason */
  async access(signal: AbortSignal): Promise<ManagerAccess> {
    if (this.#phase !== 'up') {
      const gaveUp = Promise.withResolvers<never>()
      signal.addEventListener('abort', () => gaveUp.reject(this.#notUp()), { once: true })
      await Promise.race([this.#ready.promise, gaveUp.promise])
    }
    if (!this.#access) throw this.#notUp()
    return this.#access
  }

  /** @throws {ProviderProblem} `unreachable` while it takes no new call */
  assertTakesCalls(): void {
    if (this.#phase !== 'up') throw this.#notUp()
  }

  /** Looks at the trunks now, unless all were up when they were last looked at. With new settings, they have time to register. */
  async freshStates(): Promise<readonly TrunkState[]> {
    for (;;) {
      if (this.#watch?.isSteady !== false) return this.states
      await this.#watch.look(this.#names())
      if (performance.now() > this.#wantedAt + registersWithinMs) return this.states
      await sleep(200)
    }
  }

  /** Counts the calls that are up; undefined when Asterisk does not say. */
  async freshCalls(): Promise<readonly TrunkCall[] | undefined> {
    await this.#watch?.countCalls()
    return this.calls
  }

  /** Asks a carrier for a sign of life now. */
  probe = async (name: string): Promise<TrunkState | undefined> => this.#watch?.probe(name, this.#names())

  /** Whether a carrier that answered OPTIONS before answers none now. Takes as long as it is given for one. */
  isSilent = async (name: string): Promise<boolean> =>
    (await this.#watch?.probe(name, this.#names(), qualifySeconds * 1000 + 500))?.reachable === false

  /** Has a trunk register now, so that its state shows what the carrier says of its account. */
  registerAgain = (name: string): void => void this.#watch?.command(registerNow(name))

  #names(): string[] {
    return (this.#wanted?.plan.trunks ?? []).map(({ name }) => name)
  }

  #isWanted(): boolean {
    return this.#wanted !== undefined
  }

  #assertWanted(): void {
    if (!this.#isWanted()) throw new Error('The line was closed before its Asterisk was up.')
  }

  #notUp(): ProviderProblem {
    const why =
      this.#phase === 'renewing'
        ? "Faxdeck's Asterisk restarts with the new settings as soon as its calls have ended."
        : (this.#problem ?? "Faxdeck's Asterisk is starting.")
    return new ProviderProblem('unreachable', why)
  }

  async #run(): Promise<void> {
    let pause = firstPauseMs
    while (this.#wanted) {
      this.#wake = new AbortController()
      this.#phase = 'starting'
      const begun = performance.now()
      try {
        const engine = await this.#obtain(this.#wanted)
        await this.#look(engine)
        if (this.#isWanted()) {
          this.#problem = "Faxdeck's Asterisk ended and is being started again."
          this.#log.warn(this.#problem)
        }
      } catch (error) {
        this.#problem = error instanceof Error ? error.message : String(error)
        this.#log.warn("Faxdeck's Asterisk is not up.", { reason: this.#problem })
      }
      this.#down()
      if (!this.#isWanted()) break
      if (performance.now() - begun > steadyMs) pause = firstPauseMs
      await sleep(pause, undefined, { signal: this.#wake.signal }).catch(() => undefined)
      pause = Math.min(2 * pause, longestPauseMs)
    }
    this.#phase = 'stopped'
  }

  #down(): void {
    if (this.#phase === 'up') this.#ready = Promise.withResolvers()
    this.#phase = 'starting'
    this.#watch?.end()
    this.#watch = undefined
  }

  /** The one that runs already, where it fits; else a new one. Up afterwards. */
  async #obtain({ plan, program }: Wanted): Promise<EngineProcess> {
    const places = placesOf(this.#lineDirectory, program)
    const { directory } = places
    const running = await findRunning(directory)
    const access = await accessOf(directory)
    const files = configOf(plan, this.#lineDirectory, places, access)
    const { fixed } = marksOf(files)
    if (running) {
      // A busy machine answers late, and an Asterisk that is taken for dead here loses its calls.
      const session = await signInWhenUp(access, running.ended, () => this.#isWanted())
      if (!session) this.#assertWanted()
      if (session && running.fixed === fixed) {
        await writeConfig(places, files)
        // It may have been notified to end when the last gateway did.
        await session.command('core abort shutdown')
        await session.reload(plan)
        return this.#up(running, access, session)
      }
      const talk = session && new TrunkWatch(session, access, this.#log, this.#room)
      await this.#drain(running, directory, talk)
      talk?.end()
    }
    this.#assertWanted()
    const fault = versionFault((await versionOf(program)) ?? '')
    if (fault !== undefined) throw new Error(fault)
    await assertFree(plan)
    await writeConfig(places, files)
    const engine = await startEngine(program, directory, fixed)
    const session = await signInWhenUp(access, engine.ended)
    if (session) return this.#up(engine, access, session)
    const said = await lastLines(join(directory, 'log/messages'))
    await endEngine(engine, directory)
    // Perhaps somebody else has the port by now.
    await drawAccess(directory)
    throw new Error(`Asterisk did not start.${said === '' ? '' : ` It logged: ${said}`}`)
  }

  #up(engine: EngineProcess, access: ManagerAccess, session: KeeperSession): EngineProcess {
    this.#access = access
    this.#watch = new TrunkWatch(session, access, this.#log, this.#room)
    this.#phase = 'up'
    this.#problem = undefined
    this.#ready.resolve(true)
    return engine
  }

  /** Stays with it until it ends. */
  async #look(engine: EngineProcess): Promise<void> {
    const seen = { isOver: false }
    const ended = engine.ended.then(() => void (seen.isOver = true))
    while (!seen.isOver) {
      const { signal } = this.#wake
      if (signal.aborted) {
        this.#wake = new AbortController()
        if (!this.#wanted) return this.#leave(engine)
        await this.#renew(engine, this.#wanted)
        continue
      }
      await this.#watch?.look(this.#names())
      if (this.#watch?.isHung === true) return endEngine(engine, join(this.#lineDirectory, 'engine'))
      const pause = sleep(this.#watch?.isSteady === true ? watchEveryMs : watchClosely, undefined, { signal }).catch(
        () => undefined,
      )
      await Promise.race([ended, pause])
    }
  }

  /** New settings: what can be taken in at once is; else it ends with its last call, and a new one is started. */
  async #renew(engine: EngineProcess, { plan, program }: Wanted): Promise<void> {
    if (!this.#access) return
    const places = placesOf(this.#lineDirectory, program)
    const files = configOf(plan, this.#lineDirectory, places, this.#access)
    if (marksOf(files).fixed === engine.fixed) {
      await writeConfig(places, files)
      await this.#watch?.reload(plan)
      return
    }
    this.#phase = 'renewing'
    this.#ready = Promise.withResolvers()
    await this.#drain(engine, places.directory, this.#watch)
  }

  /** Ends it when its last call has ended; at once when it does not answer. */
  async #drain(engine: EngineProcess, directory: string, talk: TrunkWatch | undefined): Promise<void> {
    const isReported = (await talk?.command('core stop gracefully')) ?? false
    if (!isReported) await endEngine(engine, directory)
    if (await this.#endsWhileWanted(engine)) await forgetEngine(directory)
  }

  /** False when nobody wants the line any more before it has ended. */
  async #endsWhileWanted({ ended }: EngineProcess): Promise<boolean> {
    while (this.#isWanted()) {
      const isOver = await Promise.race([ended.then(() => true), sleep(500, false)])
      if (isOver) return true
    }
    return false
  }

  /** Nobody wants it: it ends by itself after its last call, and until then the next gateway may take it over. */
  async #leave({ ended }: EngineProcess): Promise<void> {
    await this.#watch?.command('core stop gracefully')
    await Promise.race([ended, sleep(stopWithinMs, undefined, { ref: false })])
  }
}
