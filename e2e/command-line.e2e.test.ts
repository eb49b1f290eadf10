import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport, type StdioServerParameters } from '@modelcontextprotocol/client/stdio'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startFaxdeck } from './harness/command-line.ts'
import { databaseMark } from './harness/database-mark.ts'
import { type GatewayProcess, prepareGateway, startGateway, unlimited } from './harness/gateway-process.ts'
import { pdfFile, pdfOf } from './harness/paper.ts'
import { finishedJob } from './harness/received.ts'

const isLong = process.env.FAXDECK_LONG !== undefined

let gateway: GatewayProcess
let folder: string
let faxdeck: ReturnType<typeof startFaxdeck>
const number = '+15555550123'

beforeAll(async () => {
  gateway = await startGateway({ env: { ...unlimited, TESTLINE_SECONDS: '0' } })
  folder = mkdtempSync(join(tmpdir(), 'faxdeck-cli-'))
  writeFileSync(join(folder, 'letter.pdf'), pdfOf([['From the command line.']]))
  faxdeck = startFaxdeck(folder, { FAXDECK_URL: gateway.url, FAXDECK_API_KEY: gateway.key })
})
afterAll(async () => {
  await gateway.remove()
  rmSync(folder, { recursive: true, force: true })
})

const json = (printed: string) => JSON.parse(printed)
/** A fax that has been delivered; not by the program, which takes half a second to begin. */
const sendOne = async () => {
  const file = pdfFile('letter.pdf', [['Sent before.']])
  const { id } = await gateway.client.submitFax({ form: { to: number, file } })
  await finishedJob(gateway.client, id)
  return id
}

describe('sending', () => {
  it('hands over to several numbers, waits for the outcome and shows no number in full', async () => {
    const [sent, { out }] = await Promise.all([
      faxdeck(['send', 'letter.pdf', number, '+15555550124', '--wait', '--json']),
      faxdeck(['send', 'letter.pdf', number, '--numbers']),
    ])
    expect(sent.code).toBe(0)
    const { faxes, refused } = json(sent.out)
    expect(faxes).toMatchObject([
      { status: 'SUCCESS', to: '********0123' },
      { status: 'SUCCESS', to: '********0124' },
    ])
    expect(refused).toEqual([])
    expect(sent.out + sent.error).not.toContain(number)
    expect(out).toContain(number)
  })

  it('reads standard input and tells each change as it waits', async () => {
    const sent = await faxdeck(['send', '-', number, '--name', 'note.txt', '--wait'], { input: 'A note by pipe.' })
    expect(sent).toMatchObject({ code: 0, out: expect.stringContaining('SUCCESS') })
    expect(sent.error).toMatch(/^[0-9a-f]{32} (queued|in_progress|SUCCESS)$/m)
    const id = /[0-9a-f]{32}/.exec(sent.out)?.[0] ?? ''
    expect(await gateway.client.getJob({ params: { id } })).toMatchObject({ file_name: 'note.txt' })
  })

  it('is the same fax when it is repeated with the same key', async () => {
    const args = ['send', 'letter.pdf', number, '--idempotency-key', 'invoice-17', '--json']
    const [first, second] = [await faxdeck(args), await faxdeck(args)]
    expect(json(second.out).faxes[0].id).toBe(json(first.out).faxes[0].id)
  })

  it('puts a cover page before the others, and says which there are', async () => {
    const cover = ['--cover', 'formal', '--cover-to', 'Dr. Alvarez', '--cover-note', 'As agreed.']
    const [{ out }, unknown] = await Promise.all([
      faxdeck(['send', 'letter.pdf', number, ...cover, '--json']),
      faxdeck(['send', 'letter.pdf', number, '--cover', 'fancy']),
    ])
    expect(json(out).faxes[0]).toMatchObject({ pages: 2 })
    expect(unknown).toMatchObject({
      code: 2,
      error: expect.stringContaining('--cover is one of none, plain, formal, confidential.'),
    })
  })

  it('goes on after a number that is refused, and says which', async () => {
    const sent = await faxdeck(['send', 'letter.pdf', '123', number, '--json'])
    expect(sent.code).toBe(1)
    expect(json(sent.out)).toMatchObject({ faxes: [{ to: '********0123' }], refused: [{ to: '****' }] })
  })

  it('sends nothing twice to a number that is named twice, and nothing that is empty', async () => {
    const before = (await gateway.client.listJobs({ query: {} })).total
    const [twice, empty, nowhere] = await Promise.all([
      faxdeck(['send', 'letter.pdf', number, '+1 555 555-0123']),
      faxdeck(['send', '-', number], { input: '' }),
      faxdeck(['send', 'no.pdf', number]),
    ])
    expect(twice).toMatchObject({ code: 2 })
    expect(empty).toMatchObject({
      code: 1,
      error: 'faxdeck: Standard input is empty: there is nothing to send.\n',
    })
    expect(nowhere.error).toMatch(/There is no such file or folder: .*no\.pdf\./)
    expect((await gateway.client.listJobs({ query: {} })).total).toBe(before)
  })

  it('quotes a document without sending it', async () => {
    const { out } = await faxdeck(['quote', 'letter.pdf'])
    expect(out).toMatch(/^1 page, 1 minute: about \d+ s at 14,400 bit\/s/)
  })
})

