import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CallProblem } from '@faxdeck/contract'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startGateway, type TestGateway } from '../../testing/start-gateway.ts'

const secret = 'a-phaxio-secret-of-some-length-wxyz'

function home(): string {
  const directory = mkdtempSync(join(tmpdir(), 'faxdeck-settings-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

const failure = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => (error instanceof CallProblem ? error : undefined),
  )
const rowOf = async ({ client }: TestGateway, key: string) => {
  const { rows } = await client.describeSettings({})
  return rows.find((row) => row.key === key)
}
const eventNames = async ({ client }: TestGateway) =>
  (await client.listLogs({ query: {} })).items.map(({ event }) => event)

describe('changing settings', () => {
  it('answers with the new values, and says what changed', async () => {
    const { client } = await startGateway()
    const answer = await client.updateSettings({
      body: { max_file_size_mb: 7, public_api_url: 'https://fax.example.org' },
    })
    expect(answer.limits.max_file_size_mb).toBe(7)
    expect(answer.security.public_api_url).toBe('https://fax.example.org')
    expect(answer._meta).toEqual({ restart_recommended: false, changed: ['max_file_size_mb', 'public_api_url'] })
  })

  it('is all or nothing, and names every field that does not fit', async () => {
    const { client } = await startGateway()
    const problem = await failure(
      client.updateSettings({ body: { max_file_size_mb: 7, no_such_setting: 1, inbound_list_rpm: 'many' } }),
    )
    expect(problem?.status).toBe(422)
    expect(problem?.answer?.fields?.map(({ field }) => field)).toEqual(['no_such_setting', 'inbound_list_rpm'])
    expect((await client.getSettings({})).limits.max_file_size_mb).toBe(10)
  })

  it('refuses values that do not go together', async () => {
    const { client } = await startGateway()
    const problem = await failure(client.updateSettings({ body: { require_mcp_oauth: true } }))
    expect(problem?.answer?.detail).toContain('OAUTH_ISSUER')
    expect((await client.getConfig({})).mcp.require_oauth).toBe(false)
  })

  it('clears a saved value with null: the environment counts again', async () => {
    const gateway = await startGateway({ env: { MAX_FILE_SIZE_MB: '5' } })
    await gateway.client.updateSettings({ body: { max_file_size_mb: 7 } })
    expect(await rowOf(gateway, 'max_file_size_mb')).toMatchObject({ value: 7, source: 'saved' })
    await gateway.client.updateSettings({ body: { max_file_size_mb: null } })
    expect(await rowOf(gateway, 'max_file_size_mb')).toMatchObject({ value: 5, source: 'environment' })
  })

  it('keeps a secret whose mask is given back, and never shows it', async () => {
    const gateway = await startGateway()
    const answer = await gateway.client.updateSettings({ body: { phaxio_api_secret: secret } })
    expect(JSON.stringify(answer)).not.toContain(secret)
    const masked = (await rowOf(gateway, 'phaxio_api_secret'))?.value ?? null
    expect(masked).toBe('***wxyz')
    await gateway.client.updateSettings({ body: { phaxio_api_secret: masked } })
    const { env_content: exported } = await gateway.client.exportSettings({ query: { secrets: 'true' } })
    expect(exported).toContain(`PHAXIO_API_SECRET=${secret}`)
  })

  it('is recorded by name, never by value', async () => {
    const gateway = await startGateway()
    await gateway.client.updateSettings({ body: { phaxio_api_secret: secret } })
    const { items } = await gateway.client.listLogs({ query: { event: 'settings_changed' } })
    expect(items).toMatchObject([{ key_id: 'bootstrap', changed: ['phaxio_api_secret'] }])
    expect(JSON.stringify(items)).not.toContain(secret)
  })

  it('says of each provider whether it has all it needs', async () => {
    const { client } = await startGateway()
    expect(await client.getSettings({})).toMatchObject({ phaxio: { configured: false }, fs: { configured: false } })
    await client.updateSettings({ body: { phaxio_api_key: 'key-of-phaxio', phaxio_api_secret: 'secret-of-phaxio' } })
    expect(await client.getSettings({})).toMatchObject({ phaxio: { configured: true }, sip: { configured: false } })
  })

  it('lets twenty changes at once all count', async () => {
    const { client } = await startGateway()
    const keys = ['inbound_list_rpm', 'inbound_get_rpm', 'artifact_ttl_days', 'inbound_retention_days']
    const changes = Array.from({ length: 20 }, (_, index) => ({ [keys[index % 4] ?? '']: 100 + index }))
    await Promise.all(changes.map((body) => client.updateSettings({ body })))
    const { limits, inbound } = await client.getSettings({})
    expect([limits.inbound_list_rpm, limits.inbound_get_rpm, limits.artifact_ttl_days, inbound.retention_days]).toEqual(
      [116, 117, 118, 119],
    )
  })
})

describe('saved settings', () => {
  it('survive a restart, secrets sealed', async () => {
    const directory = home()
    const first = await startGateway({ directory })
    await first.client.updateSettings({ body: { inbound_retention_days: 90, phaxio_api_secret: secret } })
    await first.stop()
    const onDisk = readFileSync(join(directory, 'faxdeck.db')).toString('latin1')
    expect(onDisk).toContain('inbound_retention_days')
    expect(onDisk).not.toContain(secret)
    const second = await startGateway({ directory })
    expect((await second.client.getSettings({})).inbound.retention_days).toBe(90)
    expect(await rowOf(second, 'phaxio_api_secret')).toMatchObject({ value: '***wxyz', source: 'saved' })
  })

  it('stop the start in one sentence when the master key is another one', async () => {
    const directory = home()
    const first = await startGateway({ directory })
    await first.client.updateSettings({ body: { phaxio_api_secret: secret } })
    await first.stop()
    const start = startGateway({ directory, env: { FAXDECK_MASTER_KEY: 'ab'.repeat(32) } })
    await expect(start).rejects.toMatchObject({
      name: 'StartProblem',
      sentences: [expect.stringContaining('master key')],
    })
  })

  it('that no row takes any more are ignored', async () => {
    const directory = home()
    const first = await startGateway({ directory })
    await first.client.updateSettings({ body: { max_file_size_mb: 7 } })
    await first.gateway.settings.save({ of_another_version: 'x' }, 'bootstrap', async () => undefined)
    expect((await first.client.getSettings({})).limits.max_file_size_mb).toBe(7)
  })
})

describe('what is needed before the database is open', () => {
  it('goes into faxdeck.env, and asks for a restart', async () => {
    const directory = home()
    const gateway = await startGateway({ directory, env: { DATABASE_URL: '' } })
    const answer = await gateway.client.updateSettings({ body: { port: 9191 } })
    expect(answer._meta.restart_recommended).toBe(true)
    expect(readFileSync(join(directory, 'faxdeck.env'), 'utf8')).toBe('PORT=9191\n')
    await gateway.stop()
    const second = await startGateway({ directory, env: { DATABASE_URL: '' } })
    expect(second.gateway.settings.current().port).toBe(9191)
  })

  it('is tried first when it is another database: a wrong one would keep the next start from happening', async () => {
    const directory = home()
    const { client } = await startGateway({ directory, env: { DATABASE_URL: '' } })
    const wrong = `sqlite:${directory}/no-volume/faxdeck.db`
    const problem = await failure(client.updateSettings({ body: { database_url: wrong, max_file_size_mb: 3 } }))
    expect(problem?.status).toBe(422)
    expect(problem?.answer?.fields).toEqual([
      { field: 'database_url', message: expect.stringContaining(`There is no folder ${directory}/no-volume.`) },
    ])
    const written = await failure(client.persistSettings({ body: { content: `DATABASE_URL=${wrong}\n` } }))
    expect(written?.answer?.detail).toContain('There is no folder')
    expect(existsSync(join(directory, 'faxdeck.env'))).toBe(false)
    expect((await client.getSettings({})).limits.max_file_size_mb).toBe(10)
    const right = `sqlite:${directory}/another.db`
    expect((await client.updateSettings({ body: { database_url: right } }))._meta.restart_recommended).toBe(true)
    expect(readFileSync(join(directory, 'faxdeck.env'), 'utf8')).toBe(`DATABASE_URL=${right}\n`)
  })

  it('cannot be changed where the process environment decides', async () => {
    const gateway = await startGateway({ env: { PORT: '9292' } })
    const problem = await failure(gateway.client.updateSettings({ body: { port: 9191, max_file_size_mb: 3 } }))
    expect(problem?.answer?.fields).toEqual([{ field: 'port', message: 'It is set by the environment variable PORT.' }])
    expect(gateway.gateway.settings.current().max_file_size_mb).toBe(10)
  })
})

describe('the description of the settings', () => {
  it('names the provider of a row, and keeps fixed and locked ones from being changed in a form', async () => {
    const gateway = await startGateway()
    expect(await rowOf(gateway, 'phaxio_api_key')).toMatchObject({ provider: 'phaxio', group: 'provider' })
    expect(await rowOf(gateway, 'pdf_token_ttl_minutes')).toMatchObject({ value: 60, fixed: true })
    expect(await rowOf(gateway, 'inbound_token_ttl_minutes')).toMatchObject({ value: 60, fixed: true })
    expect(await rowOf(gateway, 'feature_plugin_install')).toMatchObject({ value: false, fixed: true })
    expect(await rowOf(gateway, 'api_key')).toBeUndefined()
  })

  it('reports what would count after a reset', async () => {
    const gateway = await startGateway({ env: { MAX_FILE_SIZE_MB: '5' } })
    await gateway.client.updateSettings({ body: { max_file_size_mb: 7, inbound_list_rpm: 9 } })
    const beneath = { value: 5, source: 'environment' }
    expect(await rowOf(gateway, 'max_file_size_mb')).toMatchObject({ value: 7, source: 'saved', beneath })
    expect(await rowOf(gateway, 'inbound_list_rpm')).toMatchObject({ beneath: { value: 30, source: 'default' } })
    expect(await rowOf(gateway, 'inbound_get_rpm')).not.toHaveProperty('beneath')
  })

  it('reports whether the environment of the process or faxdeck.env decides what is needed at the start', async () => {
    const gateway = await startGateway({ env: { HOST: '127.0.0.1', PORT: '', DATABASE_URL: '' } })
    expect(await rowOf(gateway, 'host')).toMatchObject({ source: 'environment', fixed: true })
    expect(await rowOf(gateway, 'database_url')).toMatchObject({ source: 'default', fixed: false })
    await gateway.client.updateSettings({ body: { port: 9191 } })
    expect(await rowOf(gateway, 'port')).toMatchObject({ value: 9191, source: 'saved', fixed: false })
    await gateway.client.updateSettings({ body: { port: null } })
    expect(await rowOf(gateway, 'port')).toMatchObject({ source: 'default' })
  })
})

describe('export and persist', () => {
  it('shows secrets only when asked, and records that', async () => {
    const gateway = await startGateway()
    await gateway.client.updateSettings({ body: { phaxio_api_secret: secret } })
    expect((await gateway.client.exportSettings({ query: {} })).env_content).not.toContain(secret)
    expect(await eventNames(gateway)).not.toContain('settings_exported')
    expect((await gateway.client.exportSettings({ query: { secrets: 'true' } })).env_content).toContain(secret)
    expect(await eventNames(gateway)).toContain('settings_exported')
  })

  it('writes a file from which another installation starts the same', async () => {
    const gateway = await startGateway()
    await gateway.client.updateSettings({ body: { phaxio_api_secret: secret, max_file_size_mb: 7 } })
    const { path } = await gateway.client.persistSettings({ body: {} })
    const elsewhere = home()
    writeFileSync(join(elsewhere, 'faxdeck.env'), readFileSync(path))
    const other = await startGateway({ directory: elsewhere })
    expect(other.gateway.settings.current()).toMatchObject({ phaxio_api_secret: secret, max_file_size_mb: 7 })
    expect(await rowOf(other, 'phaxio_api_secret')).toMatchObject({ source: 'environment' })
  })

  it('refuses content that the next start would refuse, and any other place', async () => {
    const { client, directory } = await startGateway()
    expect((await failure(client.persistSettings({ body: { content: 'PORT=many\n' } })))?.answer?.detail).toContain(
      'PORT',
    )
    expect((await failure(client.persistSettings({ body: { content: '', path: '/etc/x.env' } })))?.status).toBe(403)
    expect(existsSync(join(directory, 'faxdeck.env'))).toBe(false)
  })

  it('is read again on reload', async () => {
    const { client } = await startGateway()
    await client.persistSettings({ body: { content: 'INBOUND_LIST_RPM=44\n' } })
    expect((await client.reloadSettings({})).limits.inbound_list_rpm).toBe(44)
  })
})

describe('a start with settings that cannot be used', () => {
  it('lists everything at once, each in a sentence', async () => {
    const env = { MAX_FILE_SIZE_MB: 'many', PORT: '99999', HOST: '0.0.0.0', REQUIRE_API_KEY: 'false' }
    await expect(startGateway({ env })).rejects.toMatchObject({
      sentences: [
        'MAX_FILE_SIZE_MB is "many". It must be a whole number from 1 to 50.',
        'PORT is "99999". It must be a whole number from 0 to 65535.',
        expect.stringContaining('needs REQUIRE_API_KEY=true'),
      ],
    })
  })

  it('refuses to be open to everybody, unless a saved setting closes it', async () => {
    const directory = home()
    const env = { HOST: '0.0.0.0', REQUIRE_API_KEY: 'false' }
    const start = startGateway({ directory, env })
    await expect(start).rejects.toMatchObject({ sentences: [expect.stringContaining('REQUIRE_API_KEY')] })
    const { client, stop } = await startGateway({ directory })
    await client.updateSettings({ body: { require_api_key: true } })
    await stop()
    const { gateway } = await startGateway({ directory, env })
    expect(gateway.settings.current().host).toBe('0.0.0.0')
    await gateway.settings
      .save({ require_api_key: false }, 'bootstrap', async () => undefined)
      .catch((error: unknown) => {
        expect(error).toMatchObject({ code: 'invalid' })
      })
    expect(gateway.settings.current().require_api_key).toBe(true)
  })
})

describe('restart and database status', () => {
  it('restarts only where a supervisor starts it again', async () => {
    const { client } = await startGateway()
    expect((await failure(client.restart({})))?.answer?.code).toBe('restart_refused')
    const allowed = await startGateway({ env: { ADMIN_ALLOW_RESTART: 'true' } })
    expect(await allowed.client.restart({})).toEqual({ ok: true })
  })

  it('reports the database', async () => {
    const { client, directory } = await startGateway()
    expect(await client.getDbStatus({})).toMatchObject({
      engine: 'sqlite',
      connected: true,
      counts: { fax_jobs: 0, api_keys: 0 },
      sqlite: { path: join(directory, 'faxdeck.db'), exists: true },
    })
  })
})
