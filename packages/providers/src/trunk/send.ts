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
import type { Trunk } from './more-trunks.ts'
import { type LinePlan, planOf } from './plan.ts'
import { askCarrier } from './probe/ask-carrier.ts'
import { amiSettings } from './process/keeper-session.ts'
import { findAsterisk } from './process/program.ts'
import { type Lease, leaseAsterisk } from './process/shared-asterisk.ts'
import { TestCalls } from './line-test/test-calls.ts'
import { testLine } from './line-test/test-line.ts'
import { quietSecondsLeft } from './quiet-hours.ts'

/** A carrier has so long to answer a question. */
const askMs = 4000

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
  (kind === 'line_error' || kind === 'rejected' || kind === 'unreachable' || kind === 'bad_credentials') &&
  call?.steps?.some(({ step }) => step === 'answered') !== true

/** The end of a call as the trunks have it: what one carrier refuses, another may put through. */
function asOfTrunks(end: CallEnd, choice: TrunkChoice, plan: LinePlan): CallEnd {
  const isRefused = end.kind === 'rejected' || end.kind === 'unreachable' || end.kind === 'bad_credentials'
  const isWorthAnother = isRefused && isNotPutThrough(end) && choice.hasOther(end.attemptId)
  return withoutT38(isWorthAnother ? { ...end, again: 'elsewhere' } : end, plan)
}

/** What can be asked about the carrier of a trunk now. */
export interface CarrierQuestions {
  /** Whether it answers nothing. */
  isSilent: (trunk: Trunk) => Promise<boolean>
  /** Whether it refuses the account, and not just a call. */
  isRefused: (trunk: Trunk) => Promise<boolean>
  /** It refused the account: the state of its trunk is to show that, so that no further call is dialed for it. */
  noteRefusal: (trunk: Trunk) => void
}

const forbidden = /^403\b/

/**
 * What an end means by what the carrier says now. One that is away is as silent as a telephone that rings, and many forbid
 * calls (403) of an account whose password is wrong.
 */
async function asHeard(end: CallEnd, choice: TrunkChoice, carrier: CarrierQuestions): Promise<CallEnd> {
  const trunk = end.state === 'failed' ? choice.through(end.attemptId) : undefined
  if (!trunk) return end
  if (end.kind === 'no_answer' && (await carrier.isSilent(trunk).catch(() => false)))
    return { ...end, kind: 'unreachable', sentence: `${trunk.host} does not answer.` }
  const isForbidden = end.kind === 'rejected' && forbidden.test(end.call?.sip ?? '')
  if (isForbidden && (await carrier.isRefused(trunk).catch(() => false))) {
    const sentence = `${trunk.host} refused the user name or password of the trunk (${end.call?.sip ?? ''}).`
    return { ...end, kind: 'bad_credentials', sentence }
  }
  return end
}

/** What was not put through is tried over another trunk next time. */
export function freeingTrunks(
  listener: EngineListener,
  choice: TrunkChoice,
  plan: LinePlan,
  carrier: CarrierQuestions,
): EngineListener {
  const ended = async (reported: CallEnd) => {
    const end = asOfTrunks(await asHeard(reported, choice, carrier), choice, plan)
    const refusing = end.kind === 'bad_credentials' ? choice.through(end.attemptId) : undefined
    if (refusing) carrier.noteRefusal(refusing)
    choice.free(end.attemptId, isNotPutThrough(end))
    listener.ended(end)
  }
  return { ...listener, ended: (reported) => void ended(reported) }
}

const questionsOf = ({ plan, lease: { asterisk } }: Parts): CarrierQuestions => ({
  isSilent: ({ name }) => asterisk.isSilent(name),
  isRefused: async (trunk) => {
    if (trunk.signIn === 'ip') return false
    return (await askCarrier('REGISTER', trunk, plan, AbortSignal.timeout(askMs))).kind === 'refused'
  },
  noteRefusal: ({ name }) => asterisk.registerAgain(name),
})

const quiet = { pause: 'Quiet hours.' }

/** The engine of an Asterisk of one's own, with what is different when it is ours: its trunks, its hours and its end. */
function trunkEngine(parts: Parts): Engine {
  const { host, plan, lease, spool, listener, calls } = parts
  const choice = new TrunkChoice(plan.trunks)
  const engine = new AsteriskEngine(
    accessOf(parts, choice),
    spool,
    freeingTrunks(listener, choice, plan, questionsOf(parts)),
    host.now,
  )
  const { dial: dialNow, close: closeEngine, readEnd: readNote } = engine
  const readEnd: Engine['readEnd'] = async (attemptId) => {
    const end = await readNote(attemptId)
    return end && asOfTrunks(end, choice, plan)
  }
  const dial: Engine['dial'] = async (fax: OutgoingFax, handOver, signal) => {
    // A test of the line calls at once.
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
