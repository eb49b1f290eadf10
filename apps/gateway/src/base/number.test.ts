import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readNumber, reverseDigits, spellNumber } from './number.ts'
import { unlikelyReason } from '../fax/accept/unlikely.ts'

/**
 * Written by another implementation, Google's google-libphonenumber 3.2: for 20 countries three of its example numbers,
 * each nationally, internationally, with the international prefix of the country, with a trunk zero or an area code in
 * parentheses, and with dots, hyphens or spaces. Country, what is typed there, E.164.
 */
const table = JSON.parse(readFileSync(new URL('fixtures/numbers.json', import.meta.url), 'utf8')) as [
  country: string,
  typed: string,
  number: string,
][]

describe('the table of 20 countries', () => {
  it('has 300 numbers', () => {
    expect([table.length, new Set(table.map(([country]) => country)).size]).toEqual([300, 20])
  })

  it('is read as the other implementation reads it, and nobody is asked about any', () => {
    const read = table.map(([country, typed]) => [country, typed, readNumber(typed, country)])
    expect(read).toEqual(table)
    expect(table.filter(([country, , number]) => unlikelyReason(number, country) !== undefined)).toEqual([])
  })

  it('is read alike wherever it says its country', () => {
    for (const [, typed, number] of table) if (typed.startsWith('+')) expect(readNumber(typed, 'US')).toBe(number)
  })

  it('stays as it is when it is read again', () => {
    for (const [country, , number] of table) expect(readNumber(number, country)).toBe(number)
  })
})

describe('a typed number', () => {
  it.each([
    ['+1 (555) 555-0123', 'US', '+15555550123'],
    ['555 555 0123', 'US', '+15555550123'],
    ['15555550123', 'US', '+15555550123'],
    ['030 12345678', 'DE', '+493012345678'],
    ['0049 30 12345678', 'US', '+493012345678'],
    ['0049 30 12345678', 'JP', '+493012345678'],
    ['4930123456789', 'US', '+4930123456789'],
    ['4930123456789', 'DE', '+4930123456789'],
    ['011441632960000', 'US', '+441632960000'],
    ['+49 (0)30 123456', 'US', '+4930123456'],
    ['+49030123456', 'US', '+4930123456'],
    ['+39 02 1234 5678', 'US', '+390212345678'],
    ['+44\u00a020\u20117946/0958', 'US', '+442079460958'],
    ['5555550123', 'no country', '+15555550123'],
  ])('%s in %s is dialed as %s', (typed, country, dialed) => {
    expect(readNumber(typed, country)).toBe(dialed)
  })

  it.each(['12', '', 'call me', '+123', '1234567890123456', '+1555555012345678'])('%s is refused', (typed) => {
    expect(() => readNumber(typed, 'US')).toThrow(
      'Please enter a valid phone number: 10 to 15 digits, or + and a country code.',
    )
  })

  it.each([
    ['+11144163296000', 'US', 'too many digits for country code +1'],
    ['+1 234 567 890', 'US', 'too few digits for country code +1'],
    ['+999 123 456 789', 'US', 'no such country code'],
    ['01930123456', 'US', 'do not begin with 0'],
    ['02079460958', 'US', 'do not begin with 0'],
    ['15123456789', 'DE', 'two countries'],
  ])('%s in %s is refused: %s', (typed, country, why) => {
    expect(() => readNumber(typed, country)).toThrow(why)
  })

  it.each(['555 555 0123 ext. 5', '+15555550123x12', '+1 555 555 0123 #5', '5555550123;ext=5', '5555550123,,5'])(
    'with an extension is refused: %s',
    (typed) => {
      expect(() => readNumber(typed, 'US')).toThrow('leave out the extension')
    },
  )

  it('is found by its last digits', () => {
    expect(reverseDigits('+1 555 0123')).toBe('32105551')
  })
})

describe('an unlikely number', () => {
  it.each([
    ['+11930123456', 'US', 'There is no area code 193 in the US.'],
    ['+11930123456', 'DE', 'There is no area code 193 in the US.'],
    ['+11930123456', 'CA', 'There is no area code 193 in Canada.'],
    ['+12120551234', 'US', 'No known number in the US looks like this one.'],
    ['+441632960000', 'US', 'No known number in the UK looks like this one.'],
    ['+1234567890', 'US', 'Numbers in the US have 10 digits after +1.'],
    ['+491', 'US', undefined],
    ['+12125550123', 'US', undefined],
    ['+15555550123', 'US', undefined],
    ['+15551234567', 'DE', undefined],
  ])('%s, seen from %s: %s', (number, country, reason) => {
    expect(unlikelyReason(number, country)).toBe(reason)
  })
})

describe('a number that another machine wrote', () => {
  it.each([
    ['00447911123456', 'US', '+447911123456'],
    ['5550000002', 'US', '+15550000002'],
    ['+15550000002', 'US', '+15550000002'],
    ['15550020001', 'US', '+15550020001'],
    ['+15550020001', 'US', '+15550020001'],
    ['4930123456', 'US', '+4930123456'],
    ['030 12345678', 'DE', '+493012345678'],
    ['anonymous', 'US', 'anonymous'],
    ['201', 'US', '201'],
    ['5550123', 'US', '5550123'],
    ['ACME CLINIC', 'US', 'ACME CLINIC'],
    ['15123456789', 'DE', '15123456789'],
    ['99999999999999', 'US', '99999999999999'],
    ['', 'US', ''],
  ])('%s in %s is stored as %s', (written, country, stored) => {
    expect(spellNumber(written, country)).toBe(stored)
    expect(spellNumber(stored, country)).toBe(stored)
  })
})
