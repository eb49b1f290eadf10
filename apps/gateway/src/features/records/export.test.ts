import { readdir } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import type { Database } from '../../base/db/database.ts'
import { expireFaxes } from '../../fax/expire.ts'
import { placeHold } from '../../paper/retention/holds.ts'
import { onEachDatabase } from '../../testing/databases.ts'
import { faxDesk } from '../../testing/fax-desk.ts'
import { makeLine } from '../../testing/made-line.ts'
import { keepUpload } from '../approvals/uploads.ts'
import { exportRecords } from './feature.ts'
import { openExport } from './testing/open-export.ts'
import { addReceived } from '../../inbox/inbound/testing/received-fax.ts'

const number = '+15555550177'
const person = '3f2a9c0b7d5e'
const letter = { fileName: 'letter.txt', bytes: Buffer.from('Dear colleague,\nplease find the results below.\n') }

async function room(database: Database) {
  const desk = await faxDesk(database, makeLine())
  const { context, submit, pass } = desk
  const account = { id: person, name: 'Jane Doe', email: 'jane@clinic.example', email_key: 'jane@clinic.example' }
  const rest = { role: 'member', suspended: 0, password_hash: 'SECRET-HASH', link_sha256: null } as const
  const at = context.now().toISOString()
  const blank = { link_expires_at: null, link_by: null, created_at: at, created_by: 'bootstrap', last_sign_in_at: null }
  await database.db
    .insertInto('people')
    .values({ ...account, ...rest, ...blank })
    .execute()
  return { context, submit, pass, filesOnDisk: () => readdir(context.directory, { recursive: true }) }
}

const count = async (database: Database, statement: string) => {
  const { rows } = await sql.raw<{ n: number | string }>(statement).execute(database.db)
  return Number(rows[0]?.n)
}

