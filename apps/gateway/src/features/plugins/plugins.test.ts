import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client, InputOf, Routes } from '@faxdeck/contract'
import { describe, expect, it } from 'vitest'
import { startGateway } from '../../testing/start-gateway.ts'
import { acmeManifest } from './testing/acme.ts'

const env = { FEATURE_V3_PLUGINS: 'true' }
const start = () => startGateway({ env })
const install = (client: Client, manifest: Record<string, unknown> = acmeManifest()) =>
  client.installManifest({ body: { manifest } })
const configOf = (client: Client, id: string) => client.getPluginConfig({ params: { id } })
const configure = (client: Client, id: string, body: InputOf<Routes['updatePluginConfig']>['body']) =>
  client.updatePluginConfig({ params: { id }, body })
const refused = (status: number, words: string) => ({
  status,
  answer: { detail: expect.stringContaining(words) as unknown },
})
/** Sets Sinch up: a provider that cannot send is not marked. */
const setUpSinch = (client: Client) =>
  client.updateSettings({ body: { sinch_project_id: 'p-1', sinch_api_key: 'k', sinch_api_secret: 's' } })
const eventsOf = async (client: Client, event: string) => (await client.listLogs({ query: { event } })).items

describe('plugins', () => {
  it('are not there while they are switched off', async () => {
    const { client } = await startGateway()
    for (const call of [client.listPlugins({}), client.listPluginRegistry({}), install(client)]) {
      await expect(call).rejects.toMatchObject(refused(404, 'Settings, Feature Flags'))
    }
  })

  it('list the providers of the product and where documents are kept', async () => {
    const { client } = await start()
    const { items } = await client.listPlugins({})
    expect(items.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['phaxio', 'sinch', 'signalwire', 'documo', 'sip', 'freeswitch', 'local', 's3']),
    )
    expect(items.map(({ id }) => id)).not.toContain('testline')
    expect(items.find(({ id }) => id === 'phaxio')).toMatchObject({ enabled: true, active: true, source: 'builtin' })
    expect(items.filter(({ description }) => description === '')).toEqual([])
    expect(items.find(({ id }) => id === 'trunk')?.description).toContain('Install Asterisk')
    expect(items.find(({ id }) => id === 'local')).toMatchObject({ categories: ['storage'], configurable: false })
    const registry = await client.listPluginRegistry({})
    expect(registry.items.map(({ id }) => id)).toEqual(expect.arrayContaining(['phaxio', 's3', 'faxplus']))
  })

  it('show the fields of their own, and save them as the settings they are', async () => {
    const { client } = await start()
    const names = async (id: string) => (await configOf(client, id)).fields.map(({ name }) => name).toSorted()
    expect(await names('phaxio')).toEqual(['callback_url', 'verify_signature'])
    expect(await names('sinch')).toEqual(['project_id'])
    expect(await names('sip')).toEqual([])
    expect(await names('s3')).toEqual(['bucket', 'endpoint_url', 'kms_key_id', 'prefix', 'region'])
    await configure(client, 's3', { settings: { bucket: 'faxes', kms_key_id: 'arn:aws:kms:eu:1:key/secret-id' } })
    expect((await configOf(client, 's3')).settings).toMatchObject({ bucket: 'faxes', kms_key_id: '***t-id' })
    await expect(configure(client, 's3', { settings: { color: 'red' } })).rejects.toMatchObject(
      refused(422, 'settings.color: This plugin has no such setting.'),
    )
    await expect(configOf(client, 'nobody')).rejects.toMatchObject(refused(404, 'no plugin'))
  })

  it('are marked to send, and do so only from the next reload on', async () => {
    const { client } = await start()
    await setUpSinch(client)
    await configure(client, 'sinch', { enabled: true })
    const find = async (id: string) => (await client.listPlugins({})).items.find((item) => item.id === id)
    expect(await find('sinch')).toMatchObject({ enabled: true, active: false })
    expect(await find('phaxio')).toMatchObject({ enabled: false, active: true })
    expect((await client.getSettings({})).hybrid.outbound_backend).toBe('phaxio')
    await client.reloadSettings({})
    expect((await client.getSettings({})).hybrid.outbound_backend).toBe('sinch')
    expect(await find('sinch')).toMatchObject({ enabled: true, active: true })
    expect(await eventsOf(client, 'plugin_configured')).toMatchObject([{ plugin: 'sinch' }])
  })

  it('forget the mark when it is taken back, or a person chooses a provider otherwise', async () => {
    const { client } = await start()
    await setUpSinch(client)
    const outbound = async () => (await client.reloadSettings({})).hybrid.outbound_backend
    await configure(client, 'sinch', { enabled: true })
    await configure(client, 'sinch', { enabled: false })
    expect(await outbound()).toBe('phaxio')
    await configure(client, 'sinch', { enabled: true })
    await client.updateSettings({ body: { outbound_backend: 'documo' } })
    expect(await outbound()).toBe('documo')
    await expect(configure(client, 'documo', { enabled: false })).rejects.toMatchObject(
      refused(409, 'sends the faxes now'),
    )
    await expect(configure(client, 's3', { enabled: true })).rejects.toMatchObject(
      refused(409, 'managed by the server'),
    )
  })

  it('are not marked while they are not set up, and say what they lack', async () => {
    const { client } = await start()
    const sentence = 'Sinch cannot be used yet: Sinch project id (SINCH_PROJECT_ID)'
    const find = async () => (await client.listPlugins({})).items.find(({ id }) => id === 'sinch')
    expect((await find())?.missing).toContain(sentence)
    await expect(configure(client, 'sinch', { enabled: true })).rejects.toMatchObject(refused(409, sentence))
    const mark = client.updateSettings({ body: { next_outbound_backend: 'sinch' } })
    await expect(mark).rejects.toMatchObject(refused(422, sentence))
    expect((await client.reloadSettings({})).hybrid.outbound_backend).toBe('phaxio')
    await setUpSinch(client)
    expect(await find()).not.toHaveProperty('missing')
    await configure(client, 'sinch', { enabled: true })
  })

  it('marked do not take over once they lack what they need, and say so', async () => {
    const first = await start()
    await setUpSinch(first.client)
    await configure(first.client, 'sinch', { enabled: true })
    await first.client.updateSettings({ body: { sinch_project_id: null } })
    await expect(first.client.reloadSettings({})).rejects.toMatchObject(refused(422, 'Sinch cannot be used yet'))
    await first.stop()
    const { client } = await startGateway({ env, directory: first.directory })
    expect((await client.getSettings({})).hybrid.outbound_backend).toBe('phaxio')
  })

  it('marked are taken over at a start', async () => {
    const first = await start()
    await setUpSinch(first.client)
    await configure(first.client, 'sinch', { enabled: true })
    await first.stop()
    const { client } = await startGateway({ env, directory: first.directory })
    expect((await client.getSettings({})).hybrid.outbound_backend).toBe('sinch')
  })
})

