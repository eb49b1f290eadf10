import { expect, it } from 'vitest'
import { inPages } from './in-pages.ts'

it.each([
  [[], []],
  [[1], [[1]]],
  [[1, 2], [[1, 2]]],
  [
    [1, 2, 3],
    [[1, 2], [3]],
  ],
])('reads %j in pages of two', async (rows: number[], pages: number[][]) => {
  const read = async (last = 0) => rows.filter((row) => row > last).slice(0, 2)
  const found: number[][] = []
  for await (const page of inPages(2, read)) found.push(page)
  expect(found).toEqual(pages)
})
