import { expect, it } from 'vitest'
import { signedIn } from '../../testing/browser.ts'
import { clientWith, startGateway } from '../../testing/start-gateway.ts'

const file = () => new File(['Two lines\nfor nobody else'], 'letter.txt')

it('of one person are found by nobody else: no page, no quote, no cover', async () => {
  const gateway = await startGateway()
  const { app, client } = gateway
  const { id } = await client.createPreview({ form: { file: file() } })
  const covered = await client.coverPreview({ params: { id }, body: { cover: 'plain' } })
  const { token } = await client.createApiKey({ body: { scopes: ['keys:manage'] } })
  const stranger = clientWith(app, token)
  const { browser } = await signedIn(gateway, 'sender')
  for (const each of [id, covered.id]) {
    const params = { id: each }
    const asked = [
      () => stranger.getPreviewPage({ params: { id: each, page: 1 }, query: {} }),
      () => stranger.quotePreview({ params, query: {} }),
      () => stranger.coverPreview({ params, body: { cover: 'formal' } }),
    ]
    for (const ask of asked)
      await expect(ask()).rejects.toMatchObject({ status: 404, answer: { code: 'document_not_found' } })
    const paths = [`/admin/previews/${each}/pages/1`, `/admin/previews/${each}/quote`]
    expect(await Promise.all(paths.map(async (path) => (await browser.ask('GET', path)).status))).toEqual([404, 404])
    expect((await client.quotePreview({ params, query: {} })).pages).toBeGreaterThan(0)
  }
})

it('of somebody who makes many push out only their own', async () => {
  const gateway = await startGateway()
  const { id } = await gateway.client.createPreview({ form: { file: file() } })
  const { token } = await gateway.client.createApiKey({ body: { scopes: ['keys:manage'] } })
  const stranger = clientWith(gateway.app, token)
  for (let n = 0; n < 51; n++) await stranger.createPreview({ form: { file: file() } })
  expect((await gateway.client.quotePreview({ params: { id }, query: {} })).pages).toBe(1)
})