describe('a manifest', () => {
  it('is installed as a provider with settings of its own, and that is recorded', async () => {
    const { client, gateway } = await start()
    expect(await install(client)).toEqual({ ok: true, id: 'acme-fax', path: '/plugins/acme-fax/config' })
    const { items } = await client.listPlugins({})
    expect(items.find(({ id }) => id === 'acme-fax')).toMatchObject({
      name: 'Acme Fax',
      version: '2.1.0',
      source: 'manifest',
      capabilities: ['send', 'get_status', 'cancel'],
    })
    const { registry } = await client.listProviders({})
    expect(registry['acme-fax']).toMatchObject({ kind: 'plugin', configured: false, traits: { supports_status: true } })
    await configure(client, 'acme-fax', { settings: { token: 'a-long-secret-token', region: 'us' } })
    expect((await configOf(client, 'acme-fax')).settings).toEqual({ token: '***oken', region: 'us' })
    expect(gateway.settings.current().plugin_acme_fax_token).toBe('a-long-secret-token')
    expect((await client.describeSettings({})).rows.map(({ key }) => key)).toContain('plugin_acme_fax_token')
    expect((await client.getConfig({})).v3_plugins.installed).toBe(1)
    expect(await eventsOf(client, 'plugin_installed')).toMatchObject([{ plugin: 'acme-fax', key_id: 'bootstrap' }])
  })

  it.each([
    ['phaxio', 'is built in'],
    ['testline', 'is built in'],
    ['s3', 'is built in'],
    ['inbound', 'is built in'],
    ['constructor', 'is built in'],
    ['../../evil', 'id: An id has'],
  ])('is not installed as %s', async (id, words) => {
    const { client } = await start()
    await expect(install(client, { ...acmeManifest(), id })).rejects.toMatchObject(refused(422, words))
  })

  it('is not installed when two of its settings have one name', async () => {
    const { client } = await start()
    const manifest = { ...acmeManifest(), settings: { region: {}, token: {} } }
    await expect(install(client, manifest)).rejects.toMatchObject(refused(422, 'plugin_acme_fax_token stands twice'))
  })

  it('that is replaced keeps its credentials for its hosts, and for no others', async () => {
    const { client } = await start()
    await install(client)
    await configure(client, 'acme-fax', { settings: { token: 'a-long-secret-token' } })
    await install(client, { ...acmeManifest(), name: 'Acme, renamed' })
    expect((await configOf(client, 'acme-fax')).settings.token).toBe('***oken')
    await install(client, acmeManifest('https://elsewhere.example'))
    expect((await configOf(client, 'acme-fax')).settings.token).toBeNull()
  })

  it('is removed with its settings, but not while it carries faxes', async () => {
    const { client } = await start()
    await install(client)
    await configure(client, 'acme-fax', { enabled: true, settings: { token: 't' } })
    const remove = () => client.removePlugin({ params: { id: 'acme-fax' } })
    await expect(remove()).rejects.toMatchObject(refused(409, 'in use'))
    await configure(client, 'acme-fax', { enabled: false })
    await remove()
    await expect(configOf(client, 'acme-fax')).rejects.toMatchObject({ status: 404 })
    await install(client)
    expect((await configOf(client, 'acme-fax')).settings.token).toBeNull()
    await expect(client.removePlugin({ params: { id: 'phaxio' } })).rejects.toMatchObject({ status: 409 })
  })

  it('is shown with the very requests it would make, credentials masked, and nothing is sent', async () => {
    const { client } = await start()
    const report = await client.validateManifest({
      body: {
        manifest: acmeManifest(),
        credentials: { token: 'real-secret' },
        settings: { region: 'us/2' },
        to: '+15555550142',
        render_only: false,
      },
    })
    expect(report).toMatchObject({
      id: 'acme-fax',
      sent: false,
      warnings: [],
      credentials: ['token'],
      settings: ['region'],
    })
    expect(report.requests[0]).toEqual({
      action: 'send_fax',
      method: 'POST',
      url: `https://api.acme.example/v1/us%2F2/faxes?ref=${'0'.repeat(32)}`,
      headers: { Accept: 'application/json', 'X-Pages': '1', Authorization: 'Bearer ***' },
      body: 'to: +15555550142\nfile: (the document, application/pdf)',
    })
    expect(JSON.stringify(report)).not.toContain('real-secret')
    const basic = { ...acmeManifest(), auth: { scheme: 'basic' } }
    const masked = await client.validateManifest({ body: { manifest: basic } })
    expect(masked.requests[0]?.headers.Authorization).toBe('Basic ***')
    await expect(client.validateManifest({ body: { manifest: { id: 'acme-fax' } } })).rejects.toMatchObject(
      refused(422, 'allowed_domains'),
    )
  })
})

