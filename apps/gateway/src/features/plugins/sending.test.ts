import type { Client } from '@faxdeck/contract'
import { createDocuments } from '@faxdeck/documents'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway } from '../../testing/start-gateway.ts'
import { acmeManifest } from './testing/acme.ts'
import { startAcme } from './testing/acme-service.ts'

const documents = createDocuments({ threads: 1 })
afterAll(() => documents.close())
let pdf: Buffer
beforeAll(async () => {
  pdf = Buffer.from(await documents.toPdf(Buffer.from('Dear colleague,\fsecond page'), { paper: 'letter' }))
})

const token = 'acme-secret-token'
const env = { FEATURE_V3_PLUGINS: 'true', FEATURE_LOOPBACK_PLUGINS: 'true', FAX_DISABLED: 'false' }

/** Installs Acme and lets it send from now on. */
async function useAcme(client: Client, origin: string): Promise<void> {
  await client.installManifest({ body: { manifest: acmeManifest(origin) } })
  await client.updatePluginConfig({ params: { id: 'acme-fax' }, body: { enabled: true, settings: { token } } })
  await client.reloadSettings({})
}

const send = (client: Client, name = 'letter.pdf') =>
  client.submitFax({ form: { to: '+1 (555) 555-0142', file: new File([pdf], name, { type: 'application/pdf' }) } })

const jobOf = (client: Client, id: string) => client.getJob({ params: { id } })

