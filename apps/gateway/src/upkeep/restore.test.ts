import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { writeMigrated } from '../testing/migrated-file.ts'
import { startGateway } from '../testing/start-gateway.ts'
import { backUp } from './backup.ts'
import { holdFaxes } from './hold.ts'
import { restore } from './restore.ts'

/** A stand-in of Phaxio that counts what it is given, and lists it. Nobody listens until it is opened. */
async function countingProvider() {
  const taken: { id: number; to: string; attempt: string; at: string }[] = []
  const describe = ({ id, to, attempt, at }: (typeof taken)[number]) => ({
    id,
    direction: 'sent',
    status: 'success',
    num_pages: 1,
    created_at: at,
    tags: { attempt },
    recipients: [{ phone_number: to, status: 'success' }],
  })
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '', 'http://phaxio.test')
    let body = ''
    for await (const part of request.setEncoding('latin1')) body += String(part)
    const field = (name: string) => new RegExp(`name="${name}"\\r\\n\\r\\n([^\\r]*)`).exec(body)?.[1] ?? ''
    const say = (data: unknown) => response.end(JSON.stringify({ success: true, data }))
    const [, one] = /\/faxes\/(\d+)$/.exec(url.pathname) ?? []
    if (request.method === 'POST') {
      const fax = { id: taken.length + 1, to: field('to'), attempt: field('tag\\[attempt\\]'), at: clock.now() }
      taken.push(fax)
      say({ id: fax.id })
    } else if (one) say(taken.filter(({ id }) => String(id) === one).map(describe)[0])
    else {
      const attempt = url.searchParams.get('tag[attempt]')
      say(taken.filter((fax) => attempt === null || fax.attempt === attempt).map(describe))
    }
  }
  const clock = { now: () => new Date().toISOString() }
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  server.close()
  await once(server, 'close')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { taken, port, clock, open: () => once(server.listen(port, '127.0.0.1'), 'listening') }
}

const folder = async () => {
  const path = await mkdtemp(join(tmpdir(), 'faxdeck-restore-'))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}
const numberOf = (index: number) => `+1303555${String(1200 + index)}`

describe('holding faxes by hand', () => {
  it('makes no database where there is none, and holds what waits where there is one', async () => {
    const [directory, now] = [await folder(), () => new Date()]
    await expect(holdFaxes({ directory, env: {}, now })).rejects.toThrow(/There is no database at .*--data/)
    expect(await readdir(directory)).toEqual([])
    await writeMigrated(join(directory, 'faxdeck.db'))
    const asOf = new Date('2026-11-21T18:00:00Z')
    expect(await holdFaxes({ directory, env: {}, asOf, now })).toEqual({ held: 0, asOf })
  })
})

describe('faxes that a backup had waiting', { timeout: 60_000 }, () => {
  it('are sent by nobody after a restore until a person releases them, and say what the provider lists', async () => {
    const provider = await countingProvider()
    let ms = Date.now()
    const now = () => new Date(ms)
    provider.clock.now = () => now().toISOString()
    const env = {
      FAX_DISABLED: 'false',
      FAX_BACKEND: 'phaxio',
      PHAXIO_API_KEY: 'a-key',
      PHAXIO_API_SECRET: 'a-secret',
      PHAXIO_BASE_URL: `http://127.0.0.1:${provider.port}/v2.1`,
    }
    const live = await startGateway({ env, now })
    const ids: string[] = []
    for (let index = 0; index < 10; index += 1) {
      const file = new File([`Dear colleague ${index},`], 'letter.txt')
      ids.push((await live.client.submitFax({ form: { to: numberOf(index), file } })).id)
    }
    // None is being handed over: that one would be followed before it waits for a person.
    const waits = ({ status, next_try_at: next }: { status: string; next_try_at: string | null }) =>
      status === 'queued' || next !== null
    await expect
      .poll(async () => (await live.client.listJobs({ query: {} })).jobs.every(waits), {
        timeout: 20_000,
        interval: 20,
      })
      .toBe(true)
    const spare = await folder()
    const [source, directory] = [join(spare, 'backup'), join(spare, 'data')]
    await backUp({ directory: live.directory, target: source, env: {}, now: now(), onProgress: () => undefined })

    await provider.open()
    ms += 30 * 60_000
    await expect.poll(() => provider.taken.length, { timeout: 30_000, interval: 20 }).toBe(10)
    await live.stop()

    const { held } = await restore({ source, directory, now, onProgress: () => undefined })
    expect(held).toBe(10)
    ms += 60_000
    const { client } = await startGateway({ env, now, directory })
    const listHeld = async () => (await client.listJobs({ query: { status: 'held' } })).jobs
    await expect
      .poll(async () => (await listHeld()).every((job) => job.held?.asked_at != null), { timeout: 20_000 })
      .toBe(true)
    ms += 24 * 3_600_000
    const jobs = await listHeld()
    expect(jobs).toHaveLength(10)
    for (const job of jobs) {
      expect(job).toMatchObject({ needs_attention: true, actions: ['refresh', 'release', 'cancel'] })
      expect(job.held?.found).toEqual([{ provider: 'Phaxio', at: expect.any(String) as unknown, state: 'delivered' }])
      expect(job.held?.sentence).toContain('Phaxio lists a fax to this number since the backup: delivered.')
    }
    const { attention } = await client.getActivity({ query: {} })
    expect(attention[0]).toMatchObject({ kind: 'held', sentence: expect.stringContaining('10 faxes have been held') })
    expect((await client.getHealthStatus({})).jobs).toMatchObject({
      held: 10,
      attention: 10,
      queued: 0,
      in_progress: 0,
    })
    expect(provider.taken).toHaveLength(10)

    const [first = '', second = ''] = ids
    await client.releaseJob({ params: { id: first } })
    await expect(client.releaseJob({ params: { id: first } })).rejects.toMatchObject({ status: 409 })
    expect(await client.cancelJob({ params: { id: second } })).toMatchObject({ status: 'FAILED', held: null })
    await expect.poll(() => provider.taken.length, { timeout: 20_000 }).toBe(11)
    expect(provider.taken.at(-1)?.to).toBe(numberOf(0))
    expect(await listHeld()).toHaveLength(8)
    expect((await client.listLogs({ query: { event: 'job_released' } })).items).toHaveLength(1)
    expect((await client.verifyAuditChain({})).intact).toBe(true)
  })
})
