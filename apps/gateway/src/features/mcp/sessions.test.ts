import { expect, it } from 'vitest'
import { Sessions } from './sessions.ts'

it('a caller who opens many conversations ends only their own, the longest unused first', () => {
  const sessions = new Sessions<string>(() => new Date('2026-01-05T10:00:00Z'))
  const closed: string[] = []
  const add = (id: string, keyId: string) =>
    sessions.add(id, id, keyId, async () => {
      closed.push(id)
    })
  add('quiet', 'other')
  for (let n = 0; n < 50; n++) add(`${n}`, 'greedy')
  sessions.find('0', 'greedy')
  for (let n = 50; n < 300; n++) add(`${n}`, 'greedy')
  expect(closed).toHaveLength(250)
  expect(closed.slice(0, 3)).toEqual(['1', '2', '3'])
  expect(sessions.find('quiet', 'other')).toBe('quiet')
})
