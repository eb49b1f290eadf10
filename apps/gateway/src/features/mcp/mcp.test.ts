import { connect as connectTo } from 'node:net'
import { toolRoutes } from '@faxdeck/mcp-tools/tool-routes'
import { UnsecuredJWT } from 'jose'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startGateway } from '../../testing/start-gateway.ts'
import { startIssuer } from './testing/issuer.ts'
import { letter, listen, manners, me, use } from './testing/speakers.ts'

describe.each(Object.entries(manners))('%s', (_name, connect) => {
  it('quotes, sends, follows and reads what was received, with the rights of its key', async () => {
    const { url, key, client: api } = await listen()
    const client = await connect(url, { 'x-api-key': key })
    onTestFinished(() => client.close())
    const { tools } = await client.listTools()
    // A tool that the table of scopes does not know would not be challenged for a token's scope.
    expect(Object.keys(toolRoutes).toSorted()).toEqual(tools.map(({ name }) => name).toSorted())
    expect(tools.map(({ name }) => name).sort()).toEqual([
      'cancel_fax',
      'get_fax_status',
      'get_inbound_pdf',
      'list_faxes',
      'list_inbound',
      'quote_fax',
      'send_fax',
    ])
    expect(tools.find(({ name }) => name === 'send_fax')?.annotations).toMatchObject({ readOnlyHint: false })
    const quote = await use(client, 'quote_fax', { content_base64: letter })
    expect(quote.structuredContent).toMatchObject({ pages: 1, minutes: 1 })
    const order = { to: '+15555550123', content_base64: letter, file_name: 'letter.txt', idempotency_key: 'once' }
    const sent = await use(client, 'send_fax', order)
    expect((await use(client, 'send_fax', order)).structuredContent).toEqual({
      ...sent.structuredContent,
      repeated: true,
    })
    const id = String(sent.structuredContent?.['id'])
    const state = async () => (await use(client, 'get_fax_status', { id })).structuredContent?.['status']
    await expect.poll(state, { timeout: 20_000 }).toBe('SUCCESS')
    expect((await use(client, 'list_faxes', {})).structuredContent).toMatchObject({
      faxes: [{ id }],
      next_cursor: null,
    })
    await expect
      .poll(async () => (await api.listInbound({ query: {} }))[0]?.status, { timeout: 45_000, interval: 2000 })
      .toBe('received')
    const [received] = (await use(client, 'list_inbound', {})).structuredContent?.['faxes'] as { id: string }[]
    const pdf = await use(client, 'get_inbound_pdf', { id: received?.id })
    expect(Buffer.from(String(pdf.structuredContent?.['content_base64']), 'base64').subarray(0, 5).toString()).toBe(
      '%PDF-',
    )
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual([`fax://inbound/${received?.id}`])
    const { contents } = await client.readResource({ uri: `fax://inbound/${received?.id}` })
    expect(contents[0]).toMatchObject({ mimeType: 'application/pdf' })
  })

  it('sends behind a cover page, which is another fax than the document alone', async () => {
    const { url, key } = await listen()
    const client = await connect(url, { 'x-api-key': key })
    const order = { to: '+15555550123', content_base64: letter }
    const cover = { cover: 'plain', cover_to: 'Dr. Doe', cover_note: 'Please call.' }
    const quoted = await use(client, 'quote_fax', { ...order, ...cover })
    expect(quoted.structuredContent).toMatchObject({ pages: 2 })
    const alone = await use(client, 'send_fax', order)
    const covered = await use(client, 'send_fax', { ...order, ...cover })
    expect(covered.structuredContent).toMatchObject({ pages: 2 })
    expect(covered.structuredContent).not.toEqual(alone.structuredContent)
    expect(await use(client, 'send_fax', { ...order, cover_note: 'x' })).toMatchObject({ isError: true })
  })

  it('dials an unlikely number only when it is told that the number is meant', async () => {
    const { url, key } = await listen()
    const client = await connect(url, { 'x-api-key': key })
    const order = { to: '+11930123456', content_base64: letter }
    for (const tool of ['quote_fax', 'send_fax']) {
      const refused = await use(client, tool, order)
      expect(refused.isError).toBe(true)
      expect(refused.content[0]?.text).toContain('There is no area code 193 in the US.')
    }
    const meant = { ...order, allow_unlikely_number: true }
    expect((await use(client, 'quote_fax', meant)).structuredContent).toMatchObject({ pages: 1 })
    expect((await use(client, 'send_fax', meant)).isError).toBeFalsy()
  })

  it('may not do more than its key, and is told in sentences what to do', async () => {
    const { url, client: api } = await listen()
    const { token } = await api.createApiKey({ body: { scopes: ['fax:read'] } })
    const client = await connect(url, { 'x-api-key': token })
    onTestFinished(() => client.close())
    const refused = await use(client, 'send_fax', { to: '+15555550123', content_base64: letter })
    expect(refused).toMatchObject({
      isError: true,
      content: [{ text: 'This key lacks the scope fax:send. (forbidden)' }],
    })
    expect((await use(client, 'get_fax_status', { id: '0'.repeat(32) })).content[0]?.text).toContain('fax_not_found')
    expect((await api.listJobs({ query: {} })).total).toBe(0)
  })

  it('may not hand over more than MAX_FILE_SIZE_MB, neither to send nor to quote', async () => {
    const { url, key, client: api } = await listen({ MAX_FILE_SIZE_MB: '1' })
    const client = await connect(url, { 'x-api-key': key })
    onTestFinished(() => client.close())
    // Within the room for what a message says beside its document, so that only the document itself is too large.
    const content_base64 = Buffer.alloc(1024 * 1024 + 1).toString('base64')
    for (const tool of ['send_fax', 'quote_fax']) {
      const refused = await use(client, tool, { to: '+15555550123', content_base64 })
      expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('(too_large)') }] })
    }
    expect((await api.listJobs({ query: {} })).total).toBe(0)
    await expect(use(client, 'send_fax', { to: '1', content_base64: 'A'.repeat(4 * 1024 * 1024) })).rejects.toThrow()
    const fitting = Buffer.alloc(1024 * 1024).toString('base64')
    const opened = await use(client, 'quote_fax', { content_base64: fitting })
    expect(opened.content[0]?.text).toContain('(unsupported_document)')
  })

  it('has no tool that administers: all of them answer behind a proxy as well', async () => {
    const { url, key } = await listen({ TRUSTED_PROXIES: '127.0.0.1' })
    const client = await connect(url, { 'x-api-key': key, 'x-forwarded-for': '203.0.113.9' })
    onTestFinished(() => client.close())
    expect((await use(client, 'list_faxes', {})).isError).toBeFalsy()
    expect((await use(client, 'list_inbound', {})).isError).toBeFalsy()
  })

  it('cannot make the gateway read a file or an address', async () => {
    const { url, key, client: api } = await listen()
    const client = await connect(url, { 'x-api-key': key })
    onTestFinished(() => client.close())
    for (const content_base64 of ['/etc/passwd.', 'http://127.0.0.1/secret', 'file:///etc/hosts']) {
      expect(await use(client, 'send_fax', { to: '+15555550123', content_base64 })).toMatchObject({ isError: true })
    }
    expect((await api.listJobs({ query: {} })).total).toBe(0)
  })
})

