import { describe, expect, it } from 'vitest'
import { demoWorld } from './demo-world.ts'
import { addKey } from './fake-keys.ts'
import { fakeGateway } from './fake-gateway.ts'
import { emptyWorld } from './world.ts'

const call = (path: string, key: string | null) => ({
  method: 'GET',
  address: new URL(path, 'http://console.test'),
  key,
  body: undefined,
})

describe('the gateway in memory', () => {
  it('lets anybody into a demo by the front door alone, and nobody into another world', () => {
    const answer = fakeGateway(demoWorld())
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
  it('answers for those transports of MCP that are on', () => {
    const world = emptyWorld()
    world.config.mcp.sse_enabled = false
    const answer = fakeGateway(world)
    expect(answer(call('/mcp/http/health', null)).status).toBe(200)
    expect(answer(call('/mcp/sse/health', null)).status).toBe(404)
  })
})
