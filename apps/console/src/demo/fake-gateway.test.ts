import type { HealthStatus } from '@faxdeck/contract'
import { describe, expect, it } from 'vitest'
import { demoWorld } from './demo-world.ts'
import { addKey } from './people/fake-keys.ts'
import { fakeGateway } from './fake-gateway.ts'
import { bootstrapKey, emptyWorld } from './world.ts'

const call = (path: string, key: string | null) => ({
  method: 'GET',
  address: new URL(path, 'http://console.test'),
  key,
  body: undefined,
})

describe('the gateway in memory', () => {
  it('lets anybody into a demo by the front door alone, and nobody into another world', () => {
    const answer = fakeGateway({ ...demoWorld(), signedIn: undefined })
    expect(answer(call('/admin/fax-jobs', 'anything')).status).toBe(401)
    expect(answer(call('/admin/config', null)).status).toBe(401)
    expect(answer(call('/admin/config', 'anything')).status).toBe(200)
    expect(answer(call('/admin/fax-jobs', 'anything')).status).toBe(200)
    expect(fakeGateway(emptyWorld())(call('/admin/config', 'anything')).status).toBe(401)
  })

  it('keeps a key of the demo to its scopes', () => {
    const world = demoWorld()
    const { token } = addKey(world, { scopes: ['fax:send'] })
    expect(fakeGateway(world)(call('/admin/config', token)).status).toBe(403)
  })

  it('refuses a settings file that the gateway refuses, and writes no other', () => {
    const world = emptyWorld()
    world.settings = { ...world.settings, environment: { ...world.settings.environment, host: '127.0.0.1' } }
    const answer = fakeGateway(world)
    const save = (body: object) => {
      const address = new URL('/admin/settings/persist', 'http://console.test')
      return answer({ method: 'POST', address, key: bootstrapKey, body: JSON.stringify(body) }).status
    }
    const refused = ['NODE_OPTIONS=--inspect', 'FAXDECK_MASTER_KEY=a', 'PORT=many', 'REQUIRE_MCP_OAUTH=true', 'HOST=::']
    expect(refused.map((content) => save({ content }))).toEqual([422, 422, 422, 422, 422])
    expect(save({ content: '', path: '../other.env' })).toBe(403)
    expect(world.settingsFile).toBeUndefined()
    expect(save({ content: "# a remark\nHOST=127.0.0.1\nFAX_HEADER='Clinic North'\n" })).toBe(200)
    expect(save({})).toBe(200)
  })

  it('is healthy while the test line carries every fax although a provider is set up', async () => {
    const world = emptyWorld()
    world.config.test_line_bypasses = 'Phaxio'
    const answer = fakeGateway(world)
    const health = (await answer(call('/admin/health-status', bootstrapKey)).json()) as HealthStatus
    expect(health).toMatchObject({ backend_healthy: true, problem: null })
  })

  it('answers for those transports of MCP that are on', () => {
    const world = emptyWorld()
    world.config.mcp.sse_enabled = false
    const answer = fakeGateway(world)
    expect(answer(call('/mcp/http/health', null)).status).toBe(200)
    expect(answer(call('/mcp/sse/health', null)).status).toBe(404)
  })
})
