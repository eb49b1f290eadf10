import { isFaxNumber, stripNumber } from '@faxdeck/contract/phone'
import { describe, expect, it } from 'vitest'
import { caretAfterFormat, formatNumber, splitRecipients } from './phone-format.ts'

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

  it('never changes what is dialled nor whether it is valid', () => {
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

describe('the caret', () => {
  it('stays behind the digit just typed in the middle of a number', () => {
    const typed = '(5955) 555-012'
    expect(caretAfterFormat(typed, 3, formatNumber(typed, 'US'))).toBe(3)
    expect(caretAfterFormat('5555', 4, '(555) 5')).toBe(7)
  })
})

describe('several recipients at once', () => {
  it('takes the numbers of a pasted list and hands back what is none', () => {
    const pasted = '555-555-0123, +44 20 7946 0958\n(555) 555 0123; front desk'
    expect(splitRecipients(pasted, 'US')).toEqual({
      numbers: ['(555) 555-0123', '+44 207 946 0958'],
      rest: 'front desk',
    })
  })
})
