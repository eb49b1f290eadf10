import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CallProblem } from '@faxdeck/contract'
import { parseEnvFile } from '@faxdeck/settings'
import { describe, expect, it, onTestFinished } from 'vitest'
import { rows } from '../../compose.ts'
import { startGateway } from '../../testing/start-gateway.ts'

function home(): string {
  const directory = mkdtempSync(join(tmpdir(), 'faxdeck-persist-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

async function refusalOf(call: Promise<unknown>): Promise<CallProblem> {
  const error = await call.catch((caught: unknown) => caught)
  if (!(error instanceof CallProblem)) throw new Error('The call was not refused.')
  return error
}

const fileOf = (directory: string) => join(directory, 'faxdeck.env')
const entriesOf = (directory: string) => parseEnvFile(readFileSync(fileOf(directory), 'utf8'))

/** A value that its row accepts, as far as the row says what that is. */
const samples: Readonly<Record<string, string>> = {
  FAXDECK_MASTER_KEY: 'a'.repeat(64),
  WEBHOOK_ALLOWED_CIDRS: '127.0.0.1',
}

describe('POST /admin/settings/persist', () => {
  const operators = rows.filter((row) => row.environmentOnly)
  const names = operators.flatMap((row) => [row.env, ...(row.envAliases ?? [])])

  it.each(names)('refuses %s, which only the environment sets', async (name) => {
    const { client, directory } = await startGateway()
    const content = `INBOUND_LIST_RPM=44\n${name}=${samples[name] ?? '/planted-by-a-key'}\n`
    const { status, answer } = await refusalOf(client.persistSettings({ body: { content } }))
    expect(status).toBe(422)
    expect(answer?.fields).toEqual([
      { field: name, message: expect.stringContaining('only be set by the environment') },
    ])
    expect(existsSync(fileOf(directory))).toBe(false)
  })

  it('refuses what is not a setting', async () => {
    const { client, directory } = await startGateway()
    const { answer } = await refusalOf(client.persistSettings({ body: { content: 'NODE_OPTIONS=--import=/tmp/x\n' } }))
    expect(answer?.fields).toEqual([{ field: 'NODE_OPTIONS', message: 'There is no such setting.' }])
    expect(existsSync(fileOf(directory))).toBe(false)
  })

  it('refuses what PUT /admin/settings refuses: settings that do not go together, and those the process decides', async () => {
    const { client, directory } = await startGateway({ env: { HOST: '127.0.0.1', PORT: '' } })
    const open = await refusalOf(client.persistSettings({ body: { content: 'REQUIRE_MCP_OAUTH=true\n' } }))
    expect(open.answer?.detail).toContain('OAUTH_ISSUER')
    const fixed = await refusalOf(client.persistSettings({ body: { content: 'HOST=0.0.0.0\nPORT=9000\n' } }))
    expect(fixed.answer?.fields).toEqual([{ field: 'HOST', message: 'It is set by the environment variable HOST.' }])
    expect(existsSync(fileOf(directory))).toBe(false)
  })

  it.each([
    ["INBOUND_LIST_RPM=44\nFAX_HEADER='\n", 'an open quote before the lines that are kept'],
    ['FAX_HEADER="a\\nAPI_KEY=smuggled-key"\n', 'a line break behind quotes'],
    ["FAX_HEADER='a\nAPI_KEY=smuggled-key'\n", 'a value of two lines'],
    ['FAX_HEADER=`a`API_KEY=smuggled-key\n', 'what stands behind a quote'],
    ['# a remark\rAPI_KEY=smuggled-key\n', 'a carriage return in a remark'],
  ])('lets nothing be smuggled in: %j (%s)', async (content) => {
    const { client, directory } = await startGateway()
    writeFileSync(fileOf(directory), "S3_KMS_KEY_ID='it is #1'\nHAND_WRITTEN=\"two\nlines'\"\n")
    const before = entriesOf(directory)
    await client.persistSettings({ body: { content } }).catch((error: unknown) => {
      expect(error).toBeInstanceOf(CallProblem)
    })
    const { INBOUND_LIST_RPM, FAX_HEADER, ...others } = entriesOf(directory)
    expect(others).toEqual(before)
  })

  it.each(['other.env', '../faxdeck.env', '/etc/x.env', 'faxdeck.env/../y.env'])(
    'writes no file but faxdeck.env: %s',
    async (path) => {
      const { client, directory } = await startGateway()
      const { status, answer } = await refusalOf(client.persistSettings({ body: { content: '', path } }))
      expect([status, answer?.code]).toEqual([403, 'path_refused'])
      expect(existsSync(fileOf(directory))).toBe(false)
    },
  )

  it('leaves the owner in, and the holder of a revoked key out, also after a restart', async () => {
    const directory = home()
    const first = await startGateway({ directory, env: { API_KEY: '' } })
    const ownerKey = readFileSync(join(directory, 'bootstrap-key'), 'utf8').trim()
    const call = (app: typeof first.app, key: string, url: string, method: 'GET' | 'POST' = 'GET', payload = {}) =>
      app.inject({
        method,
        url,
        headers: { host: 'localhost', 'x-api-key': key },
        ...(method === 'POST' ? { payload } : {}),
      })
    const made = await call(first.app, ownerKey, '/admin/api-keys', 'POST', { scopes: ['keys:manage'] })
    const content = 'API_KEY=a-key-of-the-attacker\nWEBHOOK_ALLOWED_CIDRS=127.0.0.1\n'
    const planted = await call(first.app, made.json().token, '/admin/settings/persist', 'POST', { content })
    expect(planted.statusCode).toBe(422)
    await first.stop()
    const { app } = await startGateway({ directory, env: { API_KEY: '' } })
    expect((await call(app, 'a-key-of-the-attacker', '/admin/config')).statusCode).toBe(401)
    expect((await call(app, ownerKey, '/admin/config')).statusCode).toBe(200)
  })
})

describe('what would be written', () => {
  it('is named with its values, secrets masked, and nothing is written or recorded', async () => {
    const { client, directory } = await startGateway()
    writeFileSync(fileOf(directory), 'INBOUND_LIST_RPM=30\nPHAXIO_API_SECRET=the-old-secret\n')
    const before = readFileSync(fileOf(directory), 'utf8')
    const content = 'INBOUND_LIST_RPM=44\nPHAXIO_API_SECRET=the-new-secret\n'
    const { changes } = await client.persistSettings({ body: { content, dry_run: true } })
    expect(changes).toEqual([
      { name: 'INBOUND_LIST_RPM', before: '30', after: '44' },
      { name: 'PHAXIO_API_SECRET', before: '********', after: '********' },
    ])
    expect(readFileSync(fileOf(directory), 'utf8')).toBe(before)
    expect((await client.listLogs({ query: { event: 'settings_persisted' } })).items).toEqual([])
    await client.persistSettings({ body: { content } })
    const again = await client.persistSettings({ body: { content, dry_run: true } })
    expect(again.changes).toEqual([])
  })
})

describe('faxdeck.env as an operator wrote it', () => {
  it('keeps the lines that only an operator may write, and the diagnostics name them', async () => {
    const directory = home()
    writeFileSync(fileOf(directory), 'WEBHOOK_ALLOWED_CIDRS=127.0.0.1\nAUDIT_LOG_FILE=/var/log/faxdeck-audit.log\n')
    const { client, gateway } = await startGateway({ directory })
    await client.persistSettings({ body: { content: 'INBOUND_LIST_RPM=44\n' } })
    await client.updateSettings({ body: { max_file_size_mb: 7 } })
    expect(gateway.settings.current().webhook_allowed_cidrs).toBe('127.0.0.1')
    expect(entriesOf(directory)).toMatchObject({ WEBHOOK_ALLOWED_CIDRS: '127.0.0.1', INBOUND_LIST_RPM: '44' })
    const { findings } = await client.runDiagnostics({})
    const found = findings.find(({ check }) => check === 'settings_file')
    expect(found).toMatchObject({ passed: false, severity: 'warning' })
    expect(found?.detail).toBe('faxdeck.env sets WEBHOOK_ALLOWED_CIDRS and AUDIT_LOG_FILE.')
  })

  it('says nothing where the environment of the process sets them', async () => {
    const { client } = await startGateway({ env: { WEBHOOK_ALLOWED_CIDRS: '127.0.0.1' } })
    const { findings } = await client.runDiagnostics({})
    expect(findings.find(({ check }) => check === 'settings_file')).toMatchObject({ passed: true })
  })
})
