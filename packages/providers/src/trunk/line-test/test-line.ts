import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Line,
  type LineTest,
  type LineTestResult,
  type LineTestStep,
  ProviderProblem,
  type StatusUpdate,
} from '@faxdeck/provider-kit'
import { type LinePlan, numbersOf } from '../plan.ts'
import type { ManagedAsterisk } from '../process/managed-asterisk.ts'
import { isUsable } from '../process/trunk-watch.ts'
import type { Quality, TestCall, TestCalls } from './test-calls.ts'

interface Parts {
  test: LineTest
  plan: LinePlan
  calls: TestCalls
  asterisk: ManagedAsterisk
  send: Line['send']
}

const upWithinMs = 30_000
const registeredWithinMs = 20_000
/** The page is handed over within a second or two of the call's end. */
const arrivesWithinMs = 20_000

/** A step that failed: its sentence is the verdict, too. */
class StepFailed extends Error {
  override name = 'StepFailed'
}

/** Tries the line from Asterisk to the page that comes back. What fails ends the test, because all else builds on it. */
export async function testLine(parts: Parts): Promise<LineTestResult> {
  try {
    await step(parts, 'asterisk', 'Asterisk', () => comesUp(parts))
    await step(parts, 'registration', 'Registration', () => registers(parts))
    await step(parts, 'options', 'Way to the carrier', () => answers(parts))
    if (numbersOf(parts.plan).length === 0) return withoutNumber(parts)
    return await callsItself(parts)
  } catch (error) {
    if (error instanceof StepFailed) return { passed: false, verdict: error.message }
    throw error
  }
}

/** A call to oneself needs a number of one's own. */
function withoutNumber({ test }: Parts): LineTestResult {
  const detail = 'Enter your fax number to have the test call it.'
  test.onStep({ name: 'call', title: 'Call to yourself', state: 'skipped', detail })
  return { passed: true, verdict: `The carrier accepts your trunk. No page was sent: ${lowerFirst(detail)}` }
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

type Seen = string | { skipped: string }

/** @throws {StepFailed} */
async function step({ test }: Parts, name: string, title: string, look: () => Promise<Seen>): Promise<void> {
  const report = (state: LineTestStep['state'], detail: string) => test.onStep({ name, title, state, detail })
  report('running', '')
  try {
    test.signal.throwIfAborted()
    const seen = await look()
    if (typeof seen === 'string') report('passed', seen)
    else report('skipped', seen.skipped)
  } catch (error) {
    const isKnown = error instanceof StepFailed || error instanceof ProviderProblem
    const sentence = isKnown
      ? error.message
      : test.signal.aborted
        ? 'The test took too long and was stopped.'
        : 'The test stopped early. See the gateway log for the reason.'
    report('failed', sentence)
    throw new StepFailed(sentence, { cause: error })
  }
}

async function comesUp({ test, asterisk }: Parts): Promise<string> {
  await asterisk.access(AbortSignal.any([test.signal, AbortSignal.timeout(upWithinMs)]))
  return "Faxdeck's Asterisk is running."
}

async function registers({ plan, test, asterisk }: Parts): Promise<Seen> {
  const until = performance.now() + registeredWithinMs
  for (;;) {
    const states = await asterisk.freshStates()
    const down = states.filter((state) => !isUsable(state))
    if (states.length > 0 && down.length === 0) {
      const registered = states.filter(({ registration }) => registration !== null).map(({ name }) => name)
      if (registered.length === 0)
        return { skipped: 'The trunk does not register: the carrier knows it by its address.' }
      return `Registered: ${registered.map((name) => hostOf(plan, name)).join(', ')}.`
    }
    const [first] = down
    const host = first ? hostOf(plan, first.name) : 'The carrier'
    const isRejected = first?.registration === 'Rejected'
    // Asterisk says so also when nobody answered; any other answer is a refusal.
    if (isRejected && (await asterisk.probe(first.name))?.reachable === true)
      throw new StepFailed(`${host} refuses the user name or the password. Copy both again.`)
    if (performance.now() > until) {
      const or = isRejected ? ', or refuses the user name or the password' : ''
      throw new StepFailed(`${host} does not answer${or}. Check the server name, the network and the firewall.`)
    }
    await sleep(500, undefined, { signal: test.signal })
  }
}

const hostOf = ({ trunks }: LinePlan, name: string) => trunks.find((trunk) => trunk.name === name)?.host ?? name

async function answers({ plan, asterisk }: Parts): Promise<Seen> {
  const [main] = plan.trunks
  const state = main && (await asterisk.probe(main.name))
  if (state?.reachable !== true)
    return { skipped: 'The carrier does not answer OPTIONS. Many never do; you can ignore this.' }
  return `The carrier answers OPTIONS in ${Math.max(1, Math.round(state.roundTripMs ?? 1))} ms.`
}

/** Sends the page to our own number and takes it in again; the verdict. @throws {StepFailed} */
async function callsItself(parts: Parts): Promise<LineTestResult> {
  const { plan, test, calls, send } = parts
  const [own] = numbersOf(plan)
  const call = calls.begin()
  let end: StatusUpdate | undefined
  try {
    await step(parts, 'call', 'Call to yourself', async () => {
      await send(faxTo(own?.number ?? '', call, test), test.signal)
      end = await raced(call.ended, test.signal)
      if (end.state !== 'delivered')
        throw new StepFailed([callFailed(end), lossSentence(call.quality, end, plan)].join(' ').trim())
      return [modeSentence(end), qualitySentence(call.quality)].filter((part) => part !== '').join(' ')
    })
    await step(parts, 'page', 'Page compared', async () => {
      const late = sleep(arrivesWithinMs, undefined, { ref: false })
      const tiff = await Promise.race([raced(call.arrived, test.signal), late])
      if (!tiff) throw new StepFailed(notBack)
      if (!(await test.isSamePage(tiff)))
        throw new StepFailed(
          'The page came back with different pixels. Turn on error correction (ECM), or lower the top speed.',
        )
      return 'The page came back exactly as it was sent.'
    })
    return resultOf(end ?? { state: 'delivered' }, plan, call.quality)
  } finally {
    calls.forget(call)
  }
}

const notBack =
  'The page was accepted, but no call came in on this trunk. Check with the carrier that the number is routed here, and enter the addresses it calls from under "Carrier addresses".'

const faxTo = (to: string, { attemptId }: TestCall, { tiffPath }: LineTest): Parameters<Line['send']>[0] => ({
  jobId: attemptId,
  attemptId,
  to,
  pages: 1,
  tiffPath,
  pdf: () => Promise.reject(new Error('A test has no PDF.')),
  documentUrl: () => Promise.reject(new Error('A test has no link.')),
  callbackUrl: null,
})

function raced<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const giveUp = () => aborted.reject(signal.reason as Error)
  if (signal.aborted) giveUp()
  signal.addEventListener('abort', giveUp, { once: true })
  return Promise.race([work, aborted.promise]).finally(() => signal.removeEventListener('abort', giveUp))
}

