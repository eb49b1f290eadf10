import { type OutgoingFax, ProviderProblem } from '@faxdeck/provider-kit'
import { attemptOf } from '../sip/call-result.ts'
import type { Trunk } from './more-trunks.ts'
import type { TrunkCall, TrunkState } from './process/keeper-session.ts'
import { isUsable } from './process/trunk-watch.ts'

/** For how many faxes the last trunk is remembered. */
const remembered = 1000
/** A call has its channel within this time of being asked for. */
const setUpMs = 10_000

interface OwnCall {
  trunk: string
  to: string
  since: number
}

/** Chooses a trunk for each call, in the order of the settings, and knows how many calls each carries. */
export class TrunkChoice {
  readonly #trunks: readonly Trunk[]
  /** By attempt, calls that we began and whose end is not known. */
  readonly #calls = new Map<string, OwnCall>()
  /** The trunk that a fax failed through, by job: the next attempt begins behind it. */
  readonly #failed = new Map<string, string>()
  readonly #jobs = new Map<string, string>()

  constructor(trunks: readonly Trunk[]) {
    this.#trunks = trunks
  }

  /**
   * The first trunk that serves the number, is up and has a channel free. One that the fax just failed through comes last.
   * @param states what is known; a trunk of which nothing is known is tried
   * @param up every call that Asterisk has, received ones and those of an earlier process among them; undefined when it
   * did not say
   * @throws {ProviderProblem} when there is none, with the reason
   */
  take(
    { attemptId, jobId, to }: Pick<OutgoingFax, 'attemptId' | 'jobId' | 'to'>,
    states: readonly TrunkState[],
    up?: readonly TrunkCall[],
  ): Trunk {
    const serving = this.#serving(to)
    if (serving.length === 0) {
      throw new ProviderProblem('rejected', `No trunk serves ${to}. Check to= under "More trunks".`)
    }
    const usable = this.#trunks.filter(({ name }) => {
      const state = states.find((each) => each.name === name)
      return state === undefined || isUsable(state)
    })
    const open = usable.filter(({ name, channels }) => this.#busy(name, up) < channels)
    // The trunks of other destinations are not held up by this one's.
    const only = open.some((trunk) => !serving.includes(trunk)) ? ({ only: 'this fax' } as const) : {}
    if (!serving.some((trunk) => usable.includes(trunk))) {
      const kind = isRefused(serving, states) ? 'bad_credentials' : 'unreachable'
      throw new ProviderProblem(kind, downSentence(serving, states), undefined, only)
    }
    const free = serving.filter((trunk) => open.includes(trunk))
    const failed = this.#failed.get(jobId)
    const chosen = free.find(({ name }) => name !== failed) ?? free[0]
    if (!chosen) throw new ProviderProblem('rate_limited', allBusy, 5, { ...only, pause: allBusy })
    this.#calls.set(attemptId, { trunk: chosen.name, to, since: performance.now() })
    this.#remember(attemptId, jobId)
    return chosen
  }

  /** The trunk that a call went through; undefined when it is not one of ours, or over. */
  through(attemptId: string): Trunk | undefined {
    const name = this.#calls.get(attemptId)?.trunk
    return this.#trunks.find((trunk) => trunk.name === name)
  }

  /** Whether the number of a call can be reached by another trunk than the one it went through. */
  hasOther(attemptId: string): boolean {
    const call = this.#calls.get(attemptId)
    return call !== undefined && this.#serving(call.to).some(({ name }) => name !== call.trunk)
  }

  #serving(to: string): Trunk[] {
    return this.#trunks.filter(
      ({ prefixes }) => prefixes.length === 0 || prefixes.some((prefix) => to.startsWith(prefix)),
    )
  }

  /** The call is over, or was never made. @param failed the carrier did not put it through */
  free(attemptId: string, failed: boolean): void {
    const name = this.#calls.get(attemptId)?.trunk
    const jobId = this.#jobs.get(attemptId)
    this.#calls.delete(attemptId)
    if (name !== undefined && jobId !== undefined && failed) this.#failed.set(jobId, name)
  }

  /**
   * Calls on a trunk: those that Asterisk has, and those that it is about to have. One that it no longer has is over,
   * although nobody reported its end, as when Asterisk itself died.
   */
  #busy(name: string, up: readonly TrunkCall[] | undefined): number {
    const own = [...this.#calls].filter(([, call]) => call.trunk === name)
    if (!up) return own.length
    const here = up.filter(({ trunk }) => trunk === name).map(({ id }) => attemptOf(id) ?? id)
    const now = performance.now()
    const coming = own.filter(([attemptId, { since }]) => !here.includes(attemptId) && now - since < setUpMs)
    return here.length + coming.length
  }

  #remember(attemptId: string, jobId: string): void {
    this.#jobs.set(attemptId, jobId)
    for (const memory of [this.#jobs, this.#failed, this.#calls]) {
      const [oldest] = memory.keys()
      if (oldest !== undefined && memory.size > remembered) memory.delete(oldest)
    }
  }
}

const allBusy = 'Every channel of the trunk is busy.'

/** Whether every carrier there is answers, and refuses the account. */
const isRefused = (trunks: readonly Trunk[], states: readonly TrunkState[]) =>
  trunks.every(({ name }) => {
    const state = states.find((each) => each.name === name)
    return state?.registration === 'Rejected' && state.reachable === true
  })

function downSentence(trunks: readonly Trunk[], states: readonly TrunkState[]): string {
  const [first] = trunks
  const { registration, reachable } = states.find(({ name }) => name === first?.name) ?? {}
  const host = first?.host ?? ''
  // Asterisk calls a registration rejected also when nobody answered it.
  if (registration === 'Rejected' && reachable !== false) {
    const refusal = 'refuses the user name or the password of the trunk.'
    return reachable === true ? `${host} ${refusal}` : `${host} does not answer, or ${refusal}`
  }
  return reachable === false || registration === null || registration === undefined || registration === 'Registered'
    ? `${host} does not answer.`
    : `The trunk is not registered at ${host}. Faxes go out as soon as it is.`
}
