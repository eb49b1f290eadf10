import { describe, expect, it, vi } from 'vitest'
import { refuseFax } from '../../features/approvals/decide.ts'
import { expireApprovals } from '../../features/approvals/expire.ts'
import { requestFax } from '../../features/approvals/request.ts'
import type { GatewayContext } from '../../base/context.ts'
import type { Database } from '../../base/db/database.ts'
import { transact } from '../../base/db/transact.ts'
import type { Submission } from '../../fax/accept/submit.ts'
import { noGroup } from '../../access/groups/group-of.ts'
import { deleteGroup } from '../../access/groups/feature.ts'
import type { Caller } from '../../base/http/handler.ts'
import { sealsOf } from '../../base/settings/seal.ts'
import { onEachDatabase } from '../../testing/databases.ts'
import { faxDesk } from '../../testing/fax-desk.ts'
import { makeLine } from '../../testing/made-line.ts'
import { fixedSettings } from '../../testing/test-context.ts'
import { expireUploads, keepUpload } from '../../features/approvals/uploads.ts'
import { listDeletions } from './deletions.ts'
import { createRetention } from './feature.ts'
import { lockHolds } from './held.ts'
import { readRetention, saveRules } from './group-rules.ts'
import { liftHold, listHolds, placeHold } from './holds.ts'

const day = 24 * 3_600_000
const administrator = { keyId: 'bootstrap' } as Caller
const letter = { fileName: 'letter.txt', bytes: Buffer.from('Dear colleague,\nplease find the results below.\n') }
const asked: Submission = {
  to: '+15555550123',
  tones: 'auto',
  cover: {},
  group: noGroup,
  file: letter,
  callerKeyId: 'assistant',
  idempotencyKey: undefined,
}

async function room(database: Database) {
  const { context: base, pass } = await faxDesk(database, makeLine())
  const rules = { require_mcp_quote: false, require_mcp_approval: true, default_country: 'US' }
  const current = () => ({ ...base.settings.current(), ...rules })
  const settings = fixedSettings({}, { current, seals: sealsOf(Buffer.alloc(32, 7)) })
  const context: GatewayContext = { ...base, settings }
  const { db } = database
  const group = { id: 'aaaaaaaaaaaa', name: 'Ward', name_key: 'ward', created_at: '2026-01-01', created_by: 'x' }
  await db.insertInto('groups').values(group).execute()
  let count = 0
  return {
    context,
    pass,
    ask: async (change: Partial<Submission> = {}) => {
      const { approval } = await requestFax(context, { ...asked, idempotencyKey: `k${count++}`, ...change }, undefined)
      return approval?.id ?? ''
    },
    upload: (callerKeyId: string) => keepUpload(context, letter, callerKeyId),
    hold: (kind: 'fax' | 'number' | 'group' | 'key', subject: string) =>
      placeHold(context, { kind, subject, reason: 'Case 2026-117' }, 'bootstrap'),
    /** Whether a request has its document, and the storage too. */
    keeps: async (id: string) => {
      const row = await db.selectFrom('fax_approvals').selectAll().where('id', '=', id).executeTakeFirst()
      const { document_key: first } = JSON.parse(row?.draft ?? '{}') as { document_key?: string }
      const stored = first !== undefined && (await context.storage.exists(first))
      return row !== undefined && row.document_key !== null && stored
    },
    uploads: () => db.selectFrom('fax_uploads').selectAll().execute(),
  }
}

