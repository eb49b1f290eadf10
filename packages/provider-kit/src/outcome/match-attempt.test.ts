import { describe, expect, it } from 'vitest'
import { listFrom, matchAttempt } from './match-attempt.ts'
import { handedOver } from '../testing/made-host.ts'

const at = new Date('2026-01-02T10:00:00Z')
const attempt = handedOver('+15551234567', { at, isKnown: (id) => Promise.resolve(id === 'ours') })
const fax = (providerId: string, seconds: number, to = '+15551234567') => ({
  providerId,
  to,
  createdAt: new Date(at.getTime() + seconds * 1000),
})

describe('an attempt among listed faxes', () => {
  it('is the only one to its number at its time that is not another attempt', async () => {
    const listed = [fax('ours', 1), fax('it', 2, '15551234567'), fax('other', 2, '+15559999999'), fax('late', 400)]
    expect(await matchAttempt([...listed, fax('early', -90)], attempt)).toBe('it')
  })

  it('is not guessed among two', async () => {
    expect(await matchAttempt([fax('a', 1), fax('b', 2)], attempt)).toBeUndefined()
    expect(await matchAttempt([], attempt)).toBeUndefined()
    expect(await matchAttempt([fax('a', 1)], { ...attempt, hasRival: () => Promise.resolve(true) })).toBeUndefined()
  })

  it('is not guessed while the list may not show it yet', async () => {
    for (const overForMs of [() => undefined, () => 4 * 60_000])
      expect(await matchAttempt([fax('it', 2)], { ...attempt, overForMs })).toBeUndefined()
  })

  it('is sought by the clock of the provider where that was known', async () => {
    const begunAfter = new Date(at.getTime() - 400_000)
    expect(await matchAttempt([fax('it', -398), fax('other', 2)], { ...attempt, begunAfter })).toBe('it')
  })

  it('is listed from well before any clock that may be right', () => {
    const days = (days: number) => new Date(at.getTime() + days * 86_400_000)
    expect(listFrom(attempt)).toEqual(days(-30))
    expect(listFrom({ ...attempt, begunAfter: days(-2) })).toEqual(days(-32))
    expect(listFrom({ ...attempt, overBy: days(-1) })).toEqual(days(-31))
  })
})
