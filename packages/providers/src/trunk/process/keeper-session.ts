import { setTimeout as sleep } from 'node:timers/promises'
import { type AmiSession, openAmi } from '../../sip/ami-session.ts'
import type { AmiMessage } from '../../sip/ami-frames.ts'
import { keeper, type ManagerAccess } from '../config/engine-conf.ts'
import type { LinePlan } from '../plan.ts'

type Headers = readonly (readonly [name: string, value: string])[]

const answerWithinMs = 5000
const readyWithinMs = 20_000

/** What is known of a trunk's way to its carrier. */
export interface TrunkState {
  name: string
  /** In Asterisk's word: Registered, Unregistered, Rejected, Stopped; null where the trunk does not register. */
  registration: string | null
  /** Whether the carrier answered the last OPTIONS; null before the first, and of one that never answers any. */
  reachable: boolean | null
  roundTripMs: number | null
}

/** A call that is up on a trunk, in either direction. */
export interface TrunkCall {
  trunk: string
  /** Asterisk's id of its channel. */
  id: string
}

/** A signed-in talk with the Asterisk that is looked after. */
export class KeeperSession {
  readonly ended: Promise<void>
  readonly #session: AmiSession
  readonly #received: AmiMessage[]
  #work: Promise<unknown> = Promise.resolve()

  private constructor(session: AmiSession, received: AmiMessage[]) {
    this.#session = session
    this.#received = received
    this.ended = session.ended
  }

  /** @throws {ProviderProblem} when it does not answer, or does not know us */
  static async open(access: ManagerAccess, signal: AbortSignal): Promise<KeeperSession> {
    const received: AmiMessage[] = []
    const session = await openAmi(
      amiSettings(access.port, keeper, access.keeperPassword),
      signal,
      (event) => void received.push(event),
    )
    return new KeeperSession(session, received)
  }

  end(): void {
    this.#session.end()
  }

  command = (text: string): Promise<AmiMessage> => this.#ask('Command', [['Command', text]])

  /** Has Asterisk read its configuration anew. It would register again only when that is due, with an older password till then. */
  async reload({ trunks }: Pick<LinePlan, 'trunks'>): Promise<void> {
    await this.command('core reload')
    for (const { name, signIn } of trunks) if (signIn === 'register') await this.command(registerNow(name))
  }

  /** The calls that are up, those that somebody else began among them. */
  async calls(): Promise<TrunkCall[]> {
    const channels = await this.#list('CoreShowChannels', [], 'CoreShowChannel')
    return channels.flatMap((channel) => {
      const trunk = /^PJSIP\/(.+)-[0-9a-f]+$/.exec(channel.get('channel') ?? '')?.[1]
      return trunk === undefined ? [] : [{ trunk, id: channel.get('uniqueid') ?? '' }]
    })
  }

  /** Asks every carrier for a sign of life now; the answers are seen in `states`. */
  async qualify(name: string): Promise<void> {
    await this.#ask('PJSIPQualify', [['Endpoint', name]])
  }

  async states(names: readonly string[]): Promise<TrunkState[]> {
    const registrations = await this.#list('PJSIPShowRegistrationsOutbound', [], 'OutboundRegistrationDetail')
    const states: TrunkState[] = []
    for (const name of names) {
      const [contact] = await this.#list('PJSIPShowEndpoint', [['Endpoint', name]], 'ContactStatusDetail')
      const registration = registrations.find((each) => each.get('objectname') === `${name}-registration`)
      const status = contact?.get('status') ?? ''
      const usec = Number(contact?.get('roundtripusec') ?? 0)
      states.push({
        name,
        registration: registration?.get('status') ?? null,
        reachable: /^(reachable|avail)/i.test(status) ? true : /^(unreach|unavail)/i.test(status) ? false : null,
        roundTripMs: usec > 0 ? usec / 1000 : null,
      })
    }
    return states
  }

  /** The events that an action answers with. An empty list is answered as an error, and is one. */
  async #list(action: string, headers: Headers, event: string): Promise<AmiMessage[]> {
    return this.#inTurn(async () => {
      this.#received.length = 0
      const signal = AbortSignal.timeout(answerWithinMs)
      const answer = await this.#session.ask(action, headers, signal)
      if (answer.get('response') !== 'Success') return []
      // The answer to the next action comes after the last event of the list.
      await this.#session.ask('Ping', [], signal)
      return this.#received.filter((each) => each.get('event') === event)
    })
  }

  #ask(action: string, headers: Headers): Promise<AmiMessage> {
    return this.#inTurn(() => this.#session.ask(action, headers, AbortSignal.timeout(answerWithinMs)))
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#work.then(work, work)
    this.#work = done.catch(() => undefined)
    return done
  }
}

/** The command by which a trunk registers at once. */
export const registerNow = (name: string): string => `pjsip send register ${name}-registration`

/**
 * Signs in at an Asterisk that has just been started, or was found.
 * @param ended resolves when it has
 * @returns undefined when it ends, or does not answer for long, or the work is given up
 */
export async function signInWhenUp(
  access: ManagerAccess,
  ended: Promise<void>,
  goesOn = () => true,
): Promise<KeeperSession | undefined> {
  const seen = { isOver: false }
  void ended.then(() => (seen.isOver = true))
  const until = performance.now() + readyWithinMs
  while (!seen.isOver && goesOn() && performance.now() < until) {
    const session = await KeeperSession.open(access, AbortSignal.timeout(2000)).catch(() => undefined)
    // The manager answers before everything is loaded.
    if (session) {
      await session.command('core waitfullybooted')
      return session
    }
    await sleep(100)
  }
  return undefined
}

/** Where and as whom to sign in, in the words of the provider for an Asterisk of one's own. */
export const amiSettings = (port: number, user: string, password: string) => ({
  ami_host: '127.0.0.1',
  ami_port: port,
  ami_username: user,
  ami_password: password,
})
