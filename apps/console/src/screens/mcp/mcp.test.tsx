import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { saveSettings } from '../../demo/installation/fake-settings.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { emptyWorld, type World } from '../../demo/world.ts'
import { McpScreen } from './mcp.tsx'

const at = { place: 'settings/mcp' }
const broken = { status: 500, statusText: 'Internal Server Error' }

/** Shows the screen; the health addresses answer with a status, or not at all. */
async function open({ world = emptyWorld(), health = 200, target = '' } = {}) {
  const shown = renderScreen(<McpScreen />, { world, at: target ? { ...at, open: target } : at })
  const answer = fetch
  const asked: { address: string; key: string | null }[] = []
  vi.stubGlobal('fetch', async (address: string, init?: RequestInit) => {
    if (!address.endsWith('/health') || address === '/health') return answer(address, init)
    asked.push({ address, key: new Headers(init?.headers).get('x-api-key') })
    if (health === 0) throw new TypeError('Failed to fetch')
    return new Response('', { status: health })
  })
  await screen.findByRole('switch', { name: 'MCP over HTTP' })
  return { ...shown, asked }
}
const panel = (name: string) => within(screen.getByRole('region', { name }))
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
const copied = () => navigator.clipboard.readText()

function withSettings(values: Parameters<typeof saveSettings>[1]): World {
  const world = emptyWorld()
  saveSettings(world, values)
  return world
}

describe('MCP', () => {
  it('shows each transport with its address and what its health address answers, asked without a key', async () => {
    const { asked, user } = await open()
    panel('MCP over SSE').getByText('Available once it is turned on.')
    await panel('MCP over HTTP').findByText('Healthy')
    expect(asked).toEqual([{ address: '/mcp/http/health', key: null }])
    await user.click(screen.getByRole('button', { name: 'Copy URL of MCP over HTTP' }))
    expect(await copied()).toBe(`${location.origin}/mcp/http`)
  })

  it.each([
    [404, 'MCP not healthy (404)', /may not include an MCP server/],
    [503, 'MCP not healthy (503)', /starting, stopping or overloaded/],
    [0, 'MCP not healthy (no answer)', /did not answer/],
  ] as const)('says what it means that the health address answers %i', async (health, words, meaning) => {
    const { asked, user } = await open({ health })
    await screen.findByText(words)
    screen.getByText(meaning)
    await user.click(screen.getByRole('button', { name: 'Check Health of MCP over HTTP' }))
    await waitFor(() => expect(asked).toHaveLength(2))
  })

  it('switches transports and sets OAuth together', async () => {
    const { user, world } = await open()
    await user.click(screen.getByRole('switch', { name: 'MCP over SSE' }))
    await user.click(screen.getByRole('switch', { name: 'Require OAuth' }))
    await user.type(field('OAuth issuer'), 'https://login.example.org')
    await user.type(field('OAuth audience'), 'faxdeck')
    await user.type(field('OAuth keys (JWKS URL)'), 'https://login.example.org/keys')
    await user.click(screen.getByRole('button', { name: 'Apply' }))
    await screen.findByText('MCP settings applied')
    expect(world.settings.saved).toEqual({
      enable_mcp_sse: true,
      require_mcp_oauth: true,
      oauth_issuer: 'https://login.example.org',
      oauth_audience: 'faxdeck',
      oauth_jwks_url: 'https://login.example.org/keys',
    })
  })

  it('leads to the setting that the person was sent to', async () => {
    await open({ target: 'oauth_issuer' })
    await waitFor(() => expect(document.activeElement).toBe(field('OAuth issuer')))
  })

  it('asks before it is left with something unsaved', async () => {
    const { user } = await open()
    await user.click(screen.getByRole('switch', { name: 'MCP over SSE' }))
    await user.click(screen.getByRole('button', { name: 'Create an API key' }))
    screen.getByRole('dialog', { name: 'Leave with unsaved changes?' })
    expect(history.state).toEqual(at)
  })
})

describe('the configuration of clients', () => {
  it('carries the address and a placeholder for the key, for each client', async () => {
    const { user } = await open()
    const url = `${location.origin}/mcp/http`
    await user.click(screen.getByRole('button', { name: 'Copy configuration for Claude Code' }))
    expect(await copied()).toBe(`claude mcp add --transport http faxdeck ${url} --header "X-API-Key: YOUR_API_KEY"`)
    await user.click(screen.getByRole('button', { name: 'Cursor' }))
    await user.click(screen.getByRole('button', { name: 'Copy configuration for Cursor' }))
    const headers = { 'X-API-Key': 'YOUR_API_KEY' }
    expect(JSON.parse(await copied())).toEqual({ mcpServers: { faxdeck: { url, headers } } })
    await user.click(screen.getByRole('button', { name: 'VS Code' }))
    await user.click(screen.getByRole('button', { name: 'Copy configuration for VS Code' }))
    expect(JSON.parse(await copied())).toMatchObject({
      inputs: [{ id: 'faxdeck-api-key', password: true }],
      servers: { faxdeck: { type: 'http', url, headers: { 'X-API-Key': '${input:faxdeck-api-key}' } } },
    })
  })

  it('is of the transport that is on', async () => {
    const { user } = await open({ world: withSettings({ enable_mcp_http: false, enable_mcp_sse: true }) })
    await user.click(screen.getByRole('button', { name: 'Copy configuration for Claude Code' }))
    expect(await copied()).toContain(`--transport sse faxdeck ${location.origin}/mcp/sse`)
  })

  it('sends no key where OAuth is required', async () => {
    const oauth = { require_mcp_oauth: true, oauth_issuer: 'https://login.example.org', oauth_audience: 'faxdeck' }
    await open({ world: withSettings(oauth) })
    expect(panel('Client configuration').getByText(/claude mcp add/).textContent).not.toContain('X-API-Key')
    expect(screen.queryByRole('button', { name: 'Create an API key' })).toBeNull()
  })

  it('over stdio starts the command, with a warning', async () => {
    const { user } = await open()
    screen.getByText(/The stdio transport is discouraged for HIPAA/)
    await user.click(screen.getByRole('button', { name: 'Copy configuration over stdio' }))
    const env = { FAXDECK_URL: location.origin, FAXDECK_API_KEY: 'YOUR_API_KEY' }
    expect(JSON.parse(await copied())).toEqual({ mcpServers: { faxdeck: { command: 'faxdeck', args: ['mcp'], env } } })
  })
})

describe('MCP, when a call fails', () => {
  it('says that the configuration could not be loaded, and loads it on Retry', async () => {
    const world = emptyWorld()
    world.failures.set('describeSettings', broken)
    const { user } = renderScreen(<McpScreen />, { world, at })
    const notice = within(await screen.findByRole('alert'))
    notice.getByText('Failed to load MCP config')
    world.failures.clear()
    saveSettings(world, { enable_mcp_http: false })
    await user.click(notice.getByRole('button', { name: 'Retry' }))
    await screen.findByRole('switch', { name: 'MCP over HTTP' })
  })

  it('says that the settings could not be applied, and why', async () => {
    const { user } = await open()
    await user.click(screen.getByRole('switch', { name: 'Require OAuth' }))
    await user.click(screen.getByRole('button', { name: 'Apply' }))
    const notice = within(await screen.findByRole('alert'))
    notice.getByText('Failed to apply MCP settings')
    notice.getByText(/needs OAUTH_ISSUER/)
    expect(screen.getByRole<HTMLInputElement>('switch', { name: 'Require OAuth' }).checked).toBe(true)
  })
})
