import { describe, expect, it } from 'vitest'
import { onSqliteFirst } from '../../testing/databases.ts'
import { faxDesk } from '../../testing/fax-desk.ts'
import { makeLine } from '../../testing/made-line.ts'
import { createFaxes } from '../feature.ts'
import { withdrawDocumentLink } from '../facts/document-link.ts'
import { report } from './report.ts'

const minute = 60_000

onSqliteFirst((open) => {
  describe('the link to a document', () => {
    /** A fax that its provider has taken, and the link it was given. */
    const handedOver = async () => {
      const made = makeLine()
      const database = await open()
      const desk = await faxDesk(database, made)
      const { id } = await desk.submit()
      let link = ''
      made.answers.push(async (fax) => {
        link = await fax.documentUrl()
        return undefined
      })
      await desk.work()
      const { routes } = await createFaxes(desk.context)
      const token = new URL(link).searchParams.get('token') ?? ''
      const ask = async (query: { token: string }, fax = id) =>
        routes.getFaxPdf({ params: { id: fax }, query } as Parameters<typeof routes.getFaxPdf>[0])
      return { ...desk, made, database, id, link, token, ask }
    }
    const refused = { name: 'Problem', code: 'token_refused' }

    it('is public, and gives the PDF to who holds it', async () => {
      const { link, token, id, ask, database, context } = await handedOver()
      expect(link).toBe(`https://fax.example.test/fax/${id}/pdf?token=${token}`)
      const { content } = await ask({ token })
      expect(Buffer.from(content as Uint8Array).toString('latin1', 0, 5)).toBe('%PDF-')
      expect(await context.events.list({ event: 'pdf_served', limit: 5 })).toMatchObject([{ job_id: id }])
      const [kept] = await database.db.selectFrom('document_tokens').selectAll().execute()
      expect(JSON.stringify(kept)).not.toContain(token)
    })

    it('is refused when it is wrong, of another fax, or expired', async () => {
      const { token, ask, submit, pass } = await handedOver()
      const other = await submit()
      await expect(ask({ token: `${token}x` })).rejects.toMatchObject(refused)
      await expect(ask({ token }, other.id)).rejects.toMatchObject(refused)
      pass(60 * minute)
      await expect(ask({ token })).rejects.toMatchObject(refused)
    })

    it('counts as used only by who asks for its own fax, and can be withdrawn until then', async () => {
      const { token, ask, submit, work, database, made } = await handedOver()
      const other = await submit({ to_number: '+15555550124' })
      await work()
      const givenAt = async () =>
        (await database.db.selectFrom('document_tokens').select('given_at').execute()).map((link) => link.given_at)
      expect(await givenAt()).toEqual([null])
      await expect(ask({ token }, other.id)).rejects.toMatchObject(refused)
      expect(await givenAt()).toEqual([null])
      expect(await withdrawDocumentLink(database, made.handed[0]?.attemptId ?? '')).toBe(true)
      await expect(ask({ token })).rejects.toMatchObject(refused)
    })

    it('is used or withdrawn, and never both, when both happen in the same moment', async () => {
      for (let n = 0; n < 5; n++) {
        const { token, ask, database, made } = await handedOver()
        const withdraw = () => withdrawDocumentLink(database, made.handed[0]?.attemptId ?? '')
        const [used, withdrawn] = await Promise.allSettled([ask({ token }), withdraw()])
        const isWithdrawn = withdrawn.status === 'fulfilled' && withdrawn.value
        expect([used.status, isWithdrawn]).not.toEqual(['fulfilled', true])
      }
    })

    it('marks the link of its own attempt as used, and no other', async () => {
      const { token, ask, submit, work, database, made } = await handedOver()
      await submit({ to_number: '+15555550124' })
      made.answers.push(async (fax) => {
        await fax.documentUrl()
        return undefined
      })
      await work()
      await ask({ token })
      const links = await database.db.selectFrom('document_tokens').select(['attempt_id', 'given_at']).execute()
      const used = links.filter((link) => link.given_at !== null).map((link) => link.attempt_id)
      expect([links.length, used]).toEqual([2, [made.handed[0]?.attemptId]])
    })

    it('is refused, unused, while its attempt is being called off', async () => {
      const { token, ask, context, id, made, database } = await handedOver()
      const first = made.handed[0]?.attemptId ?? ''
      await database.db.updateTable('fax_jobs').set({ phase: 'duplicate' }).where('id', '=', id).execute()
      await expect(ask({ token })).rejects.toMatchObject(refused)
      expect(await withdrawDocumentLink(context.database, first)).toBe(true)
    })

    it('ends with its attempt', async () => {
      const { token, ask, made, context, id, jobOf } = await handedOver()
      const attemptId = made.handed[0]?.attemptId ?? ''
      await report(context, 'made', { attemptId, state: 'failed', kind: 'busy', sentence: 'Busy.' })
      expect(await jobOf(id)).toMatchObject({ phase: 'waiting_retry' })
      await expect(ask({ token })).rejects.toMatchObject(refused)
    })
  })
})
