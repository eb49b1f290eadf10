import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startGateway } from '../../testing/start-gateway.ts'
import { lastLines } from './audit-file.ts'

const patient = { timeout: 10_000 }

describe('the audit trail', () => {
  it('is listed newest first, by event, by words and since an instant of any zone', async () => {
    const { client } = await startGateway()
    await client.createApiKey({ body: { owner: 'Reception' } })
    await client.updateSettings({ body: { inbound_list_rpm: 40 } })
    const names = async (query: object) => (await client.listLogs({ query })).items.map(({ event }) => event)
    expect(await names({})).toEqual(['settings_changed', 'api_key_created'])
    expect(await names({ event: 'api_key_created' })).toEqual(['api_key_created'])
    expect(await names({ q: 'reception' })).toEqual(['api_key_created'])
    expect(await names({ limit: 1 })).toEqual(['settings_changed'])
    expect(await names({ since: '2020-01-01T00:00:00+02:00' })).toHaveLength(2)
    expect(await names({ since: new Date(Date.now() + 3_600_000).toISOString() })).toEqual([])
  })

  it('is verified as a chain', async () => {
    const { client } = await startGateway()
    await client.createApiKey({ body: {} })
    expect(await client.verifyAuditChain({})).toEqual({ intact: true, checked: 1, broken_at: null })
  })
})

describe('the audit file', () => {
  it('is written while it is switched on, and read from its end', async () => {
    const { client, directory } = await startGateway({ env: { AUDIT_LOG_ENABLED: 'true' } })
    for (const owner of ['first', 'second', 'third']) await client.createApiKey({ body: { owner } })
    const file = join(directory, 'audit.log')
    await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8').split('\n'), patient).toHaveLength(4)
    const { items, source } = await client.tailLogFile({ query: { lines: 2 } })
    expect(source).toBe(file)
    expect(items.map(({ owner }) => owner)).toEqual(['second', 'third'])
    expect((await client.tailLogFile({ query: { q: 'FIRST api_key_created' } })).count).toBe(1)
    expect((await client.tailLogFile({ query: { event: 'job_created' } })).count).toBe(0)
    appendFileSync(file, '{"ts":"cut sho')
    expect((await client.tailLogFile({ query: {} })).count).toBe(3)
  })

  it('is put aside when it has grown large, and read across', async () => {
    const { client, directory } = await startGateway({ env: { AUDIT_LOG_ENABLED: 'true' } })
    const file = join(directory, 'audit.log')
    writeFileSync(file, '{"ts":"2026-01-01T00:00:00.000Z","event":"old"}\n')
    truncateSync(file, 11 * 1024 * 1024)
    appendFileSync(file, '\n{"ts":"2026-01-01T00:00:00.000Z","event":"older"}\n')
    await client.createApiKey({ body: {} })
    await expect.poll(() => existsSync(`${file}.1`) && existsSync(file), patient).toBe(true)
    await expect
      .poll(async () => (await client.tailLogFile({ query: { lines: 2 } })).items.map(({ event }) => event), patient)
      .toEqual(['older', 'api_key_created'])
  })

  it('cannot be read while it is off, and says where to switch it on', async () => {
    const { client } = await startGateway()
    await expect(client.tailLogFile({ query: {} })).rejects.toMatchObject({
      status: 404,
      answer: { detail: expect.stringContaining('Turn on Audit log file under Settings') },
    })
  })
})

describe('lastLines', () => {
  const file = (content: string): string => {
    const directory = mkdtempSync(join(tmpdir(), 'faxdeck-lines-'))
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
    writeFileSync(join(directory, 'a.log'), content)
    return join(directory, 'a.log')
  }

  it('reads no more than the end of a long file', async () => {
    const lines = Array.from({ length: 50_000 }, (_, index) => `line ${index} ${'ä'.repeat(index % 40)}`)
    const path = file(`${lines.join('\n')}\n`)
    expect(await lastLines(path, 3000)).toEqual(lines.slice(-3000))
    expect(await lastLines(path, 1)).toEqual(lines.slice(-1))
  })

  it('is content with fewer, with none and with no file', async () => {
    expect(await lastLines(file('one\ntwo'), 5)).toEqual(['one', 'two'])
    expect(await lastLines(file(''), 5)).toEqual([])
    expect(await lastLines('/nowhere/a.log', 5)).toEqual([])
  })
})
