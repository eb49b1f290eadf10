import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { startGateway } from '../../testing/start-gateway.ts'

const secret = 'a-long-internal-secret'

/** A gateway that receives through Asterisk, with a fax that really is one in the shared folder. */
async function switchboard() {
  const { client, app, directory, key, stop } = await startGateway({
    env: {
      FAX_INBOUND_BACKEND: 'sip',
      ASTERISK_AMI_HOST: '127.0.0.1',
      ASTERISK_AMI_PORT: '1',
      ASTERISK_INBOUND_SECRET: secret,
    },
  })
  const { id } = await client.simulateInbound({ body: { backend: 'testline', pages: 2, status: 'received' } })
  const headers = { host: 'localhost', 'x-api-key': key }
  const { rawPayload: pages } = await app.inject({ url: `/inbound/${id}/original`, headers })
  const inbox = join(directory, 'lines', 'sip', 'inbox')
  await mkdir(inbox, { recursive: true })
  const tiff = join(inbox, 'fax.tif')
  await writeFile(tiff, pages)
  const post = (
    reported: object,
    headers: Record<string, string> = { 'x-internal-secret': secret },
    remote = '127.0.0.1',
  ) =>
    app.inject({
      method: 'POST',
      url: '/_internal/asterisk/inbound',
      headers: { 'content-type': 'application/json', ...headers },
      remoteAddress: remote,
      payload: JSON.stringify({
        uniqueid: '1.1',
        faxstatus: 'SUCCESS',
        faxpages: '2',
        to_number: '+15557654321',
        from_number: '',
        ...reported,
      }),
    })
  const received = async () => (await client.listInbound({ query: {} })).filter(({ backend }) => backend === 'sip')
  return { client, post, received, tiff, inbox, directory, stop }
}

it('a fax that Asterisk announces is stored before it is answered, once however often it is announced', async () => {
  const { post, received, tiff } = await switchboard()
  const answers = await Promise.all([post({ tiff_path: tiff }), post({ tiff_path: tiff })])
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  expect((await post({ tiff_path: 'lines/sip/inbox/fax.tif' })).statusCode).toBe(200)
  await vi.waitFor(async () => expect(await received()).toMatchObject([{ status: 'received', pages: 2, fr: null }]))
})

it.each(['received', 'PARTLY', undefined])(
  'a fax with the word %s is received when its pages are whole',
  async (faxstatus) => {
    const { post, received, tiff, client } = await switchboard()
    const answer = await post({ tiff_path: tiff, faxstatus })
    await vi.waitFor(async () =>
      expect(await received()).toMatchObject([{ status: 'received', pages: 2, error: null }]),
    )
    const [fax] = await received()
    expect(answer.json()).toEqual({ ok: true, id: fax?.id })
    const isUnclear = faxstatus !== 'received'
    expect([fax?.needs_attention, fax?.concern !== null]).toEqual([isUnclear, isUnclear])
    const { attention } = await client.getActivity({ query: {} })
    expect(attention.filter(({ kind }) => kind === 'unclear')).toHaveLength(isUnclear ? 1 : 0)
  },
)

it('nobody without the secret, or from outside, can announce one', async () => {
  const { post, received, tiff } = await switchboard()
  expect((await post({ tiff_path: tiff }, {})).statusCode).toBe(401)
  expect((await post({ tiff_path: tiff }, { 'x-internal-secret': `${secret}x` })).statusCode).toBe(401)
  expect((await post({ tiff_path: tiff }, undefined, '203.0.113.9')).statusCode).toBe(403)
  expect(await received()).toEqual([])
})

it('a path that leads elsewhere, or nowhere, is refused', async () => {
  const { post, received, inbox, directory } = await switchboard()
  await symlink('/etc/hostname', join(inbox, 'link.tif'))
  const paths = ['/etc/hostname', '../../../etc/hostname', join(inbox, 'link.tif'), join(inbox, 'none.tif'), directory]
  for (const tiff_path of paths)
    expect((await post({ tiff_path, uniqueid: tiff_path })).statusCode, tiff_path).toBe(400)
  expect(await received()).toEqual([])
})

it('a fax that is brought while receiving is off is declined, and taken when it is brought again', async () => {
  const { post, received, tiff, client } = await switchboard()
  await client.updateSettings({ body: { inbound_enabled: false } })
  const declined = await post({ tiff_path: tiff })
  expect([declined.statusCode, declined.headers['retry-after']]).toEqual([503, '3600'])
  const { items } = await client.listLogs({ query: { event: 'inbound_declined' } })
  expect(items).toMatchObject([{ backend: 'sip', provider_id: '1.1', path: '/_internal/asterisk/inbound' }])
  await client.updateSettings({ body: { inbound_enabled: true } })
  expect((await post({ tiff_path: tiff })).statusCode).toBe(200)
  await vi.waitFor(async () => expect(await received()).toMatchObject([{ status: 'received', pages: 2 }]))
})

it('a note that Asterisk left while the gateway was away is found at the start', async () => {
  const first = await switchboard()
  await writeFile(`${first.tiff}.json`, JSON.stringify({ uniqueid: '1.2', faxstatus: 'SUCCESS', faxpages: '2' }))
  await first.stop()
  const { client } = await startGateway({
    directory: first.directory,
    env: { FAX_INBOUND_BACKEND: 'sip', ASTERISK_AMI_HOST: '127.0.0.1', ASTERISK_AMI_PORT: '1' },
  })
  await vi.waitFor(async () => expect(await readdir(first.inbox)).toEqual([]), { timeout: 10_000 })
  expect((await client.listInbound({ query: {} })).map(({ backend }) => backend)).toContain('sip')
})