describe('the context of MCP', () => {
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: me },
  }
  const post = (url: string, headers: Record<string, string>) =>
    fetch(`${url}/mcp/http`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body: JSON.stringify(initialize),
    })

  it('are closed until they are opened, which counts at once; health needs no key', async () => {
    const { url, key, client } = await listen({ ENABLE_MCP_HTTP: 'false', ENABLE_MCP_SSE: 'false' })
    expect((await post(url, { 'x-api-key': key })).status).toBe(404)
    expect((await fetch(`${url}/mcp/sse/health`)).status).toBe(404)
    await client.updateSettings({ body: { enable_mcp_http: true } })
    expect(await (await fetch(`${url}/mcp/http/health`)).json()).toEqual({ status: 'ok', transport: 'http' })
    expect((await post(url, { 'x-api-key': key })).status).toBe(200)
  })

  it('ask for a key, and name no place for tokens where there is none', async () => {
    const { url } = await listen()
    for (const headers of [{}, { 'x-api-key': 'wrong' }, { authorization: 'Bearer wrong' }] as Record<
      string,
      string
    >[]) {
      const answer = await post(url, headers)
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="faxdeck"'])
    }
    expect((await fetch(`${url}/.well-known/oauth-protected-resource/mcp/http`)).status).toBe(404)
  })

  it('refuse a stranger, and a message that is too large, before it is read', async () => {
    const { url, key } = await listen({ MAX_FILE_SIZE_MB: '1' })
    const { hostname, port } = new URL(url)
    const begin = (headers: string) =>
      new Promise<string>((resolve, reject) => {
        const socket = connectTo(Number(port), hostname, () => {
          const length = 60 * 1024 * 1024
          socket.write(
            `POST /mcp/http HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n${headers}\r\n{`,
          )
        })
        socket.on('data', (data) => resolve(String(data).split('\r\n')[0] ?? ''))
        socket.on('error', reject)
        onTestFinished(() => void socket.destroy())
      })
    expect(await begin('')).toContain('401')
    expect(await begin(`X-API-Key: ${key}\r\n`)).toContain('413')
  })

  it('do not open to another Host or Origin', async () => {
    const { app, key } = await listen()
    const ask = (headers: Record<string, string>) =>
      app.inject({ method: 'POST', url: '/mcp/http', headers: { 'x-api-key': key, ...headers }, payload: initialize })
    expect((await ask({ host: 'evil.example' })).statusCode).toBe(403)
    expect((await ask({ host: 'localhost', origin: 'https://evil.example' })).statusCode).toBe(403)
  })

  it('keep the session of one caller from another', async () => {
    const { url, key, client } = await listen()
    const session = (await post(url, { 'x-api-key': key })).headers.get('mcp-session-id') ?? ''
    expect(session).not.toBe('')
    const { token } = await client.createApiKey({ body: {} })
    const stolen = await fetch(`${url}/mcp/http`, {
      method: 'DELETE',
      headers: { 'x-api-key': token, 'mcp-session-id': session },
    })
    expect(stolen.status).toBe(404)
  })
})

