import { describe, expect, it } from 'vitest'
import { boundedRecord, type CallRecord, mergeRecords } from './call-record.ts'
import { CallLog } from './telephone/call-log.ts'

const at = (second: number) => new Date(Date.UTC(2026, 10, 23, 9, 0, second)).toISOString()

describe('what a switch hands over of a call', () => {
  it('is kept within bounds, whatever stands in it', () => {
    const record = boundedRecord({
      station: `\u001b[31m\u202e+1 555${'9'.repeat(500)}\r\nX: y`,
      codec: '\u0000\u0001',
      sip: '486 Busy\nHere',
      speeds: Array.from({ length: 5000 }, (_, index) => ({ bps: index % 2 === 0 ? 9600 : -1, after_page: index })),
      steps: Array.from({ length: 5000 }, (_, index) => ({ step: 'page' as const, at: at(1), page: index + 1 })),
      bad_rows: Number.NaN,
      pages: -3,
      cause: 999,
      jitter_ms: Infinity,
    })
    expect(record?.station).toHaveLength(60)
    expect(record?.station).toMatch(/^\[31m\+1 5559+$/)
    expect(Object.keys(record ?? {}).toSorted()).toEqual(['sip', 'speeds', 'station', 'steps'])
    expect(record?.speeds).toHaveLength(20)
    expect(record?.steps).toHaveLength(60)
    expect(record?.steps?.at(-1)?.page).toBe(5000)
    expect(JSON.stringify(record).length).toBeLessThan(8000)
  })

  it('is nothing when nothing of it can be used', () => {
    const junk = { transport: 'carrier pigeon', ecm: 'on', steps: [{ step: 'flown', at: 'never' }] } as unknown
    expect(boundedRecord(junk as CallRecord)).toBeUndefined()
    expect(boundedRecord({})).toBeUndefined()
  })
})

describe('two reports of one call', () => {
  it('are one: times that were seen stay, the speed at the end counts once', () => {
    const seen: CallRecord = {
      speeds: [
        { bps: 14_400, after_page: 0 },
        { bps: 9600, after_page: 2 },
      ],
      steps: [
        { step: 'answered', at: at(4) },
        { step: 'page', page: 1, at: at(30) },
      ],
    }
    const reported: CallRecord = {
      speeds: [{ bps: 9600 }],
      cause: 16,
      // Whole seconds of the switch's clock.
      steps: [
        { step: 'answered', at: at(3) },
        { step: 'ended', at: at(29) },
      ],
    }
    expect(mergeRecords(seen, reported)).toEqual({
      speeds: seen.speeds,
      cause: 16,
      steps: [...(seen.steps ?? []), { step: 'ended', at: at(30) }],
    })
    expect(mergeRecords(mergeRecords(seen, reported), reported)).toEqual(mergeRecords(seen, reported))
  })
})

describe('the log of calls that are up', () => {
  it('forgets the oldest of more calls than it holds, and shows none that has been silent for an hour', () => {
    let now = Date.UTC(2026, 10, 23)
    const log = new CallLog(() => new Date(now))
    for (let call = 0; call < 1500; call += 1) log.step(`call-${call}`, 'dialed')
    expect(log.live()).toHaveLength(1000)
    expect(log.has('call-0')).toBe(false)
    log.end('call-1499')
    expect(log.live()).toHaveLength(999)
    now += 2 * 3_600_000
    log.step('call-1400', 'answered')
    expect(log.live().map(({ id }) => id)).toEqual(['call-1400'])
  })
})
