import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Events } from '../../base/events/events.ts'
import { onSqliteFirst } from '../../testing/databases.ts'
import { fixedSettings } from '../../testing/test-context.ts'
import { holdIn } from '../../upkeep/hold.ts'
import { compareEntries } from './compare.ts'
import { fileSink } from './sinks.ts'
import type { TrailSink } from './message.ts'
import { presentCopies } from './states.ts'
import { cutNewest, recompute, rewrite, takeOut } from './testing/attack.ts'
import { comparedOf, copying, isEntry, linesOf, noTargets, record, testFolder } from './testing/copying.ts'

onSqliteFirst((open) => {
  /** Nine entries, copied three at a time, by a gateway that may be started again. */
  async function copied() {
    const database = await open()
    const events = new Events(database, () => new Date())
    const path = join(await testFolder(), 'trail.jsonl')
    const settings = fixedSettings({ ...noTargets, trail_file: path })
    const start = () => copying(database, fileSink(path), { anchorMs: 0 })
    const copy = start()
    for (let n = 0; n < 3; n++) {
      await record(events, 3)
      await copy()
    }
    return {
      ...{ database, events, path, copy, start },
      compare: async () => compareEntries(database, comparedOf(await linesOf(path))),
      compareAnchors: async () =>
        compareEntries(
          database,
          (await linesOf(path)).flatMap(({ anchor }) => anchor ?? []),
        ),
      state: async () => (await presentCopies({ database, settings, now: () => new Date() }))[0],
      cut: async () => (await linesOf(path)).findLast(({ cut }) => cut)?.cut,
    }
  }

  /** What the copy got for a number, in order. */
  const versionsOf = async (path: string, seq: number) =>
    new Set((await linesOf(path)).filter((line) => isEntry(line) && line.seq === seq).map(({ hash }) => hash))

  describe('an entry that is rewritten before the newest are cut off', () => {
    it('is named by copy, anchors and state, although the chain is whole and the gateway has written on', async () => {
      const { database, events, path, copy, compare, compareAnchors, state, cut } = await copied()
      await rewrite(database, 5)
      await cutNewest(database, 9)
      await recompute(database)
      await record(events, 3)
      expect((await events.verify()).intact).toBe(true)
      expect(await state()).toMatchObject({ state: 'cut', cut_at: 4 })
      await copy()
      expect(await compare()).toMatchObject({ fits: false, at: 5, problem: 'different' })
      expect(await compareAnchors()).toMatchObject({ fits: false, at: 6, problem: 'different' })
      expect(await cut()).toMatchObject({ misfit: { seq: 6 }, newest: { seq: 11 }, fits: 3 })
      expect(await state()).toMatchObject({ state: 'cut', cut_at: 4, behind: 0 })
      // The copy by itself says what became of each entry.
      expect((await versionsOf(path, 4)).size).toBe(1)
      for (const seq of [5, 6, 7, 8, 9]) expect((await versionsOf(path, seq)).size).toBe(2)
    })

    it('is named when nothing was cut off, when the place was away, and after a restart', async () => {
      const { database, events, path, start, compare, state } = await copied()
      const away: TrailSink = { ...fileSink(path), send: () => Promise.reject(new Error('away')) }
      await rewrite(database, 2)
      await recompute(database)
      await record(events, 4)
      await expect(copying(database, away)()).rejects.toThrow('away')
      await start()()
      expect(await compare()).toMatchObject({ fits: false, at: 2, problem: 'different' })
      expect(await state()).toMatchObject({ state: 'cut', cut_at: 2 })
      expect((await versionsOf(path, 2)).size).toBe(2)
    })
  })

  describe('entries that are renumbered after one was taken out', () => {
    it('are named from the one that was taken out', async () => {
      const { database, events, path, copy, compare, state } = await copied()
      await takeOut(database, 5)
      await recompute(database)
      await record(events, 2)
      expect((await events.verify()).intact).toBe(true)
      await copy()
      expect(await compare()).toMatchObject({ fits: false, at: 5, problem: 'different' })
      expect(await state()).toMatchObject({ state: 'cut', cut_at: 4 })
      expect((await versionsOf(path, 9)).size).toBe(2)
    })
  })

  describe('an entry whose hash is left as it was', () => {
    it('is noticed where copies were noted, and by the chain anywhere', async () => {
      const { database, events, copy, state } = await copied()
      await rewrite(database, 6)
      expect(await events.verify()).toMatchObject({ intact: false, broken_at: 6 })
      await copy()
      expect(await state()).toMatchObject({ state: 'cut', cut_at: 4 })
    })
  })

  describe('what was copied, rewritten together with the entries', () => {
    it('is noticed by the process that copied it', async () => {
      const { database, events, copy, compare, state, cut } = await copied()
      await rewrite(database, 5)
      await cutNewest(database, 9)
      await recompute(database)
      const head = await database.db.selectFrom('audit_head').select(['seq', 'hash']).executeTakeFirstOrThrow()
      await database.db
        .updateTable('trail_copies')
        .set({ ...head, marks: '[]' })
        .execute()
      await record(events, 3)
      await copy()
      expect(await cut()).toMatchObject({ misfit: { seq: 9 }, fits: 8 })
      expect(await state()).toMatchObject({ state: 'cut' })
      expect(await compare()).toMatchObject({ fits: false, at: 5, problem: 'different' })
    })

    it('is named by comparing, whatever is noted', async () => {
      for (const noted of ['head', 'nothing'] as const) {
        const { database, events, start, compare } = await copied()
        await rewrite(database, 5)
        await cutNewest(database, 9)
        await recompute(database)
        const head = await database.db.selectFrom('audit_head').select(['seq', 'hash']).executeTakeFirstOrThrow()
        const change = noted === 'head' ? head : { seq: 0, hash: '' }
        await database.db
          .updateTable('trail_copies')
          .set({ ...change, marks: '[]' })
          .execute()
        await record(events, 3)
        await start()()
        expect(await compare()).toMatchObject({ fits: false, at: 5, problem: 'different' })
      }
    })
  })

  describe('a database that was put back from a backup', () => {
    it('says so with its next entry, and is not taken for cut by itself', async () => {
      const { database, events, path, start, copy, compare, state } = await copied()
      const backup = await database.db.selectFrom('trail_copies').selectAll().executeTakeFirstOrThrow()
      await record(events, 3)
      await copy()
      await cutNewest(database, 10)
      await database.db.updateTable('trail_copies').set(backup).execute()
      await holdIn(database, new Date('2026-11-20T04:00:00Z'), () => new Date())
      await record(events, 4)
      await start()()
      expect(await state()).toMatchObject({ state: 'ok', behind: 0 })
      expect(await compare()).toMatchObject({ fits: false, at: 10, problem: 'restored' })
      const restored = (await linesOf(path)).find(({ event }) => event === 'database_restored')
      expect(restored).toMatchObject({ seq: 10, facts: { as_of: '2026-11-20T04:00:00.000Z' } })
    })

    it('hides nothing that was rewritten before', async () => {
      const { database, events, start, compare, cut, state } = await copied()
      await rewrite(database, 5)
      await cutNewest(database, 8)
      await recompute(database)
      await events.databaseRestored({ as_of: '2026-11-20T04:00:00.000Z' })
      await record(events, 2)
      await start()()
      expect(await cut()).toMatchObject({ misfit: { seq: 6 }, fits: 3 })
      expect(await state()).toMatchObject({ state: 'cut', cut_at: 4 })
      expect(await compare()).toMatchObject({ fits: false, at: 5, problem: 'different' })
    })
  })

  describe('an entry that is rewritten before any copy has it', () => {
    it('is named by the process that recorded it, also when others follow and the place is away meanwhile', async () => {
      for (const isCut of [false, true]) {
        const { database, events, path, state, cut } = await copied()
        const away: TrailSink = { ...fileSink(path), send: () => Promise.reject(new Error('away')) }
        const { recorded } = events
        await record(events, 4)
        await rewrite(database, 11)
        if (isCut) await cutNewest(database, 12)
        await recompute(database)
        expect((await events.verify()).intact).toBe(true)
        await expect(copying(database, away, { recorded })()).rejects.toThrow('away')
        for (let n = 0; n < 4; n++) await record(events, 1)
        await copying(database, fileSink(path), { recorded })()
        expect(await cut()).toMatchObject({ misfit: { seq: 13 }, fits: 9 })
        expect(await state()).toMatchObject({ state: 'cut', cut_at: 10, behind: 0 })
      }
    })

    it('shows nowhere once that process is gone', async () => {
      const { database, events, start, compare, state } = await copied()
      await record(events, 4)
      await rewrite(database, 11)
      await recompute(database)
      await start()()
      expect(await state()).toMatchObject({ state: 'ok' })
      expect(await compare()).toMatchObject({ fits: true })
    })
  })

  describe('a second attack', () => {
    it('leaves the place of the first named', async () => {
      const { database, events, copy, state } = await copied()
      await rewrite(database, 5)
      await recompute(database)
      await copy()
      await record(events, 3)
      await copy()
      await rewrite(database, 11)
      await recompute(database)
      await copy()
      expect(await state()).toMatchObject({ state: 'cut', cut_at: 4, behind: 0 })
    })

    it('on entries that no copy has is named too by the process that recorded them', async () => {
      const { database, events, path, state } = await copied()
      const copy = copying(database, fileSink(path), { recorded: events.recorded })
      for (const from of [12, 14]) {
        await record(events, 4)
        await cutNewest(database, from)
        await record(events, 1)
        await copy()
      }
      const cuts = (await linesOf(path)).flatMap(({ cut }) => cut ?? [])
      expect(cuts).toMatchObject([
        { misfit: { seq: 13 }, newest: { seq: 12 }, fits: 9 },
        { misfit: { seq: 16 }, newest: { seq: 14 }, fits: 12 },
      ])
      expect(await state()).toMatchObject({ state: 'cut', cut_at: 10, behind: 0 })
      expect(new Set((await linesOf(path)).filter(isEntry).map(({ seq }) => seq)).size).toBe(14)
    })
  })
})
