import { describe, expect, it } from 'vitest'
import { groupConcerns, searchFor, wayTo, type Concern } from './attention-groups.ts'

let last = 0
const concern = (fields: Partial<Concern>): Concern => {
  last += 1
  return {
    kind: 'failed',
    job_id: String(last).padStart(32, '0'),
    to_number: '********0123',
    inbound_id: null,
    from_number: null,
    sentence: 'Nobody answered.',
    count: 1,
    at: `2026-03-01T12:00:${String(last % 60).padStart(2, '0')}.000Z`,
    ...fields,
  }
}
const received = (fields: Partial<Concern> = {}) =>
  concern({ job_id: null, to_number: null, inbound_id: 'f'.repeat(32), ...fields })

describe('what needs attention, by cause', () => {
  it('is one group for each failure, in the order in which they come', () => {
    const busy = 'Busy, 4 attempts.'
    const all = [concern({}), concern({ sentence: busy }), concern({}), received(), concern({ sentence: busy })]
    expect(groupConcerns(all).map(({ count, sentence, isInbound }) => [count, sentence, isInbound])).toEqual([
      [2, 'Nobody answered.', false],
      [2, busy, false],
      [1, 'Nobody answered.', true],
    ])
  })

  it('gathers what a person decides about, and says nothing of all that is true of some', () => {
    const [group, ...others] = groupConcerns([
      concern({ kind: 'uncertain', sentence: 'A' }),
      concern({ kind: 'uncertain', sentence: 'B' }),
    ])
    expect(group).toMatchObject({ count: 2, sentence: undefined })
    expect(others).toEqual([])
  })

  it('adds up what the gateway has counted', () => {
    const [group] = groupConcerns([concern({ count: 300 }), concern({ count: 2 })])
    expect(group?.count).toBe(302)
  })

  it('keeps two troubles of the installation apart', () => {
    const trouble = { kind: 'unhealthy', job_id: null, to_number: null } as const
    expect(
      groupConcerns([concern({ ...trouble, sentence: 'A' }), concern({ ...trouble, sentence: 'B' })]),
    ).toHaveLength(2)
  })
})

describe('the way to a group', () => {
  const wayOf = (...concerns: Concern[]) => {
    const [group] = groupConcerns(concerns)
    if (!group) throw new Error('There is no group.')
    return wayTo(group)
  }

  it('leads to the webhooks from one that was switched off', () => {
    expect(wayOf(concern({ kind: 'webhook', job_id: null, to_number: null }))).toEqual(['settings/keys', {}])
    expect(wayOf(concern({ kind: 'backup', job_id: null, to_number: null }))).toEqual(['tools/diagnostics', {}])
  })

  it('leads to the fax itself where it is one', () => {
    const one = concern({})
    expect(wayOf(one)).toEqual(['jobs', { open: one.job_id }])
    expect(wayOf(received())).toEqual(['inbound', { open: 'f'.repeat(32) }])
  })

  it('leads to the list of those faxes where they are several', () => {
    expect(wayOf(concern({}), concern({}))).toEqual(['jobs', { open: 'unresolved', find: 'Nobody answered.' }])
    expect(wayOf(concern({ kind: 'uncertain' }), concern({ kind: 'uncertain' }))).toEqual([
      'jobs',
      { open: 'attention' },
    ])
    expect(wayOf(received(), received())).toEqual(['inbound', {}])
  })

  it('searches for whole words, without numbers that are masked', () => {
    expect(searchFor('The number ********0123 is wrong.')).toBe('The number is wrong.')
    const long = searchFor('word '.repeat(40))
    expect(long.length).toBeLessThanOrEqual(100)
    expect(long).toMatch(/^word( word)*$/)
  })
})
