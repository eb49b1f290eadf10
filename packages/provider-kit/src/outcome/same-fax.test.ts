import { describe, expect, it } from 'vitest'
import { contradictionIn, type KnownFax, mayBeSameNumber } from './same-fax.ts'

const [ours, other] = ['a'.repeat(32), 'b'.repeat(32)]
const known: KnownFax = {
  attemptId: ours,
  providerId: '9001',
  to: '+15555550123',
  account: 'Project-1',
  documentPath: `/fax/${'1'.repeat(32)}/pdf`,
}
const delivered = { state: 'delivered' } as const
const link = (id: string) => `https://fax.example.test/fax/${id.repeat(32)}/pdf?token=x`

describe('an answer of a provider', () => {
  it.each([
    ['nothing but a state', {}],
    ['everything', { providerId: '9001', attemptId: ours, reference: ours, to: '15555550123', account: 'project-1' }],
    ['our link', { documentUrl: link('1') }],
    ['a link of its own', { documentUrl: 'https://files.example.test/9001.pdf' }],
    ['a number it masks', { to: '+1555***0199' }],
  ])('that says %s belongs to the fax', (_what, facts) => {
    expect(contradictionIn({ ...delivered, ...facts }, known)).toBeUndefined()
  })

  it.each([
    ['id', { providerId: '9002' }, 'another id'],
    ['mark', { attemptId: other }, 'reference'],
    ['mark inside, whatever its address says', { attemptId: ours, reference: other }, 'reference'],
    ['number', { to: '+15555550124' }, 'another number'],
    ['account', { account: 'Project-2' }, 'another account'],
    ['document', { documentUrl: link('2') }, 'another document'],
  ])('with another %s does not', (_what, facts, words) => {
    expect(contradictionIn({ ...delivered, ...facts }, known)).toContain(words)
  })

  it('may be the first that gives the fax an id', () => {
    const { providerId: _, ...unnamed } = known
    expect(contradictionIn({ ...delivered, providerId: '9002' }, unnamed)).toBeUndefined()
  })

  it.each([
    ['5555550123', true],
    ['001 555 555 0123', true],
    ['(555) 555-0123', true],
    ['sip:0199@pbx.example.test', true],
    ['0123', true],
    ['+15555550124', false],
    ['+13105550123', false],
  ])('with the number %s may be about +15555550123: %s', (number, same) => {
    expect(mayBeSameNumber(number, '+15555550123')).toBe(same)
  })

  it('may write the prefix that is dialed inside of a country only', () => {
    expect(mayBeSameNumber('020 7946 0018', '+442079460018')).toBe(true)
    expect(mayBeSameNumber('+44 (0)20 7946 0018', '+442079460018')).toBe(true)
  })
})
