import {
  type CallEnd,
  type Engine,
  type EngineListener,
  type Host,
  type Line,
  type LineTest,
  type OutgoingFax,
  ProviderProblem,
  type ProviderSettings,
  Spool,
  TelephoneLine,
  voiceSentence,
} from '@faxdeck/provider-kit'
import { openAmi } from '../sip/ami-session.ts'
import { type AsteriskAccess, AsteriskEngine } from '../sip/engine.ts'
import { TrunkChoice } from './choose-trunk.ts'
import { trunkHeaders, tuningOf } from './originate.ts'
import { type LinePlan, planOf } from './plan.ts'
import { amiSettings } from './process/keeper-session.ts'
import { findAsterisk } from './process/program.ts'
import { type Lease, leaseAsterisk } from './process/shared-asterisk.ts'
import { TestCalls } from './line-test/test-calls.ts'
import { testLine } from './line-test/test-line.ts'
import { quietSecondsLeft } from './quiet-hours.ts'

/** @throws {ProviderProblem} when Asterisk is not there */
function programOf(settings: ProviderSettings, plan: LinePlan) {
  const named = typeof settings.trunk_asterisk === 'string' ? settings.trunk_asterisk : null
  const program = findAsterisk(named, plan)
  if (typeof program === 'string') throw new ProviderProblem('unreachable', program)
  return program
}

/** Opens the line over an Asterisk of our own, which is started for it. */
export function openTrunkLine(host: Host, settings: ProviderSettings): Line {
  const plan = planOf(settings)
  const spool = new Spool(host.directory)
  const lease = leaseAsterisk(host, { plan, program: programOf(settings, plan) })
  const calls = new TestCalls(host)
  const engine = (listener: EngineListener) => trunkEngine({ host, plan, lease, spool, listener, calls })
  const line = new TelephoneLine({ ...host, report: calls.report, receive: calls.receive }, spool, engine)
  return Object.assign(line, {
    test: (test: LineTest) => testLine({ test, plan, calls, asterisk: lease.asterisk, send: line.send }),
  })
}

interface Parts {
  host: Pick<Host, 'now'>
  plan: LinePlan
  lease: Lease
  spool: Spool
  listener: EngineListener
  calls: TestCalls
}

/** How calls through the trunks are begun over the Asterisk that is ours. */
function accessOf({ plan, lease: { asterisk }, calls }: Parts, choice: TrunkChoice): AsteriskAccess {
  return {
    open: async (signal, onEvent) => {
      const { port, password } = await asterisk.access(signal)
      return openAmi(amiSettings(port, 'faxdeck', password), signal, (event) => {
        calls.onEvent(event)
        onEvent(event)
      })
    },
    originate: (fax, paths) =>
      trunkHeaders(fax, plan, choice.take(fax, asterisk.states, asterisk.calls), paths, calls.find(fax.attemptId)),
    tuning: tuningOf(plan),
  }
}

/** A call that may use T.38 alone is as silent where the carrier refuses it as where a person answers. */
const withoutT38 = (end: CallEnd, { t38 }: LinePlan): CallEnd =>
  t38 === 'only' && end.sentence === voiceSentence ? { ...end, sentence: noT38 } : end

const noT38 =
  'T.38 was not established: the carrier or the machine refuses it, or a person answered. Allow audio under T.38, or check the number.'

/**
 * Whether the carrier did not put a call through. One that was answered and broke off says nothing against its trunk, and
 * its next attempt changes something else.
 */
const isNotPutThrough = ({ state, kind, call }: CallEnd) =>
  state === 'failed' &&
  (kind === 'line_error' || kind === 'rejected' || kind === 'unreachable') &&
  call?.steps?.some(({ step }) => step === 'answered') !== true

/** The end of a call as the trunks have it: what one carrier refuses, another may put through. */
function asOfTrunks(end: CallEnd, choice: TrunkChoice, plan: LinePlan): CallEnd {
  const isRefused = end.kind === 'rejected' || end.kind === 'unreachable'
  const isWorthAnother = isRefused && isNotPutThrough(end) && choice.hasOther(end.attemptId)
  return withoutT38(isWorthAnother ? { ...end, again: 'elsewhere' } : end, plan)
}

/** Whether a carrier answers nothing now, by the name of its trunk. */
type IsSilent = (trunk: string) => Promise<boolean>

/** Nobody answered, or nobody was called: a carrier that is away is as silent as a telephone that rings. */
async function asHeard(end: CallEnd, choice: TrunkChoice, isSilent: IsSilent): Promise<CallEnd> {
  const trunk = end.state === 'failed' && end.kind === 'no_answer' ? choice.through(end.attemptId) : undefined
  if (!trunk || !(await isSilent(trunk.name).catch(() => false))) return end
  return { ...end, kind: 'unreachable', sentence: `${trunk.host} does not answer.` }
}

/** What was not put through is tried over another trunk next time. */
export function freeingTrunks(
  listener: EngineListener,
  choice: TrunkChoice,
  plan: LinePlan,
  isSilent: IsSilent,
): EngineListener {
  const ended = async (reported: CallEnd) => {
    const end = asOfTrunks(await asHeard(reported, choice, isSilent), choice, plan)
    choice.free(end.attemptId, isNotPutThrough(end))
    listener.ended(end)
  }
  return { ...listener, ended: (reported) => void ended(reported) }
}

const quiet = { pause: 'Quiet hours.' }

/** The engine of an Asterisk of one's own, with what is different when it is ours: its trunks, its hours and its end. */
function trunkEngine(parts: Parts): Engine {
  const { host, plan, lease, spool, listener, calls } = parts
  const choice = new TrunkChoice(plan.trunks)
  const engine = new AsteriskEngine(
    accessOf(parts, choice),
    spool,
    freeingTrunks(listener, choice, plan, lease.asterisk.isSilent),
    host.now,
  )
  const { dial: dialNow, close: closeEngine, readEnd: readNote } = engine
  const readEnd: Engine['readEnd'] = async (attemptId) => {
    const end = await readNote(attemptId)
    return end && asOfTrunks(end, choice, plan)
  }
  const dial: Engine['dial'] = async (fax: OutgoingFax, handOver, signal) => {
    // Whoever tests the line wants it to call now.
    const isTest = calls.find(fax.attemptId) !== undefined
    const left = isTest ? 0 : quietSecondsLeft(plan.quietHours, host.now())
    if (left > 0) throw new ProviderProblem('rate_limited', 'Quiet hours: the fax goes out when they end.', left, quiet)
    lease.asterisk.assertTakesCalls()
    await Promise.all([lease.asterisk.freshStates(), lease.asterisk.freshCalls()])
    try {
      await dialNow(fax, handOver, signal)
    } catch (error) {
      // Of a call whose fate is not known, the channel may be in use.
      if (!(error instanceof ProviderProblem) || error.kind !== 'uncertain') choice.free(fax.attemptId, false)
      throw error
    }
  }
  const close = async () => {
    await closeEngine()
    await lease.release()
  }
  return Object.assign(engine, { dial, close, readEnd })
}
