import { formatNumber } from '@faxdeck/contract/phone'
import { describe, expect, it } from 'vitest'
import { caretAfterFormat, splitRecipients } from './phone-format.ts'

describe('the caret', () => {
  it('stays behind the digit just typed in the middle of a number', () => {
    const typed = '(5955) 555-012'
    expect(caretAfterFormat(typed, 3, formatNumber(typed, 'US'))).toBe(3)
    expect(caretAfterFormat('5555', 4, '(555) 5')).toBe(7)
  })
})

describe('several recipients at once', () => {
  it('takes the numbers of a pasted list and hands back what is none', () => {
    const pasted = '555-555-0123, +44 207 946 0958\n(555) 555 0123; front desk'
    expect(splitRecipients(pasted, 'US')).toEqual({
      numbers: ['(555) 555-0123', '+44 207 946 0958'],
      rest: 'front desk',
    })
  })
})