describe('following', () => {
  it('tells the state of faxes and their history', async () => {
    const id = await sendOne()
    const [known, history, unknown] = await Promise.all([
      faxdeck(['status', id]),
      faxdeck(['status', id, '--history']),
      faxdeck(['status', '0'.repeat(32)]),
    ])
    expect(known).toMatchObject({ code: 0, out: expect.stringContaining('SUCCESS') })
    expect(history.out.split('\n').length).toBeGreaterThan(3)
    expect(unknown).toMatchObject({
      code: 1,
      error: 'faxdeck: There is no fax with this id.\n',
    })
  })

  it('ends with a code of its own when the time is up', async () => {
    // A call to this number lasts ten seconds.
    const sent = await faxdeck(['send', 'letter.pdf', '+15555550104', '--wait', '--within', '1', '--json'])
    expect(sent.code).toBe(6)
  })

  it('watches a fax as lines of JSON', async () => {
    const { out } = await faxdeck(['send', 'letter.pdf', '+15555550188', '--json'])
    const watched = await faxdeck(['watch', json(out).faxes[0].id, '--json'])
    expect(watched.code).toBe(0)
    const states = watched.out
      .trim()
      .split('\n')
      .map((line) => json(line).status)
    expect(states.at(-1)).toBe('SUCCESS')
  })

  it('watches all faxes until it is ended', async () => {
    const watching = faxdeck.spawn(['watch', '--json'])
    let reported = ''
    watching.stdout.on('data', (data) => (reported += String(data)))
    // What changed before the first look is not told, so another fax is sent until one is.
    await expect.poll(async () => sendOne().then(() => reported), { timeout: 60_000 }).toContain('\n')
    expect(json(reported.split('\n')[0] ?? '')).toMatchObject({ to_number: '********0123' })
    watching.kill('SIGINT')
    await once(watching, 'close')
  })

  it('lists jobs by filter and page', async () => {
    await sendOne()
    const first = await faxdeck(['jobs', '--status', 'SUCCESS', '--limit', '1'])
    const cursor = /--cursor (\S+)/.exec(first.error)?.[1] ?? ''
    const second = await faxdeck(['jobs', '--limit', '1', '--cursor', cursor])
    expect(second.out.split('\n')[1]?.slice(0, 32)).not.toBe(first.out.split('\n')[1]?.slice(0, 32))
    const { total } = await gateway.client.listJobs({ query: {} })
    const [all, lost] = await Promise.all([faxdeck(['jobs', '--all', '--json']), faxdeck(['jobs', '--status', 'lost'])])
    expect(json(all.out).jobs).toHaveLength(total)
    expect(lost).toMatchObject({ code: 2 })
  })
})

