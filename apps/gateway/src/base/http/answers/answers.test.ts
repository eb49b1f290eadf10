import { Readable } from 'node:stream'
import type { Routes } from '@faxdeck/contract'
import { describe, expect, it } from 'vitest'
import { DatabaseAway, OutcomeUnknown } from '../../db/outage.ts'
import { DatabaseMoved } from '../../db/watch-place.ts'
import { StorageProblem } from '../../storage/storage.ts'
import type { Call, FileAnswer } from '../handler.ts'
import { Problem } from './problem.ts'
import { smallApp } from '../testing/small-app.ts'

const id = 'a'.repeat(32)
const boundary = 'xyz'
const multipart = { 'content-type': `multipart/form-data; boundary=${boundary}` }

type Part = { name: string; fileName?: string; content: string | Buffer }

function formOf(...parts: Part[]): Buffer {
  const chunks = parts.flatMap(({ name, fileName, content }) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${fileName === undefined ? '' : `; filename="${fileName}"`}\r\n\r\n`,
    ),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)])
}

/** A server whose POST /fax fails with `error`, after remembering what it was given. */
async function failingWith(error: unknown, settings = {}) {
  const calls: Call<Routes['submitFax']>[] = []
  const small = await smallApp(
    {
      submitFax: (call) => {
        calls.push(call)
        throw error
      },
      createApiKey: () => {
        throw error
      },
    },
    settings,
  )
  const post = (body: Buffer, headers: Record<string, string> = multipart) =>
    small.ask({ method: 'POST', url: '/fax', headers, payload: body })
  return { ...small, calls, post }
}

const document = { name: 'file', fileName: 'a.pdf', content: '%PDF-1.4' }
const number = { name: 'to', content: '+15555550123' }
const done = new Problem('conflict')

describe('error answers', () => {
  it('carry the sentence, the code and the id of the request', async () => {
    const { post } = await failingWith(new Problem('bad_number', 'Too short.'))
    const answer = await post(formOf(number, document))
    expect(answer.statusCode).toBe(400)
    const id = String(answer.headers['x-request-id'])
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(answer.json()).toEqual({
      type: 'urn:faxdeck:problem:bad_number',
      title: 'Invalid phone number',
      status: 400,
      detail: 'Too short.',
      instance: `urn:faxdeck:request:${id}`,
      code: 'bad_number',
      request_id: id,
    })
  })

  it.each([
    [undefined, 'application/problem+json; charset=utf-8'],
    ['*/*', 'application/problem+json; charset=utf-8'],
    ['application/json, text/plain, */*', 'application/problem+json; charset=utf-8'],
    ['application/problem+json, application/json', 'application/problem+json; charset=utf-8'],
    ['text/html', 'application/problem+json; charset=utf-8'],
    ['application/json', 'application/json; charset=utf-8'],
    ['Application/JSON;q=0.9, text/event-stream', 'application/json; charset=utf-8'],
    ['application/json, application/problem+json;q=0', 'application/json; charset=utf-8'],
  ])('to a caller who accepts %j are %s', async (accept, type) => {
    const { ask } = await failingWith(done)
    const answer = await ask({ url: '/nothing', headers: { accept } })
    expect([answer.headers['content-type'], answer.json().code]).toEqual([type, 'not_found'])
  })

  it('tell nothing of what failed inside; the log does, under the same id', async () => {
    const { post, logged, seen } = await failingWith(new Error('SELECT * FROM secrets'))
    const answer = await post(formOf(number, document))
    expect(answer.statusCode).toBe(500)
    expect(answer.body).not.toContain('secrets')
    expect(logged).toHaveLength(1)
    expect(logged[0]).toContain('SELECT * FROM secrets')
    expect(logged[0]).toContain(answer.json().request_id)
    await post(formOf(number, document))
    expect(seen.apiError).toEqual([{ path: '/fax', status: '500' }])
  })

  it.each([
    [new StorageProblem('full', 'full'), 507, 'storage_full'],
    [Object.assign(new Error('no space'), { code: 'ENOSPC' }), 507, 'storage_full'],
    [Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' }), 507, 'storage_full'],
    [new StorageProblem('missing', 'gone'), 404, 'document_missing'],
    [new StorageProblem('unreachable', 'The bucket does not answer.'), 503, 'storage_unavailable'],
    [new DatabaseAway('connect ECONNREFUSED 10.0.0.7:5432'), 503, 'database_unavailable'],
    [new OutcomeUnknown('read ECONNRESET'), 503, 'outcome_unknown'],
    [new StorageProblem('displaced', 'The folder is another one.'), 503, 'storage_unavailable'],
    [new DatabaseMoved('/data/faxdeck.db', 'nothing'), 503, 'storage_unavailable'],
    [Object.assign(new Error('permission denied'), { code: 'EACCES' }), 503, 'storage_unavailable'],
    [Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_WRITE' }), 503, 'storage_unavailable'],
    [Object.assign(new Error('readonly database'), { code: 'SQLITE_READONLY_DBMOVED' }), 503, 'storage_unavailable'],
    [Object.assign(new Error('could not extend file'), { code: '53100' }), 507, 'storage_full'],
    [new StorageProblem('bad_key', 'ours'), 500, 'internal'],
    ['thrown text', 500, 'internal'],
    [undefined, 500, 'internal'],
  ])('map %s to %i', async (error, status, code) => {
    const { post } = await failingWith(error)
    const answer = await post(formOf(number, document))
    expect([answer.statusCode, answer.json().code]).toEqual([status, code])
    expect(answer.headers['retry-after'] === undefined).toBe(status !== 503)
    expect(answer.body).not.toContain('ECONN')
  })

  it('list the fields of a body that does not fit', async () => {
    const { ask } = await failingWith(done)
    const answer = await ask({ method: 'POST', url: '/admin/api-keys', payload: { scopes: ['*'], name: '' } })
    expect(answer.statusCode).toBe(422)
    expect(
      answer
        .json()
        .fields.map(({ field }: { field: string }) => field)
        .sort(),
    ).toEqual(['name', 'scopes.0'])
  })

  it.each([
    ['{"name":', 'application/json', 400],
    ['{"__proto__":{"x":1}}', 'application/json', 400],
    ['[1]', 'application/json', 422],
    ['name=x', 'application/x-www-form-urlencoded', 415],
    ['hello', 'text/plain', 415],
    ['', 'application/json', 422],
  ])('refuse the body %j as %s with %i', async (payload, type, status) => {
    const { ask } = await failingWith(done)
    const answer = await ask({ method: 'POST', url: '/admin/api-keys', payload, headers: { 'content-type': type } })
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toMatchObject({ detail: expect.stringMatching(/\.$/), request_id: expect.any(String) })
  })

  it('refuse a JSON body of more than 4 MB', async () => {
    const { ask } = await failingWith(done)
    const answer = await ask({ method: 'POST', url: '/admin/api-keys', payload: { name: 'x'.repeat(5_000_000) } })
    expect([answer.statusCode, answer.json().code]).toEqual([413, 'too_large'])
  })

  it.each(['/nothing', '/fax/..%2f..%2fetc', '/%zz', `/admin/api-keys/${'x'.repeat(5000)}`])(
    'answer %s in the same shape',
    async (url) => {
      const { ask } = await failingWith(done)
      const answer = await ask({ url })
      expect([400, 404, 405, 414]).toContain(answer.statusCode)
      expect(answer.json()).toMatchObject({ code: expect.any(String), detail: expect.any(String) })
    },
  )
})

describe('forms', () => {
  it('reach the handler as fields and one file', async () => {
    const { post, calls } = await failingWith(done)
    await post(formOf(number, document))
    expect(calls[0]).toMatchObject({
      form: { to: '+15555550123' },
      file: { fileName: 'a.pdf' },
      caller: { keyId: 'admin-key' },
    })
    expect(calls[0]?.file?.bytes.toString()).toBe('%PDF-1.4')
  })

  it('may come with the file first, or without one', async () => {
    const { post, calls } = await failingWith(done)
    await post(formOf(document, number))
    await post(formOf(number))
    expect(calls.map(({ file }) => file?.bytes.length)).toEqual([8, undefined])
  })

  it.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\x\\letter.pdf', 'letter.pdf'],
    ['a\u202efdp.exe', 'afdp.exe'],
    ['..', null],
    [`${'long'.repeat(100)}.pdf`, `${'long'.repeat(100).slice(0, 115)}….pdf`],
  ])('name the file %j as %j', async (fileName, expected) => {
    const { post, calls } = await failingWith(done)
    await post(formOf(number, { ...document, fileName }))
    expect(calls[0]?.file?.fileName).toBe(expected)
  })

  it('are bounded while they arrive, and by what they announce', async () => {
    const { post, calls } = await failingWith(done, { max_file_size_mb: 1 })
    const large = { ...document, content: Buffer.alloc(1024 * 1024 + 1) }
    const arriving = await post(formOf(number, large))
    expect(arriving.json()).toMatchObject({ code: 'too_large', detail: expect.stringContaining('larger than 1 MB') })
    const announced = await post(formOf(number), { ...multipart, 'content-length': '3000000' })
    expect(announced.statusCode).toBe(413)
    expect(calls).toEqual([])
    await post(formOf(number, { ...document, content: Buffer.alloc(1024 * 1024) }))
    expect(calls).toHaveLength(1)
  })

  it('are refused when they are something else, or more than was asked', async () => {
    const { post } = await failingWith(done)
    const codes = await Promise.all([
      post(Buffer.from('{}'), { 'content-type': 'application/json' }),
      post(formOf(number, document, document)),
      post(formOf(number, { ...document, name: 'other' })),
      post(formOf(number, number, document)),
      post(formOf({ name: '__proto__', content: 'x' }, number, document)),
      post(formOf(document)),
      post(formOf(number, document).subarray(0, -20)),
      post(Buffer.from('no form at all')),
      post(formOf(...Array.from({ length: 30 }, (_, index) => ({ name: `n${index}`, content: '' })))),
    ])
    expect(codes.map((answer) => answer.statusCode)).toEqual([415, 400, 400, 400, 400, 422, 400, 400, 400])
  })
})

describe('file answers', () => {
  const serve = (answer: FileAnswer) =>
    smallApp({ getJobPdf: () => answer, getJobPage: () => answer, exportJobs: () => answer })

  it('have a type, a safe name, and are not kept by anybody', async () => {
    const { ask } = await serve({ content: Buffer.from('%PDF'), fileName: 'Brief "an" Köln.pdf' })
    const answer = await ask({ url: `/admin/fax-jobs/${id}/pdf` })
    expect(answer.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="Brief__an__K_ln.pdf"; filename*=UTF-8''Brief%20%22an%22%20K%C3%B6ln.pdf`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
  })

  it('are not sent again to who has them', async () => {
    const { ask } = await serve({ content: Buffer.from('png'), etag: 'v1' })
    const url = `/admin/fax-jobs/${id}/pages/1`
    expect((await ask({ url })).headers).toMatchObject({ etag: '"v1"', 'content-type': 'image/png' })
    for (const tag of ['"v1"', 'W/"v1"', '"v0", "v1"', '*']) {
      const known = await ask({ url, headers: { 'if-none-match': tag } })
      expect([known.statusCode, known.body]).toEqual([304, ''])
    }
    expect((await ask({ url, headers: { 'if-none-match': '"v2"' } })).statusCode).toBe(200)
  })

  it('are continued where a download broke off, and named by their bytes', async () => {
    const { ask } = await serve({ content: Buffer.from('%PDF-1.7') })
    const get = (headers: Record<string, string>) => ask({ url: `/admin/fax-jobs/${id}/pdf`, headers })
    const etag = String((await get({})).headers.etag)
    expect((await get({ 'if-none-match': etag })).statusCode).toBe(304)
    const asked = async (range: string, more = {}) => {
      const { statusCode, body, headers } = await get({ range, ...more })
      return [statusCode, body, headers['content-range']]
    }
    expect(await asked('bytes=0-3')).toEqual([206, '%PDF', 'bytes 0-3/8'])
    expect(await asked('bytes=5-')).toEqual([206, '1.7', 'bytes 5-7/8'])
    expect(await asked('bytes=-3', { 'if-range': etag })).toEqual([206, '1.7', 'bytes 5-7/8'])
    expect(await asked('bytes=5-99')).toEqual([206, '1.7', 'bytes 5-7/8'])
    for (const range of ['bytes=8-', 'bytes=-0']) expect(await asked(range)).toEqual([416, '', 'bytes */8'])
    for (const range of ['bytes=0-1,3-4', 'bytes=3-1', 'bytes=-', 'pages=1-2'])
      expect(await asked(range)).toEqual([200, '%PDF-1.7', undefined])
    expect(await asked('bytes=5-', { 'if-range': '"other"' })).toEqual([200, '%PDF-1.7', undefined])
  })

  it('may be streams', async () => {
    const { ask } = await serve({ content: Readable.from(['a,b\n', '1,2\n']) })
    const answer = await ask({ url: '/admin/fax-jobs/export.csv' })
    expect(answer.body).toBe('a,b\n1,2\n')
    expect(answer.headers['content-type']).toContain('text/csv')
  })
})

describe('a reply that is not what the contract says', () => {
  it('never leaves the house', async () => {
    const { ask, logged } = await smallApp({ health: () => ({ status: 'fine' }) as unknown as { status: 'ok' } })
    expect((await ask({ url: '/health' })).statusCode).toBe(500)
    expect(logged.join()).toContain('match the schema')
  })
})
