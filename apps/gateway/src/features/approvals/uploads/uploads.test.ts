import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDocuments } from '@faxdeck/documents'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Database } from '../../../base/db/database.ts'
import { letter, listen, manners, use } from '../../mcp/testing/speakers.ts'
import { createLocalStorage } from '../../../base/storage/local.ts'
import { onSqliteFirst } from '../../../testing/databases.ts'
import { testContext } from '../../../testing/test-context.ts'
import { expireUploads, keepUpload, documentOf } from '../uploads.ts'

const hour = 3_600_000
const file = { fileName: 'letter.txt', bytes: Buffer.from('Dear colleague.\n') }

async function desk(database: Database) {
  const directory = await mkdtemp(join(tmpdir(), 'faxdeck-uploads-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const documents = createDocuments({ threads: 1 })
  onTestFinished(() => documents.close())
  const clock = { ms: Date.parse('2026-03-01T12:00:00.000Z') }
  const storage = createLocalStorage(directory)
  const context = testContext({ database, storage, documents, now: () => new Date(clock.ms) })
  const read = (uploadId: string, callerKeyId = 'k1') => documentOf(context, { file: undefined, uploadId, callerKeyId })
  return { context, read, pass: (ms: number) => (clock.ms += ms) }
}

onSqliteFirst((open) => {
  describe('an upload', () => {
    it('is the document of a request of the same key for an hour, and of no other', async () => {
      const { context, read, pass } = await desk(await open())
      const { id, pages, kind } = await keepUpload(context, file, 'k1')
      expect([pages, kind]).toEqual([1, 'text'])
      expect(await read(id)).toEqual(file)
      await expect(read(id, 'k2')).rejects.toMatchObject({ code: 'upload_not_found' })
      pass(hour)
      await expect(read(id)).rejects.toMatchObject({ code: 'upload_not_found' })
    })

    it('is removed with its document when the hour is over', async () => {
      const { context, pass } = await desk(await open())
      const old = await keepUpload(context, file, 'k1')
      pass(hour)
      const fresh = await keepUpload(context, file, 'k1')
      await expireUploads(context)
      expect(await context.storage.exists(old.document_key)).toBe(false)
      expect(await context.storage.exists(fresh.document_key)).toBe(true)
      const left = await context.database.db.selectFrom('fax_uploads').select('id').execute()
      expect(left).toEqual([{ id: fresh.id }])
    })

    it('is refused when it cannot be faxed, and when there are fifty', async () => {
      const { context } = await desk(await open())
      const junk = { fileName: null, bytes: Buffer.from([0, 255, 1, 254]) }
      await expect(keepUpload(context, junk, 'k1')).rejects.toMatchObject({
        name: 'DocumentProblem',
        code: 'unsupported',
      })
      for (let n = 0; n < 50; n++) await keepUpload(context, file, 'k1')
      await expect(keepUpload(context, file, 'k1')).rejects.toMatchObject({
        code: 'conflict',
        message: /deleted after an hour/,
      })
      await keepUpload(context, file, 'k2')
    }, 60_000)

    it('does not come with a document beside it, and something has to come', async () => {
      const { context } = await desk(await open())
      const given = { callerKeyId: 'k1', uploadId: `upl_${'0'.repeat(32)}` }
      await expect(documentOf(context, { ...given, file })).rejects.toMatchObject({ code: 'bad_request' })
      await expect(documentOf(context, { ...given, file: undefined, uploadId: undefined })).rejects.toMatchObject({
        code: 'file_missing',
      })
    })
  })
})

describe.each(Object.entries(manners))('%s', (_name, connect) => {
  it('quotes and sends what was uploaded over HTTP by the same key', async () => {
    const { url, client: api } = await listen({ REQUIRE_MCP_QUOTE: 'true' })
    const { token } = await api.createApiKey({ body: { scopes: ['fax:send', 'fax:read'] } })
    const headers = { 'x-api-key': token }
    const body = new FormData()
    body.append('file', new File([Buffer.from(letter, 'base64')], 'letter.txt'))
    const answer = await fetch(`${url}/fax/uploads`, { method: 'POST', headers, body })
    expect(answer.status).toBe(201)
    const { id: upload_id } = (await answer.json()) as { id: string }
    const client = await connect(url, headers)
    onTestFinished(() => client.close())
    const order = { to: '+15555550123', upload_id }
    const quoted = (await use(client, 'quote_fax', order)).structuredContent
    expect(quoted).toMatchObject({ pages: 1 })
    // The quote is of the document, whichever way it comes.
    const sent = await use(client, 'send_fax', { ...order, quote_id: quoted?.['quote_id'] })
    const again = await use(client, 'send_fax', { ...order, quote_id: quoted?.['quote_id'] })
    expect(again.structuredContent).toMatchObject({ id: sent.structuredContent?.['id'] })
    expect((await api.listJobs({ query: {} })).total).toBe(1)
    const job = await api.getJob({ params: { id: String(sent.structuredContent?.['id']) } })
    expect(job).toMatchObject({ file_name: 'letter.txt', document_kind: 'text' })
  })

  it('is told what to do with a wrong id, with both and with neither', async () => {
    const { url, key, client: api } = await listen()
    const { id } = await api.uploadDocument({ form: { file: new File(['A letter.'], 'a.txt') } })
    const { token } = await api.createApiKey({ body: { scopes: ['fax:send'] } })
    const client = await connect(url, { 'x-api-key': token })
    const owner = await connect(url, { 'x-api-key': key })
    onTestFinished(() => Promise.all([client.close(), owner.close()]).then(() => undefined))
    const to = '+15555550123'
    const said = async (who: typeof client, args: object) =>
      (await use(who, 'send_fax', { to, ...args })).content[0]?.text
    expect(await said(client, { upload_id: id })).toContain('(upload_not_found)')
    expect(await said(client, { upload_id: '../../../etc/passwd' })).toContain('The id of an upload is upl_')
    expect(await said(owner, { upload_id: id, content_base64: letter })).toContain('one of the two')
    expect(await said(owner, {})).toContain('one of the two')
    expect((await api.listJobs({ query: {} })).total).toBe(0)
  })
})
