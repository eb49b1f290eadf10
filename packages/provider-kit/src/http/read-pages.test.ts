import { describe, expect, it } from 'vitest'
import { type ListPage, readPages } from './read-pages.ts'

interface Item {
  id: string
}

const items = (...ids: string[]): Item[] => ids.map((id) => ({ id }))
const uncertain = { name: 'ProviderProblem', kind: 'uncertain' }

/** Reads a list whose pages are these, the first of them asked for without a number. */
async function read(pages: ListPage<Item>[], asked = 2): Promise<string[]> {
  const numbers: (number | undefined)[] = []
  const found = await readPages<Item>('Made', asked, async (page) => {
    numbers.push(page)
    return pages[numbers.length - 1] ?? { items: [] }
  })
  return found.map(({ id }) => id)
}

describe('a list in pages', () => {
  it('is read to a page that is not full, or to an empty one', async () => {
    expect(await read([{ items: items('a', 'b') }, { items: items('c') }])).toEqual(['a', 'b', 'c'])
    expect(await read([{ items: items('a', 'b') }, { items: [] }])).toEqual(['a', 'b'])
    expect(await read([{ items: [] }])).toEqual([])
  })

  it('whose pages hold fewer than were asked for is read by what its answers say', async () => {
    const small = { size: 1 }
    expect(await read([{ items: items('a'), ...small }, { items: items('b'), ...small }, { items: [] }], 100)).toEqual([
      'a',
      'b',
    ])
  })

  it('that counts its pages from 1 may repeat the first one, once', async () => {
    const first = { items: items('a', 'b') }
    expect(await read([first, first, { items: items('c') }])).toEqual(['a', 'b', 'c'])
  })

  it('proves nothing when it ends before as many came as it says it has', async () => {
    await expect(
      read([
        { items: items('a', 'b'), total: 3 },
        { items: [], total: 3 },
      ]),
    ).rejects.toMatchObject(uncertain)
    await expect(read([{ items: [], total: 1 }])).rejects.toMatchObject(uncertain)
  })

  it('proves nothing when it repeats the same pages again and again, or never ends', async () => {
    const same = { items: items('a', 'b') }
    await expect(read([same, same, same, same])).rejects.toMatchObject(uncertain)
    let last = 0
    const endless = readPages<Item>('Made', 1, async () => ({ items: items(String(last++)) }))
    await expect(endless).rejects.toMatchObject(uncertain)
  })
})
