import { describe, expect, it } from 'vitest'
import { startGateway } from '../../testing/start-gateway.ts'

const env = { BASE_PATH: '/faxdeck' }

describe('a gateway under a path', () => {
  it('answers with it and without it, and nothing that only begins like it', async () => {
    const { app, key } = await startGateway({ env })
    const ask = (url: string) => app.inject({ url, headers: { host: 'localhost', 'x-api-key': key } })
    for (const url of ['/faxdeck/health', '/health', '/faxdeck/admin/config', '/faxdeck/admin/fax-jobs?limit=1']) {
      expect([url, (await ask(url)).statusCode]).toEqual([url, 200])
    }
    for (const url of ['/faxdecks/health', '/faxdeck/faxdeck/health', '/faxdeckhealth', '/faxdeck//health']) {
      expect([url, (await ask(url)).statusCode]).toEqual([url, 404])
    }
  })

  it('leads on to addresses under it', async () => {
    const { app } = await startGateway({ env })
    for (const [url, to] of [
      ['/faxdeck', '/faxdeck/admin-demo/'],
      ['/faxdeck/', '/faxdeck/admin-demo/'],
      ['/faxdeck?x=1', '/faxdeck/admin-demo/'],
      ['/faxdeck/docs', '/faxdeck/docs/latest/'],
    ] as const) {
      const { statusCode, headers } = await app.inject({ url, headers: { host: 'localhost' } })
      expect([url, statusCode, headers.location]).toEqual([url, 302, to])
    }
  })

  it.each(['faxdeck', '/faxdeck/', '/', '/fax', '/admin/x', '/phaxio-callback', '/a b', '/<script>'])(
    'does not start under "%s", and says why',
    async (path) => {
      await expect(startGateway({ env: { BASE_PATH: path } })).rejects.toThrow(/BASE_PATH/)
    },
  )
})
