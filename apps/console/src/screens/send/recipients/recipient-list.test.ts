import { describe, expect, it } from 'vitest'
import { asJson, listProblem, summaryOf, withPasted } from './recipient-list.ts'

const number = (n: number) => `555555${String(n).padStart(4, '0')}`
const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, n) => number(from + n))

describe('a list of recipients', () => {
  it('is none while there are few', () => {
    expect(withPasted(undefined, [], numbers(10).join('\n'), 'US')).toBeUndefined()
    expect(withPasted(undefined, numbers(5), numbers(5, 5).join('\n'), 'US')).toBeUndefined()
    expect(withPasted(undefined, numbers(5), numbers(6, 5).join('\n'), 'US')?.recipients).toHaveLength(11)
  })

  it('says how many numbers it has, and what was left out', () => {
    const text = [...numbers(4980), ...numbers(12).map((each) => `+1${each}`), ...Array(8).fill('n/a 12')].join('\n')
    const list = withPasted(undefined, [], text, 'US')
    expect(list && summaryOf(list)).toBe('4,980 numbers, 12 duplicates removed, 8 invalid')
    expect(list && listProblem(list)).toBeUndefined()
    const more = withPasted(list, [], numbers(40, 5000).join('\n'), 'US')
    expect(more && listProblem(more)).toContain('This list has 5,020')
  })

  it('keeps the names that stand beside the numbers', () => {
    const text = `Name\tFax\tReference\n${numbers(11)
      .map((each, n) => `Clinic ${n}\t${each}\tA-${n}`)
      .join('\n')}`
    const list = withPasted(undefined, [], text, 'US')
    const entries = list && (JSON.parse(asJson(list, '')) as unknown[])
    expect(entries).toHaveLength(11)
    expect(entries?.[1]).toEqual({ to: number(1), name: 'Clinic 1', reference: 'A-1' })
  })
})