describe('changing what was sent', () => {
  it('cancels faxes that have not gone out, and says which it was too late for', async () => {
    const file = pdfFile('letter.pdf', [['To a busy line.']])
    const { id: busy } = await gateway.client.submitFax({ form: { to: '+15555550100', file } })
    const waiting = async () => (await gateway.client.getJob({ params: { id: busy } })).next_try_at
    await expect.poll(waiting, { timeout: 30_000 }).not.toBeNull()
    const done = await sendOne()
    const cancelled = await faxdeck(['cancel', busy, done])
    expect(cancelled).toMatchObject({ code: 1, out: expect.stringContaining(`${busy} to ********0100: FAILED`) })
    expect(cancelled.error).toMatch(new RegExp(`^${done}: .+\\.\n$`))
    expect(await gateway.client.getJob({ params: { id: busy } })).toMatchObject({ error_kind: 'cancelled' })
    expect(json((await faxdeck(['cancel', done, '--json'])).out)).toMatchObject({
      cancelled: [],
      refused: [{ id: done }],
    })
  })

  it('sends a fax again as a new one, waits for it, and goes on after one that it does not know', async () => {
    const first = await sendOne()
    const again = await faxdeck(['resend', '0'.repeat(32), first, '--wait', '--json'])
    expect(again.code).toBe(1)
    const { faxes, refused } = json(again.out)
    expect(refused).toEqual([{ id: '0'.repeat(32), error: 'There is no fax with this id.' }])
    expect(faxes).toMatchObject([{ parent_id: first, to_number: '********0123' }])
    expect(await gateway.client.getFax({ params: { id: faxes[0].id } })).toMatchObject({ status: 'SUCCESS' })
    expect(await faxdeck(['resend', first])).toMatchObject({ code: 0, out: expect.stringContaining(first) })
  })

  it('stops at a key that may not do it', async () => {
    const { token } = await gateway.client.createApiKey({ body: { scopes: ['fax:read'] } })
    const refused = await faxdeck(['resend', ...(await Promise.all([sendOne(), sendOne()]))], {
      env: { FAXDECK_API_KEY: token },
    })
    expect(refused).toMatchObject({ code: 4, out: '' })
    expect(refused.error.trim().split('\n')).toHaveLength(1)
  })
})

it('lists what was received and saves it for this user alone', async () => {
  await sendOne()
  const received = async () => (await gateway.client.listInbound({ query: { status: 'received' } })).length
  await expect.poll(received, { timeout: 30_000 }).toBeGreaterThan(0)
  const [fax] = json((await faxdeck(['inbox', '--status', 'received', '--limit', '1', '--json'])).out)
  expect(fax.to).toMatch(/^\*+\d{4}$/)
  expect(await faxdeck(['download', fax.id, 'received.pdf'])).toMatchObject({ code: 0, out: 'received.pdf\n' })
  const path = join(folder, 'received.pdf')
  expect(readFileSync(path).subarray(0, 5).toString()).toBe('%PDF-')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  const [again, shown] = await Promise.all([
    faxdeck(['download', fax.id, 'received.pdf']),
    faxdeck(['download', fax.id, '-']),
  ])
  expect(again).toMatchObject({ code: 1 })
  expect(shown.out.slice(0, 5)).toBe('%PDF-')
  expect(await faxdeck(['download', fax.id, 'received.pdf', '--force'])).toMatchObject({ code: 0 })
})

