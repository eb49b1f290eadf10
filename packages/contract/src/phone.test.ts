import { describe, expect, it } from 'vitest'
import { formatNumber, isFaxNumber, stripNumber } from './phone.ts'

describe('a number in groups', () => {
  it.each([
    ['5', '5'],
    ['555', '555'],
    ['5555', '(555) 5'],
    ['555555', '(555) 555'],
    ['5555550123', '(555) 555-0123'],
    ['15555550123', '1 (555) 555-0123'],
    ['+1', '+1'],
    ['+15555550123', '+1 555 555 0123'],
    ['+442079460958', '+44 207 946 0958'],
    ['+353 1 234 5678', '+353 123 456 78'],
    ['555.555.0123', '(555) 555-0123'],
    ['555\u2013555\u20130123', '(555) 555-0123'],
  ])('writes %s as %s', (typed, grouped) => {
    expect(formatNumber(typed, 'US')).toBe(grouped)
  })

  it('groups a national number by threes where the country writes no area code in brackets', () => {
    expect(formatNumber('03012345678', 'DE')).toBe('030 123 456 78')
  })

  it('leaves text that is no number alone, so that it can be seen and corrected', () => {
    expect(formatNumber('call 555', 'US')).toBe('call 555')
  })

  it('never changes what is dialed nor whether it is valid', () => {
    for (const typed of ['5555550123', '+15555550123', '123456789012345', '+4930123456', '12345', '1234567890123456']) {
      expect(stripNumber(formatNumber(typed, 'US'))).toBe(typed)
      expect(isFaxNumber(formatNumber(typed, 'US'))).toBe(isFaxNumber(typed))
    }
  })

  it('can be deleted digit by digit from its end', () => {
    let text = formatNumber('+15555550123', 'US')
    for (let presses = 12; presses > 0; presses -= 1) text = formatNumber(text.slice(0, -1), 'US')
    expect(text).toBe('')
  })
})
