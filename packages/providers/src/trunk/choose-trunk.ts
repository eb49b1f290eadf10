import { type OutgoingFax, ProviderProblem } from '@faxdeck/provider-kit'
import type { Trunk } from './more-trunks.ts'
import type { TrunkState } from './process/keeper-session.ts'
import { isUsable } from './process/trunk-watch.ts'

/** So many faxes whose last trunk is remembered. */
const remembered = 1000

/** Chooses a trunk for each call, in the order of the settings, and knows how many calls each carries. */
export class TrunkChoice {
  readonly #trunks: readonly Trunk[]
  /** Trunk by attempt that is under way. */
  readonly #calls = new Map<string, string>()
  /** The trunk that a fax failed through, by job: the next attempt begins behind it. */
  readonly #failed = new Map<string, string>()
  readonly #jobs = new Map<string, string>()

  constructor(trunks: readonly Trunk[]) {
    this.#trunks = trunks
  }

  /**
   * The first trunk that serves the number, is up and has a channel free. One that the fax just failed through comes last.
   * @param states what is known; a trunk of which nothing is known is tried
   * @throws {ProviderProblem} when there is none, with the reason
   */
  take(
    { attemptId, jobId, to }: Pick<OutgoingFax, 'attemptId' | 'jobId' | 'to'>,
    states: readonly TrunkState[],
  ): Trunk {
    const serving = this.#trunks.filter(
      ({ prefixes }) => prefixes.length === 0 || prefixes.some((prefix) => to.startsWith(prefix)),
    )
    if (serving.length === 0) {
      throw new ProviderProblem('rejected', `No trunk serves ${to}. Check to= under "More trunks".`)
    }
    const up = serving.filter(({ name }) => {
      const state = states.find((each) => each.name === name)
      return state === undefined || isUsable(state)
    })
    if (up.length === 0) throw new ProviderProblem('unreachable', downSentence(serving, states))
    const free = up.filter(({ name, channels }) => this.#busy(name) < channels)
    const failed = this.#failed.get(jobId)
    const chosen = free.find(({ name }) => name !== failed) ?? free[0]
    if (!chosen) throw new ProviderProblem('rate_limited', 'Every channel of the trunk is busy.', 5)
    this.#calls.set(attemptId, chosen.name)
    this.#remember(attemptId, jobId)
    return chosen
  }

  /** The call is over, or was never made. @param failed the carrier did not put it through */
  free(attemptId: string, failed: boolean): void {
    const name = this.#calls.get(attemptId)
    const jobId = this.#jobs.get(attemptId)
    this.#calls.delete(attemptId)
    if (name !== undefined && jobId !== undefined && failed) this.#failed.set(jobId, name)
  }

  #busy(name: string): number {
    return [...this.#calls.values()].filter((each) => each === name).length
  }

  #remember(attemptId: string, jobId: string): void {
    this.#jobs.set(attemptId, jobId)
    for (const memory of [this.#jobs, this.#failed]) {
      const [oldest] = memory.keys()
      if (oldest !== undefined && memory.size > remembered) memory.delete(oldest)
    }
  }
}

function downSentence(trunks: readonly Trunk[], states: readonly TrunkState[]): string {
  const [first] = trunks
  const registration = states.find(({ name }) => name === first?.name)?.registration
  const host = first?.host ?? ''
  if (registration === 'Rejected') return `${host} refuses the user name or the password of the trunk.`
  return registration === null || registration === undefined || registration === 'Registered'
    ? `${host} does not answer.`
    : `The trunk is not registered at ${host}. Faxes go out as soon as it is.`
}
