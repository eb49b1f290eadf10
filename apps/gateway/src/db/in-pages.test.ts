import { expect, it } from 'vitest'
import { inPages } from './in-pages.ts'

const read = (rows: readonly number[], size: number) => async (last: number | undefined) =>
  rows.filter((row) => last === undefined || row > last).slice(0, size)

it.each([
  [[], []],
  [[1], [[1]]],
  [[1, 2], [[1, 2]]],
  [[1, 2, 3], [[1, 2], [3]]],
])('reads %j in pages of two', async (rows, pages) => {
  expect(await Array.fromAsync(inPages(2, read(rows, 2)))).toEqual(pages)
})
