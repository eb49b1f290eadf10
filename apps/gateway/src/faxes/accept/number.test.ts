import { describe, expect, it } from 'vitest'
import { readNumber, reverseDigits } from './number.ts'

describe('a typed number', () => {
  it.each([
    ['+1 (555) 555-0123', 'US', '+15555550123'],
    ['555 555 0123', 'US', '+15555550123'],
    ['15555550123', 'US', '+15555550123'],
    ['030 12345678', 'DE', '+493012345678'],
    ['0049 30 12345678', 'US', '+493012345678'],
    ['4930123456789', 'US', '+4930123456789'],
  ])('%s in %s is dialed as %s', (typed, country, dialed) => {
    expect(readNumber(typed, country)).toBe(dialed)
  })

  it.each(['12', '', 'call me', '+123', '1234567890123456', '+1555555012345678'])('%s is refused', (typed) => {
    expect(() => readNumber(typed, 'US')).toThrow('Please enter a valid phone number')
  })

  it('is found by its last digits', () => {
    expect(reverseDigits('+1 555 0123')).toBe('32105551')
  })
})