describe('an installed manifest', () => {
  it('carries a fax from the submission to its confirmed pages, and is asked for its state', async () => {
    const acme = await startAcme(token)
    let ahead = 0
    const { client } = await startGateway({ env, now: () => new Date(Date.now() + ahead) })
    await useAcme(client, acme.origin)
    const { id, backend } = await send(client)
    expect(backend).toBe('acme-fax')
    await expect
      .poll(() => jobOf(client, id), { timeout: 8000 })
      .toMatchObject({
        status: 'in_progress',
        attempts: [{ provider: 'acme-fax', provider_id: 'acme/1' }],
      })
    const taken = acme.faxes.get('acme/1')
    expect(taken).toMatchObject({ to: '+15555550142', pages_sent: 2 })
    expect(taken?.pdf.equals(pdf)).toBe(true)

    if (taken) taken.state = 'sent'
    ahead = 60_000
    await expect
      .poll(() => jobOf(client, id), { timeout: 8000 })
      .toMatchObject({ status: 'SUCCESS', pages_confirmed: 2 })
    expect(acme.received.filter(({ method }) => method === 'POST')).toHaveLength(1)
    expect(acme.received.at(-1)?.url).toBe('/v1/faxes/acme%2F1')
  })

  it('whose service answers about another fax leaves the outcome unknown until it answers about this one', async () => {
    const acme = await startAcme(token)
    const { client } = await startGateway({ env })
    await useAcme(client, acme.origin)
    const { id } = await send(client)
    await expect.poll(async () => (await jobOf(client, id)).provider_sid, { timeout: 8000 }).toBe('acme/1')
    for (const fax of acme.faxes.values()) Object.assign(fax, { state: 'sent', id: 'acme/2' })
    await client.refreshJob({ params: { id } })
    expect(await jobOf(client, id)).toMatchObject({
      status: 'in_progress',
      needs_attention: true,
      provider_sid: 'acme/1',
      error: 'Acme Fax sent an answer that does not fit this fax: it names another id. Faxdeck ignored it.',
    })
    for (const fax of acme.faxes.values()) Object.assign(fax, { id: 'acme/1' })
    await client.refreshJob({ params: { id } })
    expect(await jobOf(client, id)).toMatchObject({ status: 'SUCCESS', provider_sid: 'acme/1' })
  })

  it('is asked at once by Refresh Status', async () => {
    const acme = await startAcme(token)
    const { client } = await startGateway({ env })
    await useAcme(client, acme.origin)
    const { id } = await send(client)
    await expect.poll(() => acme.faxes.size, { timeout: 8000 }).toBe(1)
    await expect
      .poll(() => jobOf(client, id))
      .toMatchObject({ actions: expect.arrayContaining(['refresh']) as unknown })
    for (const fax of acme.faxes.values()) fax.state = 'engaged'
    await client.refreshJob({ params: { id } })
    expect(await jobOf(client, id)).toMatchObject({ error_kind: 'busy', status: 'in_progress' })
  })

  it('never gives the provider the name of the file', async () => {
    const acme = await startAcme(token)
    const { client } = await startGateway({ env })
    await useAcme(client, acme.origin)
    await send(client, 'Jane Roe"; name="to"\r\n\r\n+15550009999.pdf')
    await expect.poll(() => acme.faxes.size, { timeout: 8000 }).toBe(1)
    const body = acme.received[0]?.body.toString('latin1') ?? ''
    expect(body).not.toMatch(/Jane|15550009999/)
    expect(body.match(/Content-Disposition/gi)).toHaveLength(2)
  })

  it('refuses faxes in a sentence while its credentials are missing, or plugins are off', async () => {
    const acme = await startAcme(token)
    const { client } = await startGateway({ env })
    await client.installManifest({ body: { manifest: acmeManifest(acme.origin) } })
    await client.updateSettings({ body: { outbound_backend: 'acme-fax' } })
    const refusal = (words: string) => ({ status: 503, answer: { detail: expect.stringContaining(words) as unknown } })
    await expect(send(client)).rejects.toMatchObject(refusal('Token (PLUGIN_ACME_FAX_TOKEN) is not set'))
    await client.updateSettings({ body: { plugin_acme_fax_token: 'wrong' } })
    const { id } = await send(client)
    await expect
      .poll(() => jobOf(client, id), { timeout: 8000 })
      .toMatchObject({
        status: 'in_progress',
        error_kind: 'bad_credentials',
        error: expect.stringContaining('Who are you?') as unknown,
      })
    await client.updateSettings({ body: { feature_v3_plugins: false } })
    await expect(send(client)).rejects.toMatchObject(refusal('Plugins are switched off'))
    expect(acme.faxes.size).toBe(0)
  })

  it('survives a restart, with its sealed credentials and as the one that sends', async () => {
    const acme = await startAcme(token)
    const first = await startGateway({ env })
    await useAcme(first.client, acme.origin)
    await first.stop()
    const { client } = await startGateway({ env, directory: first.directory })
    await send(client)
    await expect.poll(() => acme.faxes.size, { timeout: 8000 }).toBe(1)
  })

  it('may be named by the environment', async () => {
    const acme = await startAcme(token)
    const first = await startGateway({ env })
    await first.client.installManifest({ body: { manifest: acmeManifest(acme.origin) } })
    await first.stop()
    const { client } = await startGateway({
      env: { ...env, FAX_OUTBOUND_BACKEND: 'acme-fax', PLUGIN_ACME_FAX_TOKEN: token },
      directory: first.directory,
    })
    await send(client)
    await expect.poll(() => acme.faxes.size, { timeout: 8000 }).toBe(1)
    await expect(startGateway({ env: { ...env, FAX_OUTBOUND_BACKEND: 'acme-fax' } })).rejects.toThrow(
      'FAX_OUTBOUND_BACKEND',
    )
  })

  it('that may no longer be used lets nobody else send its faxes', async () => {
    const acme = await startAcme(token)
    const first = await startGateway({ env })
    await useAcme(first.client, acme.origin)
    await first.stop()
    const { client } = await startGateway({
      env: { ...env, FEATURE_LOOPBACK_PLUGINS: 'false', PHAXIO_API_KEY: 'k', PHAXIO_API_SECRET: 's' },
      directory: first.directory,
    })
    await expect(send(client)).rejects.toMatchObject({
      status: 503,
      answer: { detail: expect.stringContaining('The manifest of acme-fax cannot be used') as unknown },
    })
  })

  it('that is taken back while its faxes wait lets each fail with a sentence, and nobody else send it', async () => {
    const acme = await startAcme(token)
    let ahead = 0
    const { client, app } = await startGateway({ env, now: () => new Date(Date.now() + ahead) })
    const { key_id: id, token: key } = await client.createApiKey({ body: { scopes: ['keys:manage'] } })
    await app.inject({
      method: 'POST',
      url: '/admin/plugins/http/install',
      headers: { host: 'localhost', 'x-api-key': key },
      payload: { manifest: acmeManifest(acme.origin) },
    })
    await client.updateSettings({ body: { outbound_backend: 'acme-fax', plugin_acme_fax_token: 'wrong' } })
    const tried = await send(client)
    await expect.poll(() => jobOf(client, tried.id), { timeout: 8000 }).toMatchObject({ error_kind: 'bad_credentials' })
    const untried = await send(client, 'second.pdf')
    await client.revokeApiKey({ params: { id }, query: {} })
    ahead = 3_600_000
    for (const fax of [tried, untried]) {
      await expect
        .poll(() => jobOf(client, fax.id), { timeout: 8000 })
        .toMatchObject({
          status: 'FAILED',
          backend: 'acme-fax',
          error:
            'The provider "acme-fax" was removed, so the fax was not sent. Send it again through another provider.',
          actions: ['resend'],
        })
    }
    expect((await jobOf(client, untried.id)).attempts).toEqual([])
    expect(acme.received.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })
})
