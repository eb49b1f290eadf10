import { setTimeout as sleep } from 'node:timers/promises'
import { basicAuthorization } from '../http/ask.ts'

/** One attempt to deliver a callback to the gateway. */
export interface Delivery {
  url: string
  /** The gateway's answer; null when there was none. */
  status: number | null
}

interface CourierOptions {
  /** Minutes between its tries, as the provider documents them. */
  pauses: readonly number[]
  /** How long one of these minutes takes; a minute when left out. */
  minuteMs?: number | undefined
  /** What the provider takes for an acknowledgment; any 2xx when left out. */
  accepts?: (status: number) => boolean
}

/** What Phaxio and Sinch document of their callbacks: 16 more tries, after 5, 10, 20 and 30 minutes, then every 6 hours. */
export const sixteenPauses: readonly number[] = [5, 10, 20, 30, ...Array.from({ length: 12 }, () => 6 * 60)]

/** An address as a request may name it: credentials in it travel as Basic authentication, as providers do it. */
export function openAddress(address: string): { url: string; headers: Record<string, string> } {
  const url = new URL(address)
  const { username, password } = url
  if (username === '') return { url: address, headers: {} }
  url.username = ''
  url.password = ''
  const authorization = basicAuthorization(decodeURIComponent(username), decodeURIComponent(password))
  return { url: url.href, headers: { authorization } }
}

/** Carries callbacks to the gateway, and again while it does not acknowledge them. */
export class Courier {
  readonly deliveries: Delivery[] = []
  readonly #pauses: readonly number[]
  readonly #accepts: (status: number) => boolean
  readonly #closed = new AbortController()
  readonly #underWay = new Set<Promise<string | undefined>>()

  constructor({ pauses, minuteMs = 60_000, accepts = (status) => status >= 200 && status < 300 }: CourierOptions) {
    this.#pauses = pauses.map((minutes) => minutes * minuteMs)
    this.#accepts = accepts
  }

  /**
   * Posts to an address, whose credentials travel as Basic authentication. Resolves with the acknowledgment, or with
   * nothing when it is given up.
   * @param make writes the body and the headers anew for each try
   */
  post(
    address: string,
    make: () => { headers?: Record<string, string>; body: FormData | URLSearchParams | string },
  ): Promise<string | undefined> {
    const posting = this.#post(address, make).finally(() => this.#underWay.delete(posting))
    this.#underWay.add(posting)
    return posting
  }

  /** Gives up what is under way. */
  async close(): Promise<void> {
    this.#closed.abort()
    await Promise.all(this.#underWay)
  }

  async #post(address: string, make: Parameters<Courier['post']>[1]): Promise<string | undefined> {
    const { signal } = this.#closed
    const { url, headers: proof } = openAddress(address)
    for (const pause of [0, ...this.#pauses]) {
      await sleep(pause, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return undefined
      const { headers, body } = make()
      const init = { method: 'POST', headers: { ...proof, ...headers }, body, signal, redirect: 'manual' } as const
      const answer = await fetch(url, init).then(
        async (response) => ({ status: response.status, said: await response.text() }),
        () => null,
      )
      this.deliveries.push({ url, status: answer?.status ?? null })
      if (answer && this.#accepts(answer.status)) return answer.said
    }
    return undefined
  }
}