describe('access tokens', () => {
  const metadata = '/.well-known/oauth-protected-resource/mcp/http'
  const audience = 'https://fax.clinic.example'
  const start = async () => {
    const issuer = await startIssuer(audience)
    const gateway = await listen({ OAUTH_ISSUER: issuer.url, OAUTH_AUDIENCE: audience, REQUIRE_MCP_OAUTH: 'true' })
    const connect = async (token: string) => {
      const client = await manners['the v2 client over HTTP'](gateway.url, { authorization: `Bearer ${token}` })
      onTestFinished(() => client.close())
      return client
    }
    return { issuer, connect, ...gateway }
  }

  it('allow what their scope says, also after the issuer has changed its key', async () => {
    const { issuer, connect, client: api } = await start()
    const client = await connect(await issuer.token())
    expect((await use(client, 'send_fax', { to: '+15555550123', content_base64: letter })).isError).toBeFalsy()
    const inbound = use(client, 'get_inbound_pdf', { id: 'a'.repeat(32) })
    await expect(inbound).rejects.toThrow('Insufficient scope: required "inbound:read"')
    const { items } = await api.listLogs({ query: { event: 'job_created' } })
    expect(items[0]).toMatchObject({ key_id: 'oauth:nurse' })
  })

  const uploadTo = (url: string, token: string) => {
    const body = new FormData()
    body.append('file', new File([Buffer.from(letter, 'base64')], 'letter.txt'))
    return fetch(`${url}/fax/uploads`, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body })
  }

  it('hand over documents for their holder alone, and open no other call', async () => {
    const { issuer, connect, url, client: api } = await start()
    const token = await issuer.token()
    const answer = await uploadTo(url, token)
    expect(answer.status).toBe(201)
    const { id: upload_id } = (await answer.json()) as { id: string }
    const order = { to: '+15555550123', upload_id }
    const stranger = await connect(await issuer.token({ sub: 'another' }))
    expect((await use(stranger, 'send_fax', order)).content[0]?.text).toContain('(upload_not_found)')
    expect((await use(await connect(token), 'send_fax', order)).isError).toBeFalsy()
    expect((await api.listJobs({ query: {} })).total).toBe(1)
    const all = await issuer.token({ scope: 'fax:send fax:read inbound:list keys:manage' })
    const headers = { authorization: `Bearer ${all}` }
    for (const path of ['/fax/quote', '/fax/requests', '/fax']) {
      const body = new FormData()
      body.append('to', order.to)
      body.append('file', new File(['A letter.'], 'a.txt'))
      expect([path, (await fetch(url + path, { method: 'POST', headers, body })).status]).toEqual([path, 401])
    }
    expect((await fetch(`${url}/admin/fax-jobs`, { headers })).status).toBe(401)
  })

  it('hand over nothing without the scope, for another audience, or while MCP is off', async () => {
    const { issuer, url, client: api } = await start()
    expect((await uploadTo(url, await issuer.token({ scope: 'fax:read' }))).status).toBe(403)
    expect((await uploadTo(url, await issuer.token({ aud: 'https://other.example' }))).status).toBe(401)
    await api.updateSettings({ body: { enable_mcp_http: false, enable_mcp_sse: false } })
    expect((await uploadTo(url, await issuer.token())).status).toBe(401)
  })

  it('may name the advertised resource as their audience where none is set (RFC 8707)', async () => {
    const issuer = await startIssuer('unused')
    const env = { OAUTH_ISSUER: issuer.url, REQUIRE_MCP_OAUTH: 'true', PUBLIC_API_URL: 'https://fax.clinic.example/' }
    const { url } = await listen(env)
    const { resource } = (await (await fetch(`${url}${metadata}`)).json()) as { resource: string }
    expect(resource).toBe('https://fax.clinic.example/mcp/http')
    const statusFor = async (aud: string | string[]) => {
      const headers = { authorization: `Bearer ${await issuer.token({ aud })}`, 'content-type': 'application/json' }
      return (await fetch(`${url}/mcp/http`, { method: 'POST', headers, body: '{}' })).status
    }
    for (const aud of [resource, [resource, 'x'], 'https://fax.clinic.example', 'https://fax.clinic.example/mcp/sse'])
      expect(await statusFor(aud), String(aud)).not.toBe(401)
    for (const aud of ['https://fax.clinic.example/mcp', 'https://other.example/mcp/http', 'faxdeck'])
      expect(await statusFor(aud), aud).toBe(401)
  })

  it('cannot be required while nobody has said for whom they are', async () => {
    const issuer = { OAUTH_ISSUER: 'https://login.example.org', REQUIRE_MCP_OAUTH: 'true' }
    await expect(listen(issuer)).rejects.toMatchObject({
      sentences: [expect.stringContaining('needs PUBLIC_API_URL or OAUTH_AUDIENCE')],
    })
  })

  it('are asked for at the port in use, where no public address is named', async () => {
    const { app } = await startGateway({
      env: { PORT: '18270', OAUTH_ISSUER: 'https://login.example.org', ENABLE_MCP_HTTP: 'true' },
    })
    const headers = { host: 'localhost:18270' }
    const asked = await app.inject({ method: 'POST', url: '/mcp/http', headers, payload: {} })
    const address = 'http://localhost:18270'
    expect(asked.headers['www-authenticate']).toBe(`Bearer resource_metadata="${address}${metadata}"`)
    expect((await app.inject({ url: metadata, headers })).json()).toMatchObject({ resource: `${address}/mcp/http` })
  })

  it('learn why they are refused, and which scope they lack', async () => {
    const { issuer, url } = await start()
    const ask = async (token: string, payload: object) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const answer = await fetch(`${url}/mcp/http`, { method: 'POST', headers, body: JSON.stringify(payload) })
      return { status: answer.status, challenge: answer.headers.get('www-authenticate') ?? '' }
    }
    const late = await ask(await issuer.token({ exp: 1000 }), {})
    expect(late.status).toBe(401)
    expect(late.challenge).toContain('error="invalid_token", error_description="The access token was rejected')
    expect(late.challenge).toContain(`resource_metadata="`)
    const use = (name: string) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } })
    const token = await issuer.token({ scope: 'fax:read' })
    const lacks = await ask(token, use('send_fax'))
    expect(lacks.status).toBe(403)
    expect(lacks.challenge).toMatch(
      /^Bearer error="insufficient_scope", error_description="This token lacks the scope fax:send.", scope="fax:send", resource_metadata="/,
    )
    expect((await ask(token, use('list_inbound'))).challenge).toContain('scope="inbound:list"')
    expect((await ask(token, use('list_faxes'))).challenge).toBe('')
    expect((await ask(token, use('get_fax_status'))).challenge).toBe('')
    expect((await ask(await issuer.token({ scope: 'keys:manage' }), use('send_fax'))).challenge).toBe('')
  })

  it('name their issuer', async () => {
    const { issuer, url } = await start()
    const reported = await (await fetch(`${url}${metadata}`)).json()
    expect(reported).toMatchObject({ authorization_servers: [issuer.url], bearer_methods_supported: ['header'] })
  })

  it('are refused when they are expired, too early, of another issuer or audience, unsigned, or signed with a key that was withdrawn', async () => {
    const { issuer, url, key } = await start()
    const now = Math.floor(Date.now() / 1000)
    const other = await startIssuer(audience)
    const old = await issuer.token()
    await issuer.rotate()
    const bad = {
      expired: await issuer.token({ exp: now - 120 }),
      early: await issuer.token({ nbf: now + 600 }),
      'another issuer': await issuer.token({ iss: 'https://evil.example' }),
      'another audience': await issuer.token({ aud: 'https://other.example' }),
      'without expiry': await issuer.token({ exp: undefined }),
      'another signer': await other.token({ iss: issuer.url }),
      unsigned: new UnsecuredJWT({ sub: 'nurse' })
        .setIssuer(issuer.url)
        .setAudience(audience)
        .setExpirationTime('5m')
        .encode(),
      withdrawn: old,
      'an API key': key,
    }
    const statuses = await Promise.all(
      Object.entries(bad).map(async ([what, token]) => {
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
        return [what, (await fetch(`${url}/mcp/http`, { method: 'POST', headers, body: '{}' })).status]
      }),
    )
    expect(Object.fromEntries(statuses)).toEqual(Object.fromEntries(Object.keys(bad).map((what) => [what, 401])))
    const good = { authorization: `Bearer ${await issuer.token()}`, 'content-type': 'application/json' }
    expect((await fetch(`${url}/mcp/http`, { method: 'POST', headers: good, body: '{}' })).status).not.toBe(401)
  })
})
