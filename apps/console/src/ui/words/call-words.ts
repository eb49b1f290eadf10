import type { Job } from '@faxdeck/contract'
import { grouped } from './figures.ts'

export type CallRecord = NonNullable<Job['attempts'][number]['call']>
type Step = NonNullable<CallRecord['steps']>[number]

/** "14,400 → 9,600 bit/s after page 2"; undefined when no speed is known. */
export function speedWords({ speeds = [] }: CallRecord): string | undefined {
  if (speeds.length === 0) return undefined
  return speeds
    .map(({ bps, after_page: page }, index) => {
      const unit = index === speeds.length - 1 ? ' bit/s' : ''
      if (index === 0 || page === undefined) return grouped(bps) + unit
      return `${grouped(bps)}${unit}${page === 0 ? ' during page 1' : ` after page ${page}`}`
    })
    .join(' → ')
}

/** What Asterisk and FreeSWITCH call the two codecs that carry a fax. Their hyphen does not break: columns are narrow. */
const codecs: Readonly<Record<string, string>> = {
  ulaw: 'G.711 μ\u2011law',
  pcmu: 'G.711 μ\u2011law',
  alaw: 'G.711 A\u2011law',
  pcma: 'G.711 A\u2011law',
}

function transportWords({ transport, codec }: CallRecord): string | undefined {
  const name = codec === undefined ? undefined : (codecs[codec.toLowerCase()] ?? codec)
  if (transport === 't38') return 'T.38'
  if (transport === undefined) return name
  return name === undefined ? 'Audio' : `Audio (${name})`
}

/** ITU-T Q.850, as far as people meet it. */
const causes: Readonly<Record<number, string>> = {
  1: 'no such number',
  16: 'normal',
  17: 'busy',
  18: 'no answer',
  19: 'no answer',
  21: 'rejected',
  27: 'destination out of order',
  28: 'incomplete number',
  34: 'no free line',
  38: 'network out of order',
}

const causeWords = (cause: number) => [cause, causes[cause]].filter(Boolean).join(', ')

/** What a call did, as rows of name and value. What the engine did not report has no row. */
export function callFacts(call: CallRecord): { name: string; value: string }[] {
  const { ecm, bad_rows: bad, pages, cause, sip, jitter_ms: jitter, lost_packets: lost, station } = call
  const rows: [string, string | undefined][] = [
    ['Speed', speedWords(call)],
    ['Transport', transportWords(call)],
    ['Error correction', ecm === undefined ? undefined : ecm ? 'On (ECM)' : 'Off'],
    ['Station ID', station],
    ['Pages confirmed', pages === undefined ? undefined : grouped(pages)],
    ['Damaged rows', bad === undefined ? undefined : grouped(bad)],
    ['Jitter', jitter === undefined ? undefined : `${jitter} ms`],
    ['Lost packets', lost === undefined ? undefined : grouped(lost)],
    ['SIP response', sip],
    ['Hang-up cause', cause === undefined ? undefined : causeWords(cause)],
  ]
  return rows.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [{ name, value }]))
}

/** A part of a call between two of its steps. */
export interface CallPart {
  name: string
  seconds: number
  kind: 'waiting' | 'talking' | 'page' | 'closing'
}

function partOf(step: Step, before: Step): Pick<CallPart, 'name' | 'kind'> {
  if (step.step === 'answered') return { name: 'Ringing', kind: 'waiting' }
  if (step.step === 'agreed') return { name: 'Negotiating', kind: 'talking' }
  if (step.step === 'page') {
    const first = (before.page ?? 0) + 1
    const last = step.page ?? first
    return { name: first < last ? `Pages ${first} to ${last}` : `Page ${last}`, kind: 'page' }
  }
  if (before.step === 'dialed') return { name: 'Ringing', kind: 'waiting' }
  if (before.step === 'answered') return { name: 'Negotiating', kind: 'talking' }
  if (before.step === 'agreed') return { name: 'Unfinished page', kind: 'closing' }
  return { name: 'Closing', kind: 'closing' }
}

/** The parts of a call in order, as far as its steps are known. */
export function callParts({ steps = [] }: CallRecord): CallPart[] {
  return steps.slice(1).flatMap((step, index) => {
    const before = steps[index]
    if (!before) return []
    const seconds = Math.max(0, Date.parse(step.at) - Date.parse(before.at)) / 1000
    return [{ ...partOf(step, before), seconds }]
  })
}

/** "1:05", "12 s". */
export function lengthWords(seconds: number): string {
  const whole = Math.round(seconds)
  if (whole < 60) return seconds > 0 && whole === 0 ? 'under 1 s' : `${whole} s`
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')} min`
}