onEachDatabase((open) => {
  describe('a legal hold on what waits', () => {
    it('keeps requests and their documents by number, group and the fax they may become, refused or expired', async () => {
      const { context, pass, ask, hold, keeps } = await room(await open())
      const byNumber = await ask({ to: '+15555550177' })
      const byGroup = await ask({ group: { id: 'aaaaaaaaaaaa', isChosen: true } })
      const byId = await ask()
      const free = await ask({ to: '+15555550199' })
      const holds = [
        await hold('number', '(555) 555-0177'),
        await hold('group', 'aaaaaaaaaaaa'),
        await hold('fax', byId),
      ]
      const held = [byNumber, byGroup, byId]
      await refuseFax(context, byNumber, 'person')
      pass(60 * day)
      await expireApprovals(context)
      await expireApprovals(context)
      expect(await Promise.all([...held, free].map(keeps))).toEqual([true, true, true, false])
      for (const { id } of holds) await liftHold(context, id, 'Closed', 'bootstrap')
      await expireApprovals(context)
      expect(await Promise.all(held.map(keeps))).toEqual([false, false, false])
    })

    it('leaves a record of each document of a request that goes', async () => {
      const { context, pass, ask } = await room(await open())
      const refused = await ask()
      await refuseFax(context, refused, 'person')
      pass(2 * day)
      const expired = await ask({ to: '+15555550199' })
      pass(2 * day)
      await expireApprovals(context)
      const { deletions } = await listDeletions(context, { limit: 10 })
      expect(deletions.map(({ fax_id: id, reason, days }) => [id, reason, days])).toEqual([
        [expired.slice(4), 'expired', null],
        [refused.slice(4), 'refused', null],
      ])
      expect(deletions[0]).toMatchObject({ number: '********0199', group_name: null, sent_by: expect.any(String) })
    })

    it('keeps uploads of a key, and goes on keeping what was there when it was confirmed', async () => {
      const { context, pass, upload, hold, uploads } = await room(await open())
      await upload('assistant')
      await upload('assistant')
      await upload('another')
      pass(day)
      const remove = context.storage.remove.bind(context.storage)
      let present: string[] = []
      vi.spyOn(context.storage, 'remove').mockImplementationOnce(async (key) => {
        await context.database.db.insertInto('api_keys').values(keyRow('assistant')).execute()
        await hold('key', 'assistant')
        present = (await uploads()).map(({ id }) => id)
        await remove(key)
      })
      await expireUploads(context)
      expect((await uploads()).map(({ id }) => id)).toEqual(present)
      const held = await upload('assistant')
      pass(day)
      await expireUploads(context)
      expect((await uploads()).map(({ id }) => id)).toEqual([...present, held.id])
      expect(await context.storage.exists(held.document_key)).toBe(true)
    })

    it('is waited for by a removal that begins while it is being placed', async () => {
      const database = await open()
      if (database.engine === 'sqlite') return
      const { context, pass, ask, upload, keeps, uploads } = await room(database)
      const request = await ask()
      await upload('assistant')
      pass(2 * day)
      let go = () => {}
      const placed = new Promise<void>((resolve) => (go = resolve))
      const holding = transact(database, async (tx) => {
        await lockHolds(tx, database.engine, 'alone')
        await tx
          .insertInto('legal_holds')
          .values({ ...holdRow, kind: 'key', subject: 'assistant' })
          .execute()
        await placed
      })
      const removing = Promise.all([expireApprovals(context), expireUploads(context)])
      setTimeout(go, 300)
      await Promise.all([holding, removing])
      expect(await keeps(request)).toBe(true)
      expect(await uploads()).toHaveLength(1)
    })

    it('on a group keeps the group from being deleted, which is said in a sentence', async () => {
      const { context, hold } = await room(await open())
      createRetention(context)
      const group = { params: { id: 'aaaaaaaaaaaa' }, caller: administrator }
      const { id } = await hold('group', 'aaaaaaaaaaaa')
      expect(await listHolds(context)).toMatchObject([{ id, subject_name: 'Ward' }])
      expect(await listHolds(context, 'f'.repeat(32))).toEqual([])
      const refusal = await deleteGroup(context, group).catch((error: unknown) => error)
      expect(refusal).toMatchObject({
        code: 'conflict',
        message: expect.stringMatching(/^A legal hold is on the group Ward/),
      })
      await liftHold(context, id, 'Closed', 'bootstrap')
      await deleteGroup(context, group)
      await expect(hold('group', 'aaaaaaaaaaaa')).rejects.toMatchObject({ code: 'not_found' })
    })
  })

  describe('retention rules', () => {
    it('are saved by one of two who save at once, and the other overwrites nothing', async () => {
      const { context } = await room(await open())
      const { version } = await readRetention(context)
      const rule = (days: number) => ({ direction: 'sent', group_id: 'aaaaaaaaaaaa', days }) as const
      const save = (days: number) => saveRules(context, { rules: [rule(days)], version }, 'bootstrap')
      const results = await Promise.allSettled([save(5), save(7)])
      const [saved, ...more] = results.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
      expect(more).toEqual([])
      expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'conflict' } })
      expect(await readRetention(context)).toEqual(saved)
    })

    it('outlive their group, and can be saved with others then', async () => {
      const { context } = await room(await open())
      const rules = [{ direction: 'received', group_id: 'aaaaaaaaaaaa', days: 3650 }] as const
      const { version } = await saveRules(
        context,
        { ...(await readRetention(context)), rules: [...rules] },
        'bootstrap',
      )
      await deleteGroup(context, { params: { id: 'aaaaaaaaaaaa' }, caller: administrator })
      expect(await saveRules(context, { rules: [...rules], version }, 'bootstrap')).toMatchObject({ rules })
      const unknown = [...rules, { direction: 'sent', group_id: 'bbbbbbbbbbbb', days: 1 } as const]
      await expect(saveRules(context, { rules: unknown, version }, 'bootstrap')).rejects.toMatchObject({
        code: 'not_found',
      })
    })
  })
})

const keyRow = (key_id: string) => ({
  key_id,
  secret_sha256: 'x',
  name: null,
  owner: null,
  scopes: 'fax:send',
  fax_access: 'own' as const,
  received_delete: 0,
  created_at: '2026-01-01T00:00:00.000Z',
  last_used_at: null,
  expires_at: null,
  revoked_at: null,
})

const holdRow = {
  id: 'cccccccccccc',
  reason: 'Case',
  placed_by: 'bootstrap',
  placed_at: '2026-01-01T00:00:00.000Z',
  lifted_by: null,
  lifted_at: null,
  lift_reason: null,
}
