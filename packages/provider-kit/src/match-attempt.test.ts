import { describe, expect, it } from 'vitest'
import { listFrom, matchAttempt } from './match-attempt.ts'

const at = new Date('2026-01-02T10:00:00Z')
const attempt = {
  to: '+15551234567',
  at,
  isKnown: (id: string) => Promise.resolve(id === 'ours'),
  hasRival: () => Promise.resolve(false),
}
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

  it('may stand in the list a minute before it began', () => {
    expect(listFrom(attempt)).toEqual(new Date('2026-01-02T09:59:00Z'))
  })
})