function callFailed({ sentence, kind }: StatusUpdate): string {
  const advice =
    kind === 'rejected'
      ? ' The carrier may not allow this caller ID: try the other caller ID header.'
      : kind === 'bad_number'
        ? ' Check your number and the international prefix.'
        : kind === 'busy'
          ? ' A call to yourself takes two channels: the trunk needs both, and both must be free.'
          : ''
  return `The call to your own number failed. ${sentence ?? ''}${advice}`.trim()
}

/** What is said of a call in its last word: `SUCCESS T38 14400`. */
function wayOf({ word = '' }: StatusUpdate): { isT38: boolean; speed: string } {
  const speed = /(\d{4,5})$/.exec(word)?.[1]
  return {
    isT38: /\bT\.?38\b/i.test(word),
    speed: speed === undefined ? 'an unknown speed' : Number(speed).toLocaleString('en-US'),
  }
}

function modeSentence(end: StatusUpdate): string {
  const { isT38, speed } = wayOf(end)
  return `One page went over ${isT38 ? 'T.38' : 'audio (G.711)'} at ${speed}.`
}

function qualitySentence(quality: Quality | undefined): string {
  if (!quality) return ''
  return `Audio: ${quality.lossPercent.toFixed(1)}% of packets lost, jitter ${Math.round(quality.jitterMs)} ms.`
}

/** With 1 % of packets lost, 1 fax in 8 arrived over audio, and every one over T.38 (decision 82). */
const harmfulLossPercent = 0.5

/** What is to be done where too much is lost for audio; empty where it is not. */
function lossSentence(quality: Quality | undefined, end: StatusUpdate, { t38 }: LinePlan): string {
  if (!quality || quality.lossPercent < harmfulLossPercent || wayOf(end).isT38) return ''
  const remedy = t38 === 'off' ? 'Turn on T.38' : 'Ask the carrier for T.38'
  return `The network loses ${quality.lossPercent.toFixed(1)}% of packets, which cuts off most faxes over audio. ${remedy}, or find out where packets are lost.`
}

/** A page that came back over a network that loses too much was lucky. */
function resultOf(end: StatusUpdate, plan: LinePlan, quality: Quality | undefined): LineTestResult {
  const loss = lossSentence(quality, end, plan)
  return { passed: loss === '', verdict: loss === '' ? verdictOf(end, plan) : `${verdictOf(end, plan)} ${loss}` }
}

function verdictOf(end: StatusUpdate, { t38 }: LinePlan): string {
  const { isT38, speed } = wayOf(end)
  if (isT38) return `Your trunk carries T.38; faxes go as data at ${speed}.`
  return t38 === 'off'
    ? `Faxes go as audio at ${speed}, as you chose.`
    : `Your trunk refuses T.38; faxes go as audio at ${speed}.`
}