describe('administering', () => {
  it('makes, lists, rotates and revokes keys; the token stands alone', async () => {
    const made = await faxdeck(['keys', 'create', '--name', 'Desk', '--scope', 'fax:read', '--expires', '2099-01-31'])
    expect(made.out).toMatch(/^fdk_live_\S+\n$/)
    const id = /Key ([0-9a-f]{12})/.exec(made.error)?.[1] ?? ''
    const weak = { FAXDECK_API_KEY: made.out.trim() }
    const [listed, refused, unknown] = await Promise.all([
      faxdeck(['keys', 'list']),
      faxdeck(['send', 'letter.pdf', number], { env: weak }),
      faxdeck(['keys', 'create', '--scope', 'all']),
    ])
    expect(listed.out).toContain('Desk')
    expect(refused).toMatchObject({ code: 4 })
    expect(unknown.error).toContain('There is no scope "all"')
    const rotated = await faxdeck(['keys', 'rotate', id])
    expect(rotated.out).not.toBe(made.out)
    expect(await faxdeck(['keys', 'revoke', id])).toMatchObject({ code: 0 })
    expect((await faxdeck(['keys', 'list'])).out).not.toContain('Desk')
  })

  it('reads, changes, exports and imports settings without showing a secret', async () => {
    expect((await faxdeck(['settings', 'get', 'MAX_FILE_SIZE_MB'])).out).toBe('10\n')
    expect(
      (
        await faxdeck(['settings', 'set', 'MAX_FILE_SIZE_MB=20', 'PHAXIO_API_SECRET=-'], {
          input: 'a-long-secret-value\n',
        })
      ).code,
    ).toBe(0)
    const [size, secret, plain, whole] = await Promise.all([
      faxdeck(['settings', 'get', 'max_file_size_mb']),
      faxdeck(['settings', 'get', 'PHAXIO_API_SECRET']),
      faxdeck(['settings', 'export']),
      faxdeck(['settings', 'export', 'all.env', '--secrets']),
    ])
    expect(size.out).toBe('20\n')
    expect(secret.out).not.toContain('a-long-secret')
    expect(plain.out).toContain('MAX_FILE_SIZE_MB=20')
    expect(plain.out).not.toContain('a-long-secret')
    expect(whole.out).toBe('all.env\n')
    expect(readFileSync(join(folder, 'all.env'), 'utf8')).toContain('a-long-secret-value')
    await faxdeck(['settings', 'set', 'MAX_FILE_SIZE_MB=', 'PHAXIO_API_SECRET='])
    writeFileSync(join(folder, 'some.env'), 'MAX_FILE_SIZE_MB=30\n')
    expect((await faxdeck(['settings', 'import', 'some.env'])).out).toBe('Saved: MAX_FILE_SIZE_MB.\n')
    const [bad, unknown] = await Promise.all([
      faxdeck(['settings', 'set', 'MAX_FILE_SIZE_MB=much']),
      faxdeck(['settings', 'set', 'NOTHING=1']),
    ])
    expect([bad.code, unknown.code]).toEqual([1, 2])
    expect(bad.error).toMatch(/^faxdeck: MAX_FILE_SIZE_MB: \S/)
    expect((await gateway.client.getSettings({})).limits.max_file_size_mb).toBe(30)
  })

  it('tells what is wrong and how to mend it, and ends with 1 when it is critical', async () => {
    const { summary } = await gateway.client.runDiagnostics({})
    const said = await faxdeck(['doctor'])
    expect(said.code).toBe(summary.healthy ? 0 : 1)
    for (const sentence of [...summary.critical_issues, ...summary.warnings]) expect(said.out).toContain(sentence)
  })

  it('verifies the audit trail', async () => {
    expect(await faxdeck(['verify-audit'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Intact: \d+ entries/),
    })
  })
})

describe('what goes wrong', () => {
  it('has a code and a sentence that says what to do', async () => {
    const [away, wrongKey, frobnicate, option, nothing, refused] = await Promise.all([
      faxdeck(['jobs', '--url', 'http://127.0.0.1:9']),
      faxdeck(['jobs', '--key', 'wrong']),
      faxdeck(['frobnicate']),
      faxdeck(['jobs', '--frobnicate']),
      faxdeck(['status']),
      faxdeck(['status', '0'.repeat(32), '--json']),
    ])
    expect(away).toMatchObject({
      code: 3,
      error: expect.stringMatching(/^faxdeck: The gateway at http:\/\/127\.0\.0\.1:9 cannot be reached/),
    })
    expect(wrongKey).toMatchObject({
      code: 4,
      error: expect.stringContaining('--key'),
    })
    expect([frobnicate.code, option.code, nothing.code]).toEqual([2, 2, 2])
    expect(json(refused.error)).toMatchObject({ error: { code: 'fax_not_found', exit_code: 1 } })
  })

  it('takes the first key of a gateway on this machine, and hands it to no other', async () => {
    writeFileSync(join(folder, 'bootstrap-key'), gateway.key)
    const env = { FAXDECK_API_KEY: '', FAX_DATA_DIR: folder }
    const [here, elsewhere] = await Promise.all([
      faxdeck(['keys', 'list'], { env }),
      faxdeck(['keys', 'list'], { env: { FAXDECK_API_KEY: '' } }),
    ])
    expect([here.code, elsewhere.code]).toEqual([0, 4])
  })
})

