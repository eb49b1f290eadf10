import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, type TestContext } from 'vitest'
import { type GatewayOptions, type GatewayProcess, prepareGateway } from './harness/gateway-process.ts'
import { finishedJob } from './harness/received.ts'
import { waitFor } from './harness/wait.ts'

async function prepare({ onTestFinished }: TestContext, options: GatewayOptions = {}): Promise<GatewayProcess> {
  const gateway = await prepareGateway(options)
  onTestFinished(() => gateway.remove())
  return gateway
}

/** Starts a gateway that cannot start; its exit code and what it said, line by line. */
async function startInVain(gateway: GatewayProcess): Promise<{ code: number | null; lines: string[] }> {
  gateway.spawn()
  const code = await gateway.exited()
  return { code, lines: gateway.printed.split('\n').filter((line) => line.trim() !== '') }
}

// Each has gateways of its own, and all wait more than they work.
describe.concurrent('a gateway that cannot start says why in one sentence and exits with 1', () => {
  it('when the port is taken', async (context) => {
    const gateway = await prepare(context)
    const other = createServer().listen(Number(new URL(gateway.url).port), '127.0.0.1')
    await once(other, 'listening')
    try {
      const { code, lines } = await startInVain(gateway)
      expect({ code, said: lines.length }).toEqual({ code: 1, said: 1 })
      expect(lines[0]).toMatch(new RegExp(`${new URL(gateway.url).port}.*\\.$`))
    } finally {
      other.close()
    }
  })

  it('when the data directory cannot be made', async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'faxdeck-e2e-'))
    try {
      // A file in the way stops even root, whom permissions do not.
      writeFileSync(join(folder, 'file'), '')
      chmodSync(folder, 0o500)
      const gateway = await prepare(context, { env: { FAX_DATA_DIR: join(folder, 'file', 'data') } })
      const { code, lines } = await startInVain(gateway)
      expect({ code, said: lines.length }).toEqual({ code: 1, said: 1 })
      expect(lines[0]).toMatch(/data directory.*\.$/i)
    } finally {
      chmodSync(folder, 0o700)
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('when values in the environment are bad, naming every one of them at once', async (context) => {
    const bad = { MAX_FILE_SIZE_MB: 'many', REQUIRE_API_KEY: 'perhaps', STORAGE_BACKEND: 'tape' }
    const { code, lines } = await startInVain(await prepare(context, { env: bad }))
    expect(code).toBe(1)
    for (const name of Object.keys(bad)) expect(lines.filter((line) => line.includes(name))).toHaveLength(1)
    expect(lines.every((line) => line.trimEnd().endsWith('.') || line.trimEnd().endsWith(':'))).toBe(true)
  })

  it('when it would be open to everybody', async (context) => {
    const gateway = await prepare(context, { env: { HOST: '0.0.0.0', REQUIRE_API_KEY: 'false' } })
    const { code, lines } = await startInVain(gateway)
    expect({ code, said: lines.length }).toEqual({ code: 1, said: 1 })
    expect(lines[0]).toContain('REQUIRE_API_KEY')
  })
})

describe.concurrent('a gateway that is asked to stop', () => {
  it.for(['SIGTERM', 'SIGINT'] as const)('ends in order on %s, and starts again', async (signal, context) => {
    const gateway = await prepare(context)
    await gateway.start()
    expect(await gateway.stop(signal)).toBe(0)
    await gateway.start()
    await expect(gateway.client.health({})).resolves.toEqual({ status: 'ok' })
  })

  it('ends while a call is still on the line, and does not dial again after the start', async (context) => {
    const gateway = await prepare(context)
    await gateway.start()
    const file = new File(['A long call.\n'], 'long.txt', { type: 'text/plain' })
    const fax = await gateway.client.submitFax({ form: { to: '+15555550104', file } })
    await waitFor('the call', async () =>
      [await gateway.client.getFax({ params: fax })].find(({ status }) => status === 'in_progress'),
    )
    expect(await gateway.stop()).toBe(0)
    await gateway.start()
    const job = await finishedJob(gateway.client, fax.id, 60)
    expect(job.status).toBe('SUCCESS')
    expect(job.attempts).toHaveLength(1)
  })
})

describe.concurrent('settings that a person saved', () => {
  it('survive a restart, secrets included', async (context) => {
    const gateway = await prepare(context)
    await gateway.start()
    await gateway.client.updateSettings({
      body: { max_file_size_mb: 7, phaxio_api_key: 'a-secret-of-32-characters-1234wxyz' },
    })
    await gateway.kill()
    await gateway.start()
    const settings = await gateway.client.getSettings({})
    expect(settings.limits.max_file_size_mb).toBe(7)
    const { rows } = await gateway.client.describeSettings({})
    expect(rows.find((row) => row.key === 'phaxio_api_key')).toMatchObject({ configured: true, source: 'saved' })
  })
})
