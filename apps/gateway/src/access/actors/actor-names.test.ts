import { describe, expect, it } from 'vitest'
import type { Database } from '../../base/db/database.ts'
import { Events } from '../../base/events/events.ts'
import { onEachDatabase } from '../../testing/databases.ts'
import { actorNames } from './actor-names.ts'

const kim = 'person:3f2a9c0b7d5e'
const now = () => new Date('2026-03-01T12:00:00.000Z')

const addKim = ({ db }: Database) =>
  db
    .insertInto('people')
    .values({
      id: '3f2a9c0b7d5e',
      name: 'Nurse Kim',
      email: 'kim@example.org',
      email_key: 'kim@example.org',
      role: 'member',
      suspended: 0,
      password_hash: null,
      link_sha256: null,
      link_expires_at: null,
      link_by: null,
      created_at: now().toISOString(),
      created_by: 'bootstrap',
      last_sign_in_at: null,
      factors_reset_at: null,
    })
    .execute()

const rename = ({ db }: Database, name: string) => db.updateTable('people').set({ name }).execute()
const download = { job_id: 'j1', backend: 'testline', key_id: kim }

onEachDatabase((open) => {
  describe('the names of those who act', () => {
    it('stay as they were when the entry was recorded, whatever becomes of the person', async () => {
      const database = await open()
      await addKim(database)
      const events = new Events(database, now, actorNames)
      await events.adminPdfDownload(download)
      await rename(database, 'Kim Park')
      await events.adminPdfDownload(download)
      await database.db.deleteFrom('people').execute()
      const names = (await events.list({ limit: 10 })).map(({ key_name: name }) => name)
      expect(names).toEqual(['Kim Park', 'Nurse Kim'])
      expect(await events.verify()).toEqual({ intact: true, checked: 2, broken_at: null })
    })

    it('are those of today in entries that were recorded without', async () => {
      const database = await open()
      await addKim(database)
      await new Events(database, now).adminPdfDownload(download)
      const events = new Events(database, now, actorNames)
      expect(await events.list({ limit: 10 })).toMatchObject([{ key_id: kim, key_name: 'Nurse Kim' }])
      expect(await events.verify()).toMatchObject({ intact: true })
    })

    it('find all that somebody did, before and after they were renamed, and nothing that others did', async () => {
      const database = await open()
      await addKim(database)
      const events = new Events(database, now, actorNames)
      const about = { person: '3f2a9c0b7d5e', role: 'member', key_id: 'bootstrap' }
      await new Events(database, now).adminPdfDownload(download)
      await events.personInvited({ ...about, name: 'Nurse Kim' })
      await events.adminPdfDownload(download)
      await rename(database, 'Kim Park')
      await events.adminPdfDownload(download)
      await events.adminPdfDownload({ ...download, key_id: 'other' })
      const found = async (q: string) => (await events.list({ q, event: 'admin_pdf_download', limit: 10 })).length
      expect(await found('nurse kim')).toBe(3)
      expect(await found('Kim Park')).toBe(3)
      expect(await found('Kim Miller')).toBe(0)
    })

    it('are given beside every id of somebody, and once for a person an entry is about', async () => {
      const database = await open()
      await addKim(database)
      const events = new Events(database, now, actorNames)
      await events.groupMemberAdded({ key_id: 'bootstrap', group: 'g', name: 'Cardiology', person: '3f2a9c0b7d5e' })
      await events.recordsExported({ key_id: kim, export: 'e', kind: 'person', reason: 'r', person: '3f2a9c0b7d5e' })
      const [exported, added] = await events.list({ limit: 10 })
      expect(exported).toMatchObject({ key_name: 'Nurse Kim', person_name: 'Nurse Kim' })
      expect(added).toMatchObject({ name: 'Cardiology', person_name: 'Nurse Kim' })
      expect(added).not.toHaveProperty('key_name')
    })
  })
})
