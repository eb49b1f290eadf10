import { createDocuments, type Receipt } from '@faxdeck/documents'
import { describe, expect, it, onTestFinished } from 'vitest'
import { onSqliteFirst } from '../../testing/databases.ts'
import { faxDesk } from '../../testing/fax-desk.ts'
import { makeLine } from '../../testing/made-line.ts'
import { startGateway } from '../../testing/start-gateway.ts'
import { readJob } from './read-job.ts'
import { durationInWords, readReceipt } from './receipt.ts'

const letter = () => new File(['Dear colleague,\nplease find the results below.\n'], 'letter.txt')

describe('the receipt of a fax', () => {
  it('is a PDF for whoever may read the fax, and for the console, once it has ended', async () => {
    const { client } = await startGateway()
    const { id } = await client.submitFax({ form: { to: '+15555550123', file: letter() } })
    await expect
      .poll(async () => (await client.getJob({ params: { id } })).status, { timeout: 8000, interval: 20 })
      .toBe('SUCCESS')
    const documents = createDocuments({ threads: 1 })
    onTestFinished(() => documents.close())
    for (const call of [client.getFaxReceipt, client.getJobReceipt]) {
      const pdf = await call({ params: { id } })
      expect(pdf.type).toBe('application/pdf')
      expect(await documents.inspect(new Uint8Array(await pdf.arrayBuffer()))).toMatchObject({ kind: 'pdf', pages: 1 })
    }
  })

  it('is refused with a sentence while the fax is under way, and there is one of a fax that failed', async () => {
    const { client } = await startGateway()
    const { id } = await client.submitFax({ form: { to: '+15555550100', file: letter() } })
    await expect
      .poll(async () => (await client.getJob({ params: { id } })).error_kind, { timeout: 8000, interval: 20 })
      .toBe('busy')
    await expect(client.getFaxReceipt({ params: { id } })).rejects.toMatchObject({
      status: 409,
      answer: { detail: expect.stringContaining('still in progress') as unknown },
    })
    await client.cancelJob({ params: { id } })
    expect((await client.getFaxReceipt({ params: { id } })).size).toBeGreaterThan(1000)
    await expect(client.getFaxReceipt({ params: { id: '0'.repeat(32) } })).rejects.toMatchObject({ status: 404 })
  })

  it('says durations as people do', () => {
    const from = '2026-03-01T12:00:00.000Z'
    expect(durationInWords(from, '2026-03-01T12:00:42.400Z')).toBe('42 s')
    expect(durationInWords(from, '2026-03-01T12:01:12.000Z')).toBe('1 min 12 s')
    expect(durationInWords(from, null)).toBeUndefined()
  })
})

onSqliteFirst((open) => {
  it('the receipt of the test line says in its heading that no fax was sent, and never that it was delivered', async () => {
    const database = await open()
    const made = makeLine()
    made.provider = { ...made.provider, kind: 'builtin' }
    made.answers.push(async () => ({ state: 'delivered', pagesConfirmed: 1 }))
    const desk = await faxDesk(database, made)
    const shown: Receipt[] = []
    const keep = async (receipt: Receipt) => (shown.push(receipt), Buffer.from('%PDF-'))
    const key = { key_id: 'aaaaaaaaaaaa', secret_sha256: '', name: 'Front desk', owner: null, scopes: 'fax:send' }
    const times = { created_at: '2026-03-01T12:00:00.000Z', last_used_at: null, expires_at: null, revoked_at: null }
    await database.db
      .insertInto('api_keys')
      .values({ ...key, ...times, fax_access: 'own', received_delete: 0 })
      .execute()
    const { id } = await desk.submit({ caller_key_id: key.key_id })
    await desk.work()
    await readReceipt({ ...desk.context, documents: { ...desk.context.documents, receipt: keep } }, id, 'test')
    expect(shown[0]?.title).toBe('TEST LINE: no fax was sent')
    expect(shown[0]?.outcome).toMatch(/^Test only: not sent\./)
    expect(shown[0]?.facts).toContainEqual(['Sent by', 'Front desk'])
    expect(shown[0]?.facts).toContainEqual(['Pages confirmed', 'none, nothing was sent'])
    const words = JSON.stringify([shown[0]?.facts, shown[0]?.attempts])
    expect(words).not.toMatch(/\b\d+ of \d+|\bDelivered\b/)
    expect(shown[0]?.attempts).toEqual([expect.stringContaining('Test: ended as delivered, not sent.')])
    const { timeline } = await readJob(desk.context, id)
    expect(timeline.at(-1)?.sentence).toMatch(/^Test only: no fax was sent\./)
  })
})
