import { expect, it } from 'vitest'
import { insertAll } from '../base/db/insert-all.ts'
import { onEachDatabase } from '../testing/databases.ts'
import { pagesOf } from './migrate.ts'

onEachDatabase((open) => {
  it('a table with a key of two columns is read whole, each row once', async () => {
    const { db } = await open()
    const rows = Array.from({ length: 1201 }, (_, index) => ({
      provider: `provider ${index % 7}`,
      number: `+1555${index}`,
      options: '{}',
      learned_at: '2026-01-01T00:00:00.000Z',
    }))
    await insertAll(db, 'number_memory', rows)
    const read: Record<string, unknown>[][] = []
    for await (const page of pagesOf(db, 'number_memory')) read.push(page)
    expect(read.map((page) => page.length)).toEqual([500, 500, 201])
    const keys = read.flat().map(({ provider, number }) => `${String(provider)} ${String(number)}`)
    expect(new Set(keys)).toEqual(new Set(rows.map(({ provider, number }) => `${provider} ${number}`)))
    expect(keys).toHaveLength(rows.length)
  })
})
