import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { csvCell, csvStream } from './csv.ts'

describe('a cell', () => {
  it.each([
    ['=1+1', `'=1+1`],
    ['+49', `'+49`],
    ['-1', `'-1`],
    ['@a', `'@a`],
    ['a,b', '"a,b"'],
    ['a"b', '"a""b"'],
    ['a\nb', '"a\nb"'],
    [null, ''],
    [3, '3'],
  ])('%j is written as %j', (value, written) => {
    expect(csvCell(value)).toBe(written)
  })
})

describe('a table', () => {
  const columns = { Name: ({ name }: { name: string }) => name, Length: ({ name }: { name: string }) => name.length }

  it('has its heads once, whatever pages its rows come in', async () => {
    expect(await text(await csvStream(columns, [[], [{ name: 'a,b' }], [{ name: 'c' }]]))).toBe(
      'Name,Length\r\n"a,b",3\r\nc,1\r\n',
    )
    expect(await text(await csvStream(columns, []))).toBe('Name,Length\r\n')
  })

  it('is refused when its first page cannot be read', async () => {
    const broken = (async function* () {
      yield* await Promise.reject<{ name: string }[][]>(new Error('The database is away.'))
    })()
    await expect(csvStream(columns, broken)).rejects.toThrow('The database is away.')
  })
})
