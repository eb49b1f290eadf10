import { expect, it } from 'vitest'
import { nextFetch } from './acquire.ts'

it('waits twice as long after each fruitless try, at most an hour, at most a day', () => {
  const start = new Date('2026-01-01T00:00:00Z')
  const minutes = [1, 2, 3, 7, 20].map((tries) => {
    const next = nextFetch(tries, start, start)
    return next && (next.getTime() - start.getTime()) / 60_000
  })
  expect(minutes).toEqual([1, 2, 4, 60, 60])
  expect(nextFetch(30, start, new Date('2026-01-02T00:00:00Z'))).toBeUndefined()
})
