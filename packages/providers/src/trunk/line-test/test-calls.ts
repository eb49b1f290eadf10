import { randomInt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Host, IncomingFax, StatusUpdate } from '@faxdeck/provider-kit'
import type { AmiMessage } from '../../sip/ami-frames.ts'

/** What Asterisk counted of the audio of a call. */
export interface Quality {
  lossPercent: number
  jitterMs: number
}

/** A test call under way. */
export interface TestCall {
  attemptId: string
  /** What it calls itself to the other machine, by which it is known again when it comes in. */
  station: string
  ended: Promise<StatusUpdate>
  arrived: Promise<Uint8Array>
  quality: Quality | undefined
}

interface OpenCall extends TestCall {
  end: (update: StatusUpdate) => void
  arrive: (tiff: Uint8Array) => void
}

const prefix = 'linetest'

/** Stands between line and gateway: the calls of a test are nobody's faxes, and neither their ends nor their pages go further. */
export class TestCalls {
  readonly #host: Pick<Host, 'report' | 'receive'>
  readonly #open = new Map<string, OpenCall>()

  constructor(host: Pick<Host, 'report' | 'receive'>) {
    this.#host = host
  }

  begin(): TestCall {
    const number = String(randomInt(1_000_000_000, 9_999_999_999))
    const ended = Promise.withResolvers<StatusUpdate>()
    const arrived = Promise.withResolvers<Uint8Array>()
    const call: OpenCall = {
      attemptId: `${prefix}${number}`,
      station: `TEST ${number}`,
      ended: ended.promise,
      arrived: arrived.promise,
      quality: undefined,
      end: ended.resolve,
      arrive: arrived.resolve,
    }
    this.#open.set(call.attemptId, call)
    return call
  }

  find = (attemptId: string): TestCall | undefined => this.#open.get(attemptId)

  forget(call: TestCall): void {
    this.#open.delete(call.attemptId)
  }

  report = async (update: StatusUpdate): Promise<void> => {
    if (update.attemptId?.startsWith(prefix) !== true) return this.#host.report(update)
    if (update.state === 'delivered' || update.state === 'failed') this.#open.get(update.attemptId)?.end(update)
  }

  receive = async (fax: IncomingFax): Promise<boolean> => {
    const call = this.#callOf(fax)
    if (!call) return this.#host.receive(fax)
    if (fax.document && 'path' in fax.document) call.arrive(await readFile(fax.document.path))
    return true
  }

  /** Receives every event of Asterisk: the note of a sent fax says what the way was like. */
  onEvent(event: AmiMessage): void {
    if (event.get('userevent') !== 'FaxdeckSent') return
    const noted = new URLSearchParams(event.get('result') ?? '')
    const call = this.#open.get(noted.get('attempt') ?? '')
    if (call) call.quality = readQuality(noted.get('rtp') ?? '')
  }

  #callOf({ call }: IncomingFax): OpenCall | undefined {
    return [...this.#open.values()].find(({ station }) => call?.station === station)
  }
}

/** Reads `CHANNEL(rtcp,all)`: of both directions, the one that lost more. Undefined where no audio was counted. */
export function readQuality(text: string): Quality | undefined {
  const values = new Map(text.split(';').map((part) => part.split('=', 2) as [string, string]))
  const count = (name: string) => Number(values.get(name) ?? 0) || 0
  const [lost, received] = [count('lp'), count('rxcount')]
  if (received === 0) return undefined
  // What the other side says it did not get, as its last report has it.
  const there = count('txcount') === 0 ? 0 : count('rlp') / count('txcount')
  return { lossPercent: 100 * Math.max(lost / (lost + received), there), jitterMs: 1000 * count('rxjitter') }
}
