import { describe, expect, it } from 'vitest'
import { Problem } from '../http/answers/problem.ts'
import { onEachDatabase } from '../../testing/databases.ts'
import { createCommitGroup, transactTogether } from './commit-group.ts'
import type { Database } from './database.ts'

const row = (key: string) => ({ key, value: '1', sealed: 0, updated_at: '', updated_by: '' })

function groupOf(database: Database, batches: number[]) {
  return createCommitGroup<string, string>(database, async (tx, keys) => {
    batches.push(keys.length)
    await tx.insertInto('saved_settings').values(keys.map(row)).execute()
    return keys.map((key) => (key.startsWith('no') ? new Problem('conflict') : key))
  })
}

onEachDatabase((open) => {
  describe('writes that arrive together', () => {
    it('share a transaction and get an outcome each', async () => {
      const database = await open()
      const batches: number[] = []
      const group = groupOf(database, batches)
      const keys = Array.from({ length: 50 }, (_, n) => `k${n}`)
      expect(await Promise.all(keys.map((key) => group.add(key)))).toEqual(keys)
      expect(batches).toEqual([50])
    })

    it('do not fail for a neighbor that the database refuses, or that is refused', async () => {
      const database = await open()
      const group = groupOf(database, [])
      await group.add('twice')
      const outcomes = await Promise.allSettled(['a', 'twice', 'no', 'b'].map((key) => group.add(key)))
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
      const rows = await database.db.selectFrom('saved_settings').select('key').orderBy('key').execute()
      expect(rows.map(({ key }) => key)).toEqual(['a', 'b', 'no', 'twice'])
    })
  })

  describe('transactions that run together', () => {
    it('each answer their own, and one that throws takes nobody with it', async () => {
      const database = await open()
      const add = (key: string) =>
        transactTogether(database, async (tx) => {
          await tx.insertInto('saved_settings').values(row(key)).execute()
          if (key === 'bad') throw new Error('this one fails')
          return key
        })
      const outcomes = await Promise.allSettled(['a', 'bad', 'b'].map(add))
      expect(outcomes).toMatchObject([
        { status: 'fulfilled', value: 'a' },
        { status: 'rejected', reason: { message: 'this one fails' } },
        { status: 'fulfilled', value: 'b' },
      ])
      const rows = await database.db.selectFrom('saved_settings').select('key').orderBy('key').execute()
      expect(rows.map(({ key }) => key)).toEqual(['a', 'b'])
    })
  })
})
