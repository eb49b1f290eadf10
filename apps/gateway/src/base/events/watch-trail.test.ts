import { expect, it } from 'vitest'
import type { Database } from '../db/database.ts'
import { onEachDatabase } from '../../testing/databases.ts'
import { Events } from './events.ts'
import { watchTrail } from './watch-trail.ts'

onEachDatabase((open) => {
  const trailOf = async (entries: number): Promise<Database> => {
    const database = await open()
    const events = new Events(database, () => new Date())
    await Promise.all(Array.from({ length: entries }, () => events.restartRequested({ key_id: 'k' })))
    return database
  }
  const change = (database: Database, seq: number, fields = '{"key_id":"somebody else"}') =>
    database.db.updateTable('audit_events').set({ fields }).where('seq', '=', seq).execute()

  it('holds while nobody changes it, also while it grows', async () => {
    const database = await trailOf(5)
    const watch = watchTrail(database)
    expect(await watch.look()).toEqual({ entries: 5, looked: 5, brokenAt: null })
    await new Events(database, () => new Date()).restartRequested({ key_id: 'k' })
    expect(await watch.look()).toEqual({ entries: 6, looked: 6, brokenAt: null })
  })

  it('of no entry at all holds', async () => {
    expect(await watchTrail(await open()).look()).toEqual({ entries: 0, looked: 0, brokenAt: null })
  })

  it.each([1, 3, 5])('names the entry %i that was changed, and forgets it once it is mended', async (seq) => {
    const database = await trailOf(5)
    const watch = watchTrail(database)
    await change(database, seq)
    expect((await watch.look()).brokenAt).toBe(seq)
    await change(database, seq, '{"key_id":"k"}')
    expect((await watch.look()).brokenAt).toBeNull()
  })

  it.each([1, 3, 5])('names the entry %i that was removed', async (seq) => {
    const database = await trailOf(5)
    await database.db.deleteFrom('audit_events').where('seq', '=', seq).execute()
    expect((await watchTrail(database).look()).brokenAt).toBe(seq)
  })

  it('finds what was changed long ago, a piece at a time', async () => {
    const database = await trailOf(60)
    const watch = watchTrail(database, { atOnce: 10, atLook: 1 })
    await change(database, 25)
    const looks = [await watch.look(), await watch.look(), await watch.look()]
    expect(looks.map(({ brokenAt }) => brokenAt)).toEqual([null, null, 25])
    expect(looks.map(({ looked }) => looked)).toEqual([20, 30, 40])
    // And it is reported from then on.
    expect((await watch.look()).brokenAt).toBe(25)
  })

  it('is gone through as a whole while nobody waits', async () => {
    const database = await trailOf(60)
    const watch = watchTrail(database, { atOnce: 10, atLook: 0 })
    await change(database, 25)
    await watch.walk()
    expect((await watch.look()).brokenAt).toBe(25)
  })
})