onEachDatabase((open) => {
  describe('the records of a number', () => {
    it('are all that is known of it, and nothing of another number', async () => {
      const database = await open()
      const { context, submit, pass, filesOnDisk } = await room(database)
      const ours = { to_number: number, metadata: '{"patient":"4711"}' }
      const sent = [await submit(ours), await submit(ours), await submit(ours)]
      const others = [await submit({ to_number: '+15555550178' }), await submit({ to_number: '+445555550177' })]
      const received = [
        await addReceived(context, { from_number: '(555) 555-0177', source: 'https://provider.example/?token=SECRET' }),
        await addReceived(context, { to_number: number, from_number: null }),
      ]
      const foreign = [
        await addReceived(context, { from_number: '+445555550177' }),
        await addReceived(context, { from_number: '+15555550178' }),
        await addReceived(context, { from_number: '5550177' }),
      ]
      await placeHold(context, { kind: 'number', subject: number, reason: 'Case 7' }, 'bootstrap')
      await placeHold(
        context,
        { kind: 'number', subject: '+15555550178', reason: 'Case of somebody else' },
        'bootstrap',
      )
      pass(60_000)
      const before = await filesOnDisk()
      const { manifest, names, text, entries, all } = await openExport(context, 'number', '(555) 555-0177')
      expect(await filesOnDisk()).toEqual(before)
      expect(manifest.counts).toMatchObject({ sent: 3, received: 2, documents: 5 })
      expect(manifest.counts['sent']).toBe(
        await count(database, `select count(*) as n from fax_jobs where to_number = '${number}'`),
      )
      expect(manifest.received_with_similar_number_left_out).toBe(1)
      expect(text('faxes.csv').trim().split('\r\n')).toHaveLength(6)
      for (const id of [...sent.map((job) => job.id), ...received]) {
        expect(names.filter((name) => name.includes(id))).toHaveLength(2)
        expect(text('faxes.csv')).toContain(id)
      }
      const details = text(names.find((name) => name.includes(sent[0]?.id ?? '') && name.endsWith('.json')) ?? '')
      expect(JSON.parse(details)).toMatchObject({ to_number: number, metadata: { patient: '4711' } })
      for (const id of [...others.map((job) => job.id), ...foreign]) expect(all).not.toContain(id)
      for (const hidden of ['somebody else', 'SECRET', 'document_key', '+15555550178'])
        expect(all).not.toContain(hidden)
      expect(entries.map(({ event }) => event)).toEqual(['job_created', 'job_created', 'job_created', 'hold_placed'])
    })

    it('never call what the test line ended, or what was made for a test, a fax that went out or came in', async () => {
      const { context, submit } = await room(await open())
      const sent = await submit({ to_number: number, status: 'SUCCESS', phase: 'delivered' })
      const received = await addReceived(context, { from_number: number, is_test: 1 })
      const { find } = context.providers
      context.providers.find = (id) => {
        const provider = find(id)
        return provider && { ...provider, kind: 'builtin' }
      }
      const { names, text } = await openExport(context, 'number', number)
      const [head, ...rows] = text('faxes.csv').trim().split('\r\n')
      expect([head?.split(',').at(-1), ...rows.map((row) => row.split(',').at(-1))].toSorted()).toEqual([
        'Test',
        'yes: made here',
        'yes: not sent',
      ])
      const detailsOf = (id: string): unknown =>
        JSON.parse(text(names.find((name) => name.includes(id) && name.endsWith('.json')) ?? ''))
      expect([detailsOf(sent.id), detailsOf(received)]).toMatchObject([{ test: true }, { is_test: 1 }])
    })

    it('have what a provider sent under the ending of what it is', async () => {
      const { context } = await room(await open())
      const key = `inbound/aa/${'a'.repeat(32)}.original`
      await context.storage.put(key, Buffer.from('%PDF-1.4\n%%EOF\n'))
      await addReceived(context, { from_number: number, original_key: key })
      const { names } = await openExport(context, 'number', number)
      expect(names.filter((name) => name.includes('/original.'))).toEqual([expect.stringMatching(/\/original\.pdf$/)])
    })

    it('are recorded in the audit trail before the first byte, with their end', async () => {
      const { context, submit } = await room(await open())
      await submit({ to_number: number })
      const asked = { kind: 'number', subject: number, reason: 'Request of access' } as const
      vi.spyOn(context.events, 'recordsExported').mockRejectedValueOnce(new Error('The power fails here.'))
      await expect(exportRecords(context, asked, 'bootstrap')).rejects.toThrow('The power fails here.')
      const { content } = await exportRecords(context, asked, 'bootstrap')
      const trail = () => context.events.list({ limit: 10 })
      expect((await trail())[0]).toMatchObject({
        event: 'records_exported',
        key_id: 'bootstrap',
        to: '********0177',
        reason: 'Request of access',
      })
      await buffer(content as Readable)
      expect((await trail())[0]).toMatchObject({ event: 'records_export_ended', sent: 1, received: 0, documents: 1 })
    })

    it('say which documents are not there any more, and go on', async () => {
      const { context, submit, pass } = await room(await open())
      const [deleted, lost] = [await submit({ to_number: number }), await submit({ to_number: number })]
      const ended = { status: 'SUCCESS', phase: 'delivered', finished_at: context.now().toISOString() } as const
      await context.database.db.updateTable('fax_jobs').set(ended).where('id', '=', deleted.id).execute()
      pass(3 * 24 * 3_600_000)
      await expireFaxes(context)
      await context.storage.remove(lost.document_key ?? '')
      const { manifest } = await openExport(context, 'number', number)
      const absent = manifest.documents_not_included.map(({ path, why }) => [path.split(/[_/]/)[2], why])
      expect(new Map(absent as [string, string][])).toEqual(
        new Map([
          [deleted.id, 'deleted'],
          [lost.id, 'missing'],
        ]),
      )
      expect(manifest.counts).toMatchObject({ sent: 2, documents: 0 })
    })

    it('stop being read when whoever takes them hangs up', async () => {
      const { context, submit } = await room(await open())
      for (let n = 0; n < 20; n++) await submit({ to_number: number })
      const asked = { kind: 'number', subject: number, reason: 'Request of access' } as const
      const reads = vi.spyOn(context.storage, 'get')
      const { content } = await exportRecords(context, asked, 'bootstrap')
      ;(content as Readable).destroy()
      await new Promise((resolve) => (content as Readable).once('close', resolve))
      expect(reads.mock.calls.length).toBeLessThan(20)
      expect((await context.events.list({ limit: 1 }))[0]).toMatchObject({ event: 'records_exported' })
    })
  })

  describe('the records of a person', () => {
    it('are what they sent, uploaded and did, and the account without its secrets', async () => {
      const { context, submit } = await room(await open())
      const actor = `person:${person}`
      const own = await submit({ caller_key_id: actor })
      const other = await submit({ caller_key_id: 'person:aaaaaaaaaaaa' })
      const upload = await keepUpload(context, letter, actor)
      await keepUpload(context, letter, 'another')
      const facts = {
        key_id: 'bootstrap',
        person,
        name: 'Jane Doe',
        changed: ['role'],
        role: 'member',
        state: 'active',
      }
      await context.events.personChanged(facts)
      const { manifest, text, names, entries, all } = await openExport(context, 'person', person)
      expect(manifest.counts).toMatchObject({ sent: 1, received: 0, uploads: 1, documents: 2 })
      expect(JSON.parse(text('subject.json'))).toMatchObject({ account: { name: 'Jane Doe', role: 'member' } })
      expect(names.filter((name) => name.includes(own.id) || name.includes(upload.id))).toHaveLength(4)
      expect(entries.map(({ event }) => event)).toEqual(['job_created', 'person_changed', 'records_exported'])
      expect(all).not.toContain(other.id)
      expect(all).not.toContain('SECRET-HASH')
    })

    it('are refused for somebody who is not there', async () => {
      const { context } = await room(await open())
      const asked = { kind: 'person', subject: 'bbbbbbbbbbbb', reason: 'Request' } as const
      await expect(exportRecords(context, asked, 'bootstrap')).rejects.toMatchObject({ code: 'person_not_found' })
    })
  })
})