describe('an import', () => {
  const named = (id: string) => ({ ...acmeManifest(), id })
  const block = (value: unknown) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\`\n`

  it('takes each manifest of a list by itself', async () => {
    const { client } = await start()
    const answer = await client.importManifests({
      body: { items: [named('one-fax'), named('phaxio'), { color: 'red' }] },
    })
    expect(answer.imported).toMatchObject([{ id: 'one-fax', name: 'Acme Fax' }])
    expect(answer.errors).toMatchObject([
      { error: expect.stringContaining('phaxio: id:') as unknown },
      { data_keys: ['color'] },
    ])
  })

  it('can be tried: everything is checked and nothing installed', async () => {
    const { client } = await start()
    const body = { items: [named('one-fax'), named('phaxio')], test: true }
    const { imported, errors } = await client.importManifests({ body })
    expect([imported.map(({ id }) => id), errors.length]).toEqual([['one-fax'], 1])
    expect((await client.listPlugins({})).items.map(({ id }) => id)).not.toContain('one-fax')
  })

  it('finds manifests in the fenced blocks of a text', async () => {
    const { client } = await start()
    const markdown = `[Fax services](https://fax.example)\n\n${block(named('one-fax'))}\nand more:\n\n${block([named('two-fax')])}\n~~~\nno json\n~~~\n`
    const { imported } = await client.importManifests({ body: { markdown } })
    expect(imported.map(({ id }) => id)).toEqual(['one-fax', 'two-fax'])
    const broken = `${block(named('three-fax'))}\n\`\`\`\n{ "id": \n\`\`\`\n`
    const half = await client.importManifests({ body: { markdown: broken } })
    expect(half).toMatchObject({ imported: [{ id: 'three-fax' }], errors: [{ data_keys: [] }] })
    expect(half.errors[0]?.error).toMatch(/^This looks like JSON but is not valid: .*JSON/)
    const cut = await client.importManifests({ body: { markdown: '{ "items": [ {' } })
    expect([cut.imported, cut.errors.length]).toEqual([[], 1])
    await expect(client.importManifests({ body: { markdown: 'nothing' } })).rejects.toMatchObject(
      refused(400, 'No manifest was found'),
    )
  })

  it('reads the folder of the data directory, and no link in it', async () => {
    const { client, directory } = await start()
    const scrape = () => client.importManifests({ body: { source: 'repo_scrape' } })
    await expect(scrape()).rejects.toMatchObject(refused(400, 'plugin-manifests'))
    const folder = join(directory, 'plugin-manifests')
    await mkdir(folder)
    await writeFile(join(directory, 'elsewhere.json'), JSON.stringify(named('linked-fax')))
    await symlink(join(directory, 'elsewhere.json'), join(folder, 'link.json'))
    await writeFile(join(folder, 'a.json'), JSON.stringify({ items: [named('one-fax')] }))
    await writeFile(join(folder, 'b.md'), block(named('two-fax')))
    const { imported } = await scrape()
    expect(imported.map(({ id }) => id)).toEqual(['one-fax', 'two-fax'])
  })
})
