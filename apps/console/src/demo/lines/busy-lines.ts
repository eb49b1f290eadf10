import type { CallReport, Lines, RememberedNumber } from '@faxdeck/contract'
import { instantOf, type World } from '../world.ts'

const hour = 3_600_000
const day = 24 * hour

/** A number as the report shows it. */
function numberAs(world: World, number: string, fields: Partial<CallReport['numbers'][number]> = {}) {
  const plain = { direction: 'sent', calls: 12, complete: 12, broke_off: 0, not_reached: 0, slowed: 0 } as const
  return { number, ...plain, slowest: 14_400, last_at: instantOf(world.now() - 2 * hour), trouble: null, ...fields }
}

const past = (world: World) => (ago: number) => instantOf(world.now() - ago)

function report(world: World): CallReport {
  const at = past(world)
  return {
    calls: 1000,
    since: at(9 * day),
    complete: 941,
    broke_off: 23,
    not_reached: 36,
    slowed: 58,
    over_t38: 612,
    over_audio: 352,
    numbers: [
      numberAs(world, '********0177', { calls: 9, complete: 4, broke_off: 5, trouble: '5 of 9 calls were cut off.' }),
      numberAs(world, '********0152', {
        calls: 21,
        complete: 20,
        broke_off: 1,
        slowed: 14,
        slowest: 4800,
        trouble: '14 of 21 calls slowed down, to 4,800 bit/s at worst.',
      }),
      numberAs(world, '********0110', { not_reached: 3, complete: 9 }),
      numberAs(world, '********0123', { direction: 'received', slowest: 9600 }),
      numberAs(world, '********0199', { calls: 1, complete: 0, not_reached: 1, slowest: null }),
    ],
  }
}

function linesNow(world: World, job: string, backend: string): Lines {
  const at = past(world)
  return {
    channels: [
      {
        backend,
        direction: 'sent',
        job_id: job,
        number: '********0177',
        phase: 'page',
        page: 2,
        pages: 3,
        speed: 9600,
        since: at(64_000),
        phase_since: at(21_000),
      },
      {
        backend,
        direction: 'received',
        job_id: null,
        number: '********0110',
        phase: 'negotiating',
        page: null,
        pages: null,
        speed: null,
        since: at(4000),
        phase_since: at(4000),
      },
    ],
    use: [
      {
        backend,
        calls: 4118,
        peak: 9,
        peak_at: at(6 * day),
        allowed: 8,
        hours: [{ hour: at(6 * day), calls: 96, busy_seconds: 16_056, peak: 9 }],
        enough: 10,
        basis:
          'With 10 lines, 1 call in 100 finds none free (Erlang B). In the busiest hour of the last 4 weeks, 4.5 lines were busy on average; 4,118 calls were counted. Faxes that you send wait for a line, received ones hear a busy tone.',
      },
    ],
  }
}

function numbers(world: World, backend: string): RememberedNumber[] {
  const at = past(world)
  return [
    { transport: 'audio', speed: 9600, ecm: true } as const,
    { transport: 't38', speed: 14_400, ecm: true } as const,
  ].map((options, index) => ({
    id: world.nextId(),
    number: index === 0 ? '********0152' : '********0110',
    backend,
    options,
    learned_at: at((index + 2) * day),
    expires_at: at((index + 2 - 30) * day),
  }))
}

/** Four weeks of calls through a switch of our own, two calls of which are up. */
export function addLines(world: World, job: string, backend = 'sip'): void {
  world.lines = { report: report(world), lines: linesNow(world, job, backend), numbers: numbers(world, backend) }
}
