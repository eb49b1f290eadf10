import { describe, expect, it, onTestFinished } from 'vitest'
import { startIssuer } from './testing/issuer.ts'
import { listen, manners, me } from './testing/speakers.ts'

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: me },
}

/** Opens both streams of MCP, and answers how to wait until they have ended. */
async function openStreams(url: string, headers: Record<string, string>) {
  const accept = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
  const begun = await fetch(`${url}/mcp/http`, {
    method: 'POST',
    headers: { ...headers, ...accept },
    body: JSON.stringify(initialize),
  })
  const session = { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' }
  const http = await fetch(`${url}/mcp/http`, { headers: { ...headers, ...session, accept: 'text/event-stream' } })
  const sse = await fetch(`${url}/mcp/sse`, { headers })
  expect([begun.status, http.status, sse.status]).toEqual([200, 200, 200])
  const readers = [http, sse].map((response) => response.body?.getReader())
  onTestFinished(() => readers.forEach((reader) => void reader?.cancel().catch(() => undefined)))
  return async () => {
    // A stream that is cut off is an error of its reader.
    const drain = async (reader: (typeof readers)[number]) => {
      while (!(await reader?.read().catch(() => ({ done: true })))?.done);
    }
    await Promise.all(readers.map(drain))
  }
}

describe('streams of MCP', () => {
  it.each(['revokeApiKey', 'rotateApiKey'] as const)('end at once with the key that opened them: %s', async (end) => {
    const { url, client } = await listen()
    const { token, key_id: id } = await client.createApiKey({ body: {} })
    const ended = await openStreams(url, { 'x-api-key': token })
    await client[end]({ params: { id }, query: {} })
    await ended()
  })

  it('end at once for tokens when OAuth is asked again and says no', async () => {
    const issuer = await startIssuer('fax')
    const { url, client } = await listen({ OAUTH_ISSUER: issuer.url, OAUTH_AUDIENCE: 'fax' })
    const ended = await openStreams(url, { authorization: `Bearer ${await issuer.token()}` })
    await client.updateSettings({ body: { oauth_audience: 'another' } })
    // Any key that ends makes the gateway ask for all.
    const { key_id: id } = await client.createApiKey({ body: {} })
    await client.revokeApiKey({ params: { id }, query: {} })
    await ended()
  })

  it('go on when another key is revoked', async () => {
    const { url, key, client } = await listen()
    const speaker = await manners['the v1 client over SSE'](url, { 'x-api-key': key })
    onTestFinished(() => speaker.close())
    const { key_id: id } = await client.createApiKey({ body: {} })
    await client.revokeApiKey({ params: { id }, query: {} })
    expect((await speaker.listTools()).tools).not.toEqual([])
  })
})
