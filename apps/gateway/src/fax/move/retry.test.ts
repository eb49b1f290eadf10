import { describe, expect, it } from 'vitest'
import { nextTry } from './retry.ts'

const settings = {
  retry_busy_times: 3,
  retry_busy_minutes: 3,
  retry_no_answer_times: 2,
  retry_no_answer_minutes: 5,
  retry_line_error_times: 2,
  retry_line_error_minutes: 2,
  retry_unreachable_first_seconds: 30,
  retry_unreachable_longest_seconds: 3600,
  retry_unreachable_hours: 24,
} as never
const submittedAt = new Date('2026-03-01T12:00:00Z')
const late = () => 1

describe('a failed fax', () => {
  it.each([
    ['busy', 3, 180],
    ['no_answer', 2, 300],
    ['line_error', 2, 120],
  ] as const)('of the kind %s is tried again %i times, every %i seconds', (kind, max, seconds) => {
    const at = (times: number) => nextTry({ kind, times, submittedAt }, settings, submittedAt)
    expect(at(1)).toEqual({ at: new Date(submittedAt.getTime() + seconds * 1000), left: max })
    expect(at(max)).toMatchObject({ left: 1 })
    expect(at(max + 1)).toBeUndefined()
  })

  it.each(['unreachable', 'rate_limited'] as const)('of the kind %s waits longer and longer, for a day', (kind) => {
    const wait = (times: number, now = submittedAt) => {
      const next = nextTry({ kind, times, submittedAt }, settings, now, late)
      return next && (next.at.getTime() - now.getTime()) / 1000
    }
    expect([wait(1), wait(2), wait(3), wait(20)]).toEqual([30, 60, 120, 3600])
    expect(wait(30, new Date('2026-03-02T11:30:00Z'))).toBeUndefined()
  })

  it('waits as long as the provider asks, and with jitter otherwise', () => {
    const asked = nextTry(
      { kind: 'rate_limited', times: 1, submittedAt, retryAfterSeconds: 900 },
      settings,
      submittedAt,
    )
    expect(asked?.at).toEqual(new Date('2026-03-01T12:15:00Z'))
    const early = nextTry({ kind: 'unreachable', times: 1, submittedAt }, settings, submittedAt, () => 0)
    expect(early?.at).toEqual(new Date('2026-03-01T12:00:22.500Z'))
  })

  it('waits however long where the line puts it off for a reason of its own', () => {
    const quiet = { kind: 'rate_limited', times: 1, submittedAt, retryAfterSeconds: 8 * 3600 } as const
    const now = new Date('2026-03-02T22:00:00Z')
    expect(nextTry(quiet, settings, now)).toBeUndefined()
    expect(nextTry({ ...quiet, putOff: true }, settings, now)?.at).toEqual(new Date('2026-03-03T06:00:00Z'))
  })

  it('of an account that the carrier refuses are tried again less and less, for as long as a provider that is away', () => {
    const refused = { kind: 'bad_credentials', submittedAt, byCarrier: true } as const
    const waits = [1, 2, 3].map((times) => nextTry({ ...refused, times }, settings, submittedAt, () => 1))
    expect(waits.map((next) => (next ? (next.at.getTime() - submittedAt.getTime()) / 1000 : null))).toEqual([
      30, 60, 120,
    ])
    const late = new Date(submittedAt.getTime() + 25 * 3_600_000)
    expect(nextTry({ ...refused, times: 20 }, settings, late)).toBeUndefined()
  })

  it.each(['rejected', 'bad_number', 'bad_credentials', 'bad_document', 'partial', 'uncertain', 'cancelled'] as const)(
    'of the kind %s is never tried again by itself',
    (kind) => {
      expect(nextTry({ kind, times: 1, submittedAt }, settings, submittedAt)).toBeUndefined()
    },
  )
})