describe('a backup', () => {
  it('is taken while the gateway works, and restores to a gateway with everything in it', async () => {
    const sending = Promise.all([1, 2, 3].map((n) => faxdeck(['send', 'letter.pdf', `+1555555020${n}`])))
    const id = await sendOne()
    const data = { FAX_DATA_DIR: gateway.directory }
    const made = await faxdeck(['backup', 'kept', '--json'], { env: data })
    expect(made).toMatchObject({ code: 0, error: '' })
    await sending
    expect(await faxdeck(['backup', 'kept'], { env: data })).toMatchObject({
      code: 1,
      error: expect.stringContaining('not empty'),
    })
    const restored = await prepareGateway({ env: unlimited })
    onTestFinished(() => restored.remove())
    expect((await faxdeck(['restore', 'kept', '--data', restored.directory])).code).toBe(0)
    expect(databaseMark(restored.directory)).not.toEqual(databaseMark(gateway.directory))
    await restored.start()
    expect(await restored.client.getJob({ params: { id } })).toMatchObject({ status: 'SUCCESS', document_kept: true })
    expect((await restored.client.getJobPdf({ params: { id } })).size).toBeGreaterThan(100)
    expect(await restored.client.verifyAuditChain({})).toMatchObject({ intact: true })
    expect(readFileSync(join(restored.directory, 'master-key'))).toEqual(
      readFileSync(join(gateway.directory, 'master-key')),
    )
    expect((await faxdeck(['restore', 'kept', '--data', restored.directory])).error).toContain('Stop the gateway first')
  })

  it('that was changed or is not finished restores nothing', async () => {
    expect((await faxdeck(['backup', 'changed'], { env: { FAX_DATA_DIR: gateway.directory } })).code).toBe(0)
    writeFileSync(join(folder, 'changed/master-key'), 'x'.repeat(64))
    const changed = await faxdeck(['restore', 'changed', '--data', 'nothing'])
    expect(changed).toMatchObject({
      code: 1,
      error: expect.stringContaining('master-key is missing from the backup or was changed'),
    })
    expect(readdirSync(folder).filter((name) => name.startsWith('nothing'))).toEqual([])
    rmSync(join(folder, 'changed/manifest.json'))
    expect((await faxdeck(['restore', 'changed', '--data', 'nothing'])).error).toContain('is not a complete backup')
  })
})

const speakers = {
  'the v2 client': async (parameters: StdioServerParameters) => {
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(new StdioClientTransport(parameters))
    return client
  },
  'the v1 client': async (parameters: StdioServerParameters) => {
    const client = new ClientV1({ name: 'test', version: '1' })
    await client.connect(new StdioV1(parameters))
    return client
  },
}

