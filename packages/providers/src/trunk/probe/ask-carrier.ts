import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { reasonOf } from '@faxdeck/provider-kit'
import { hostName, serverUri, uriUser } from '../config/pjsip-conf.ts'
import type { Trunk } from '../more-trunks.ts'
import type { LinePlan } from '../plan.ts'
import { answerTo, type Challenge, readChallenge } from './digest.ts'
import { openSip, type SipSocket } from './sip-socket.ts'

/** What a carrier said when it was asked about a trunk. */
export type CarrierAnswer =
  { kind: 'accepted' | 'refused' | 'other'; status: string; ms: number } | { kind: 'silent'; reason: string }

/** RFC 3261, timer E: a request over UDP is sent again after this many milliseconds. */
const againAfterMs = [500, 1000, 2000]
/** The first asks for the challenge, the second answers it, the third answers one whose nonce was old. */
const maxRounds = 3

interface Answer {
  code: number
  status: string
  challenges: Challenge[]
}

/** Reads a response to the request of this call and number; undefined for anything else. */
function readAnswer(text: string, callId: string, cseq: number): Answer | undefined {
  const [, code = '', phrase = ''] = /^SIP\/2\.0 (\d{3}) ([^\r\n]*)/.exec(text) ?? []
  const header = (pattern: string) => [...text.matchAll(new RegExp(`^(?:${pattern})\\s*:\\s*(.*?)\\s*$`, 'gim'))]
  const isOurs = header('call-id|i')[0]?.[1] === callId && header('cseq')[0]?.[1]?.startsWith(`${cseq} `) === true
  if (!isOurs || Number(code) < 200) return undefined
  const schemes = ['WWW-Authenticate', 'Proxy-Authenticate'] as const
  const challenges = schemes.flatMap((scheme) =>
    header(scheme).flatMap(([, value = '']) => readChallenge(scheme, value) ?? []),
  )
  return { code: Number(code), status: `${code} ${phrase}`.trim(), challenges }
}

type Method = 'REGISTER' | 'OPTIONS'

/** One talk with the carrier's server. */
class Talk {
  readonly #method: Method
  readonly #trunk: Trunk
  readonly #plan: LinePlan
  readonly #callId = randomBytes(12).toString('hex')
  readonly #tag = randomBytes(6).toString('hex')
  #cseq = 0
  #waiting = Promise.withResolvers<Answer>()

  constructor(method: Method, trunk: Trunk, plan: LinePlan) {
    this.#method = method
    this.#trunk = trunk
    this.#plan = plan
  }

  onMessage = (text: string): void => {
    const answer = readAnswer(text, this.#callId, this.#cseq)
    if (answer) this.#waiting.resolve(answer)
  }

  onError = (error: Error): void => this.#waiting.reject(error)

  /** @throws {Error} when nobody answers in time, or nobody can */
  async ask(socket: SipSocket, signal: AbortSignal, challenge?: Challenge): Promise<Answer> {
    this.#cseq += 1
    this.#waiting = Promise.withResolvers()
    const { promise } = this.#waiting
    const giveUp = () => this.onError(signal.reason as Error)
    signal.addEventListener('abort', giveUp, { once: true })
    const text = this.#request(socket, challenge)
    const done = new AbortController()
    void this.#sendAgain(socket, text, done.signal)
    return promise.finally(() => {
      done.abort()
      signal.removeEventListener('abort', giveUp)
    })
  }

  async #sendAgain(socket: SipSocket, text: string, done: AbortSignal): Promise<void> {
    socket.send(text)
    for (const pause of socket.isLossy ? againAfterMs : []) {
      await sleep(pause, undefined, { signal: done, ref: false }).catch(() => undefined)
      if (done.aborted) return
      socket.send(text)
    }
  }

  /** A REGISTER without a Contact only asks which there are (RFC 3261, 10.2.3): no call is led elsewhere by it. */
  #request({ local }: SipSocket, challenge: Challenge | undefined): string {
    const { host, user, password } = this.#trunk
    const uri = serverUri(host, this.#plan.transport)
    const ours = `<sip:${user === null ? 'faxdeck' : uriUser(user)}@${hostName(host)}>`
    const account = { user: user ?? '', password: password ?? '', method: this.#method, uri }
    const lines = [
      `${this.#method} ${uri} SIP/2.0`,
      `Via: SIP/2.0/${this.#plan.transport.toUpperCase()} ${local};branch=z9hG4bK${randomBytes(8).toString('hex')};rport`,
      'Max-Forwards: 70',
      `From: ${ours};tag=${this.#tag}`,
      `To: ${ours}`,
      `Call-ID: ${this.#callId}`,
      `CSeq: ${this.#cseq} ${this.#method}`,
      ...(challenge ? [answerTo(challenge, account)] : []),
      ...(this.#method === 'OPTIONS' ? [`Contact: <sip:${local}>`, 'Accept: application/sdp'] : []),
      'User-Agent: Faxdeck',
      'Content-Length: 0',
    ]
    return `${lines.join('\r\n')}\r\n\r\n`
  }
}

/** Registrars say so of a user they do not know, or of a password that is wrong. */
const refusals = [401, 403, 404, 407]
const isChallenge = (code: number) => code === 401 || code === 407

async function converse(
  talk: Talk,
  socket: SipSocket,
  signal: AbortSignal,
): Promise<Omit<Answer, 'challenges'> & { isProven: boolean }> {
  let challenge: Challenge | undefined
  for (let round = 1; ; round++) {
    const { code, status, challenges } = await talk.ask(socket, signal, challenge)
    const [next] = challenges
    const goesOn = isChallenge(code) && next && (!challenge || next.isStale) && round < maxRounds
    if (!goesOn) return { code, status, isProven: challenge !== undefined }
    challenge = next
  }
}

/**
 * Asks the carrier of a trunk over SIP, without an Asterisk: with `REGISTER` whether it takes user and password, with
 * `OPTIONS` whether it is there at all. Nothing changes at the carrier.
 */
export async function askCarrier(
  method: Method,
  trunk: Trunk,
  plan: LinePlan,
  signal: AbortSignal,
): Promise<CarrierAnswer> {
  const begun = performance.now()
  const talk = new Talk(method, trunk, plan)
  let socket: SipSocket | undefined
  try {
    socket = await openSip(trunk.host, plan, signal, talk)
    const { code, status, isProven } = await converse(talk, socket, signal)
    const ms = performance.now() - begun
    if (code < 300) return { kind: 'accepted', status, ms }
    return { kind: refusals.includes(code) && (isProven || !isChallenge(code)) ? 'refused' : 'other', status, ms }
  } catch (error) {
    return { kind: 'silent', reason: reasonOf(error, signal) }
  } finally {
    socket?.end()
  }
}
