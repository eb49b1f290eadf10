import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { onEachDatabase } from '../testing/databases.ts'
import { faxDesk } from '../testing/fax-desk.ts'
import { makeLine } from '../testing/made-line.ts'
import { advance } from './move/advance.ts'
import { drawDocumentLink, keepDocumentLink } from './facts/document-link.ts'
import { pagesDirectory, pagesPath } from './facts/drawn-pages.ts'
import { expireFaxes } from './expire.ts'
import { resendFax } from './accept/resend.ts'

const day = 24 * 3_600_000
const cancelled = { to: 'failed', kind: 'cancelled', sentence: 'Canceled.' } as const

onEachDatabase((open) => {
  describe('the sweep', () => {
    it('removes the document of a fax that ended long ago, and keeps its details', async () => {
      const { context, submit, pass, jobOf } = await faxDesk(await open(), makeLine())
      const { id, document_key: key } = await submit()
      await advance(context, id, cancelled)
      pass(day)
      await expireFaxes(context)
      expect(await context.storage.exists(key ?? '')).toBe(true)
      pass(1)
      await expireFaxes(context)
      expect(await context.storage.exists(key ?? '')).toBe(false)
      expect(await jobOf(id)).toMatchObject({ document_key: null, status: 'FAILED' })
      expect(await context.events.list({ event: 'document_removed', limit: 5 })).toMatchObject([{ job_id: id }])
    })

    it('keeps a document that a resent fax still needs, until that one has ended too', async () => {
      const { context, submit, pass, jobOf } = await faxDesk(await open(), makeLine())
      const { id, document_key: key } = await submit()
      await advance(context, id, cancelled)
      const call = { callerKeyId: 'k', idempotencyKey: undefined }
      const child = (await resendFax(context, id, call)).job.id
      pass(2 * day)
      await expireFaxes(context)
      expect(await context.storage.exists(key ?? '')).toBe(true)
      expect(await jobOf(child)).toMatchObject({ document_key: key, parent_id: id })
      await advance(context, child, cancelled)
      pass(2 * day)
      await expireFaxes(context)
      expect(await context.storage.exists(key ?? '')).toBe(false)
    })

    it('leaves a fax that is sent again at the same moment its document, or refuses it', async () => {
      const { context, submit, pass, jobOf } = await faxDesk(await open(), makeLine())
      const parents = []
      for (let n = 0; n < 12; n++) {
        const { id } = await submit()
        await advance(context, id, cancelled)
        parents.push(id)
      }
      pass(2 * day)
      const resend = (id: string) => resendFax(context, id, { callerKeyId: 'k', idempotencyKey: undefined })
      const [, ...again] = await Promise.allSettled([expireFaxes(context), ...parents.map(resend)])
      await expireFaxes(context)
      for (const outcome of again) {
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'document_not_found' })
        else {
          const { document_key: key } = await jobOf(outcome.value.job.id)
          expect(await context.storage.exists(key ?? '')).toBe(true)
        }
      }
    })

    it('removes links and idempotency keys that have ended, and pages nobody needs', async () => {
      const database = await open()
      const { context, submit, pass } = await faxDesk(database, makeLine())
      const { id } = await submit()
      await mkdir(pagesDirectory(context), { recursive: true })
      await writeFile(pagesPath(context, id), 'needed')
      await writeFile(pagesPath(context, '0'.repeat(32)), 'left by a crash')
      const link = drawDocumentLink(context, { jobId: id, attemptId: 'a1', now: context.now() })
      await keepDocumentLink(context.database, link, context.now())
      const created_at = context.now().toISOString()
      const key = { caller_key_id: 'k', idempotency_key: 'i', fingerprint: '', job_id: id, created_at }
      await database.db.insertInto('idempotency_keys').values(key).execute()
      pass(day + 1)
      await expireFaxes(context)
      expect(await database.db.selectFrom('document_tokens').selectAll().execute()).toEqual([])
      expect(await database.db.selectFrom('idempotency_keys').selectAll().execute()).toEqual([])
      expect(await readdir(pagesDirectory(context))).toEqual([`${id}.tiff`])
    })
  })
})