describe.each(Object.entries(speakers).slice(0, isLong ? 2 : 1))(
  'an assistant that starts the program, %s',
  (_name, connect) => {
    const speak = async (key: string) => {
      const { command, args } = faxdeck.command
      const client = await connect({
        command,
        args: [...args, 'mcp'],
        env: { FAXDECK_URL: gateway.url, FAXDECK_API_KEY: key },
      })
      onTestFinished(() => client.close())
      return async (name: string, given: Record<string, unknown>) => {
        const said = await client.callTool({ name, arguments: given })
        return said as { isError?: boolean; structuredContent?: Record<string, unknown>; content: { text: string }[] }
      }
    }

    it('sends, follows and reads what was received', async () => {
      const use = await speak(gateway.key)
      const letter = {
        content_base64: Buffer.from(`A letter by ${_name}.`).toString('base64'),
        file_name: 'letter.txt',
      }
      expect((await use('quote_fax', letter)).structuredContent).toMatchObject({ pages: 1 })
      const sent = await use('send_fax', { to: number, ...letter })
      expect((await use('send_fax', { to: number, ...letter })).structuredContent?.['id']).toBe(
        sent.structuredContent?.['id'],
      )
      const state = async () => (await use('get_fax_status', { id: sent.structuredContent?.['id'] })).structuredContent
      await expect.poll(state, { timeout: 30_000 }).toMatchObject({ status: 'SUCCESS' })
      const received = async () =>
        (await use('list_inbound', {})).structuredContent?.['faxes'] as { id: string; status: string }[]
      await expect.poll(received, { timeout: 30_000 }).toContainEqual(expect.objectContaining({ status: 'received' }))
      const id = (await received()).find(({ status }) => status === 'received')?.id
      const pdf = (await use('get_inbound_pdf', { id })).structuredContent?.['content_base64']
      expect(Buffer.from(String(pdf), 'base64').subarray(0, 5).toString()).toBe('%PDF-')
    })

    it('sends what was handed over by its id, and waits for a person where that is asked for', async () => {
      const use = await speak(gateway.key)
      const uploaded = await faxdeck(['upload', 'letter.pdf'])
      expect(uploaded.out).toMatch(/^upl_[0-9a-f]{32}\n$/)
      const order = { to: number, upload_id: uploaded.out.trim() }
      // Both clients hand over the same letter.
      const own = { ...order, idempotency_key: _name }
      await gateway.client.updateSettings({ body: { require_mcp_quote: true, require_mcp_approval: true } })
      expect((await use('send_fax', own)).content[0]?.text).toContain('(quote_required)')
      const { quote_id } = (await use('quote_fax', order)).structuredContent ?? {}
      const asked = (await use('send_fax', { ...own, quote_id })).structuredContent
      expect(asked).toMatchObject({ status: 'waiting_for_approval' })
      const id = String(asked?.['id'])
      const { job_id } = await gateway.client.approveFax({ params: { id } })
      const state = async () => (await use('get_fax_status', { id })).structuredContent
      await expect.poll(state, { timeout: 30_000 }).toMatchObject({ status: 'SUCCESS', id: job_id })
      await gateway.client.updateSettings({ body: { require_mcp_quote: null, require_mcp_approval: null } })
    })

    it('may do no more than its key, and is told so in a sentence', async () => {
      const { token } = await gateway.client.createApiKey({ body: { scopes: ['fax:read'] } })
      const use = await speak(token)
      const refused = await use('send_fax', { to: number, content_base64: 'QQ==' })
      expect(refused).toMatchObject({
        isError: true,
        content: [{ text: 'This key lacks the scope fax:send. (forbidden)' }],
      })
    })
  },
)

it('explains itself, and colors only a terminal', async () => {
  const asked = [['--help'], ['send', '--help'], ['keys', '--help'], ['keys'], ['doctor']]
  const [all, send, keys, bare, doctor] = await Promise.all(asked.map((args) => faxdeck(args)))
  expect(all).toMatchObject({ code: 0, out: expect.stringContaining('verify-audit') })
  expect(send).toMatchObject({ code: 0, out: expect.stringContaining('--wait') })
  expect(keys).toMatchObject({ code: 0, out: expect.stringContaining('keys rotate') })
  expect(bare).toMatchObject({ code: 2, error: expect.stringContaining('faxdeck keys list') })
  expect(doctor?.out).not.toContain('\u001b')
})

it('runs by its name in the checkout', async () => {
  const child = spawn('npx', ['faxdeck', '--version'], { cwd: new URL('..', import.meta.url) })
  expect((await text(child.stdout)).trim()).toMatch(/^\d+\.\d+\.\d+$/)
})
