import type { JobSummary } from '@faxdeck/contract'
import { describe, expect, it } from 'vitest'
import { allowing, extend, nothingSelected, toggle, withFacts } from './selection.ts'

const row = (id: string, actions: JobSummary['actions'] = []) => ({ id, actions }) as JobSummary
const rows = [row('a'), row('b', ['cancel']), row('c', ['resend']), row('d', ['resend'])]

describe('the selection', () => {
  it('takes a row and lets it go again', () => {
    const one = toggle(nothingSelected, row('a'))
    expect([...one.keys()]).toEqual(['a'])
    expect(toggle(one, row('a')).size).toBe(0)
  })

  it('takes all rows between two, upwards as well as downwards', () => {
    expect([...extend(toggle(nothingSelected, row('a')), rows, 3, 1).keys()]).toEqual(['a', 'b', 'c', 'd'])
  })

  it('knows which of the chosen jobs allow an action now', () => {
    const all = extend(nothingSelected, rows, 0, 3)
    expect(allowing(all, 'resend').map((job) => job.id)).toEqual(['c', 'd'])
    expect(allowing(withFacts(all, [row('b', ['resend'])]), 'cancel')).toEqual([])
  })

  it('keeps a chosen job that left the list', () => {
    const all = extend(nothingSelected, rows, 0, 3)
    expect(withFacts(all, []).size).toBe(4)
    expect(withFacts(all, rows)).toBe(all)
  })
})
