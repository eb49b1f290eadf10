import { describe, expect, it } from 'vitest'
import { onEachDatabase } from '../testing/databases.ts'
import { faxDesk } from '../testing/fax-desk.ts'
import { makeLine } from '../testing/made-line.ts'
import { createFaxes } from './create-faxes.ts'
import { report } from './report.ts'

const minute = 60_000

onEachDatabase((open) => {
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
      const { handlers } = await createFaxes(desk.doors, async () => [])
      const token = new URL(link).searchParams.get('token') ?? ''
      const ask = async (query: { token: string }, fax = id) =>
        handlers.getFaxPdf({ params: { id: fax }, query } as Parameters<typeof handlers.getFaxPdf>[0])
      return { ...desk, made, database, id, link, token, ask }
    }
    const refused = { name: 'Problem', code: 'token_refused' }

    it('is public, and gives the PDF to who holds it', async () => {
      const { link, token, id, ask, database, doors } = await handedOver()
      expect(link).toBe(`https://fax.example.test/fax/${id}/pdf?token=${token}`)
      const { content } = await ask({ token })
      expect(Buffer.from(content as Uint8Array).toString('latin1', 0, 5)).toBe('%PDF-')
      expect(await doors.events.list({ event: 'pdf_served', limit: 5 })).toMatchObject([{ job_id: id }])
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

    it('ends with its attempt', async () => {
      const { token, ask, made, doors, id, jobOf } = await handedOver()
      const attemptId = made.handed[0]?.attemptId ?? ''
      await report(doors, 'made', { attemptId, state: 'failed', kind: 'busy', sentence: 'Busy.' })
      expect(await jobOf(id)).toMatchObject({ phase: 'waiting_retry' })
      await expect(ask({ token })).rejects.toMatchObject(refused)
    })
  })
})
