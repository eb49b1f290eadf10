import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { addKey } from '../../demo/people/fake-keys.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { emptyWorld, instantOf, type World } from '../../demo/world.ts'
import { OutputViewer } from './output-viewer.tsx'
import { ScriptsScreen } from './scripts.tsx'

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => void vi.useRealTimers())

const fault = { status: 500, statusText: 'Internal Server Error' }
const auth = 'Authentication smoke test'

function open(world = emptyWorld(), without: readonly string[] = []) {
  const shown = renderScreen(<ScriptsScreen />, { world, at: { place: 'tools/scripts' }, without })
  const run = (name: string) => shown.user.click(screen.getByRole('button', { name: `Run ${name}` }))
  return { ...shown, run }
}
const output = (name: string) => screen.getByRole('log', { name: `Output of ${name}` }).textContent

/** Lets what waits between polls pass, in the world as on the clock. */
async function passPolls(world: World, polls: number) {
  for (let n = 0; n < polls; n += 1) {
    world.pass(2)
    await vi.advanceTimersByTimeAsync(2_000)
  }
}

describe('the tests', () => {
  it('say by name through whom a real call goes', async () => {
    const world = emptyWorld()
    world.config = { ...world.config, test_line: false, backend: 'sinch' }
    open(world)
    expect(await screen.findAllByText(/a real call through Sinch\)/)).toHaveLength(2)
  })
})

describe('the authentication smoke test', () => {
  it('makes a key, uses it, sees wrong ones refused, and takes it away', async () => {
    const world = emptyWorld()
    const { run } = open(world)
    await run(auth)
    await waitFor(() => expect(output(auth)).toContain('PASS'))
    for (const line of [
      /key [0-9a-f]{12} created with fax:send and fax:read, owner demo/,
      /the key sends: fax [0-9a-f]{8} is queued/,
      /the key reads: fax [0-9a-f]{8} is/,
      /administering with the key is refused \(403\)/,
      /a wrong key is refused \(401\)/,
      /key [0-9a-f]{12} revoked/,
      /the revoked key is refused \(401\)/,
    ])
      expect(output(auth)).toMatch(line)
    expect(world.keys).toEqual([])
    expect(world.jobs).toHaveLength(1)
  })

  it.each(['submitFax', 'getFax'] as const)('takes its key away also when %s fails', async (call) => {
    const world = emptyWorld()
    world.failures.set(call, fault)
    const { run } = open(world)
    await run(auth)
    const alert = within(await screen.findByRole('alert'))
    alert.getByText('Auth smoke failed')
    alert.getByText(/^(Send failed|API Error): 500/)
    expect(output(auth)).toContain('revoked')
    expect(world.keys).toEqual([])
  })

  it('says so when the gateway lets a key do more than it may', async () => {
    const world = emptyWorld()
    // A gateway that grants whatever is asked.
    Object.defineProperty(world, 'keys', { value: permissive(world) })
    const { run } = open(world)
    await run(auth)
    await screen.findByText(/administering with the key got 200 instead of 403\./)
    expect(world.keys).toHaveLength(0)
  })

  it('says which key is left when it cannot be revoked', async () => {
    const world = emptyWorld()
    world.failures.set('revokeApiKey', fault)
    const { run } = open(world)
    await run(auth)
    await screen.findByText('Auth smoke failed')
    expect(output(auth)).toMatch(/key [0-9a-f]{12} could not be revoked\. Revoke it under Settings › Keys/)
    expect(world.keys).toMatchObject([{ owner: 'demo', expires_at: expect.stringMatching(/Z$/) }])
  })

  it('removes what a test that was cut off left, and no other key', async () => {
    const world = emptyWorld()
    const past = instantOf(Date.now() - 1000)
    addKey(world, { name: 'auth smoke test', owner: 'demo', expires_at: past })
    addKey(world, { name: 'auth smoke test', owner: 'demo', expires_at: instantOf(Date.now() + 60_000) })
    addKey(world, { name: 'Front desk', owner: 'demo', expires_at: past })
    const { run } = open(world)
    await run(auth)
    await waitFor(() => expect(output(auth)).toContain('PASS'))
    expect(world.keys.map(({ name }) => name)).toEqual(['Front desk', 'auth smoke test'])
  })
})

/** Keys that are made with every scope there is. */
function permissive(world: World) {
  const keys = world.keys
  keys.unshift = (key) => keys.push({ ...key, scopes: ['fax:send', 'fax:read', 'keys:manage'] })
  return keys
}

describe('the send test', () => {
  it('waits until the fax is delivered', async () => {
    const world = emptyWorld()
    const { run } = open(world)
    await run('Send test')
    await passPolls(world, 6)
    await waitFor(() => expect(output('Send test')).toContain('PASS'))
    expect(output('Send test')).toMatch(/delivered, 1 of 1 confirmed/)
  })

  it('says when it cannot start', async () => {
    const world = emptyWorld()
    world.failures.set('submitFax', fault)
    const { run } = open(world)
    await run('Send test')
    await screen.findByText('Test fax failed to start')
  })
})

describe('the inbound simulation test', () => {
  it('lets a fax arrive and fetches its document', async () => {
    const world = emptyWorld()
    const { run } = open(world)
    await run('Inbound simulation test')
    await waitFor(() => expect(output('Inbound simulation test')).toContain('PASS'))
    expect(world.inbound).toMatchObject([{ is_test: true }])
  })

  it('says when it failed', async () => {
    const world = emptyWorld()
    world.failures.set('simulateInbound', fault)
    const { run } = open(world)
    await run('Inbound simulation test')
    await screen.findByText('Inbound simulation failed')
  })
})

describe('the actions', () => {
  it('are run from a list, and show what they wrote', async () => {
    const { run, user } = open()
    await screen.findByText('Free space on the disk of the data directory.')
    await run('Disk space')
    await waitFor(() => expect(output('Disk space')).toContain('/dev/sda1'))
    screen.getByText('Done')
    await user.click(screen.getByRole('button', { name: 'Copy Output of Disk space' }))
    expect(await navigator.clipboard.readText()).toContain('48%')
  })

  it('are not run while something else runs', async () => {
    const world = emptyWorld()
    const { run } = open(world)
    await screen.findByText('Disk space')
    await run('Send test')
    await waitFor(() => expect(screen.getByRole('button', { name: 'Run Disk space' })).toHaveProperty('disabled', true))
    expect(screen.getByRole('button', { name: `Run ${auth}` })).toHaveProperty('disabled', true)
    await passPolls(world, 6)
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Run Disk space' })).toHaveProperty('disabled', false),
    )
  })

  it('that are off say where to turn them on', async () => {
    const world = emptyWorld()
    world.actionsEnabled = false
    const { user } = open(world)
    await screen.findByText(/Actions are off/)
    expect(screen.getByRole('button', { name: 'Run Versions' })).toHaveProperty('disabled', true)
    await user.click(screen.getByRole('button', { name: 'Go to Settings' }))
    expect(history.state).toEqual({ place: 'settings/settings', open: 'enable_admin_exec' })
  })

  it('say when they cannot be loaded or run', async () => {
    const world = emptyWorld()
    world.failures.set('listActions', fault)
    const { run, user } = open(world)
    await screen.findByText('Failed to load the actions')
    world.failures.clear()
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    await screen.findByText('Versions')
    world.failures.set('runAction', fault)
    await run('Versions')
    await screen.findByText('Failed to run the action')
  })
})

describe('the callback info', () => {
  it('is shown when asked for, and says when it cannot be', async () => {
    const world = emptyWorld()
    const { user } = open(world)
    await user.click(screen.getByRole('button', { name: 'Show' }))
    await within(screen.getByRole('region', { name: 'Callback info' })).findByText(/testline\/inbound$/)
    world.failures.set('listCallbacks', fault)
    await user.click(screen.getByRole('button', { name: 'Show' }))
    await screen.findByText('Failed to fetch callbacks')
  })
})

describe('an output viewer', () => {
  it('shows and copies the last 400 lines', async () => {
    const lines = Array.from({ length: 1500 }, (_, n) => `line ${n}`)
    const { user } = renderScreen(<OutputViewer label="Output" lines={lines} />)
    const shown = screen.getByRole('log').textContent.split('\n')
    expect([shown.length, shown[0], shown.at(-1)]).toEqual([400, 'line 1100', 'line 1499'])
    screen.getByText('1,100 earlier lines left out')
    await user.click(screen.getByRole('button', { name: 'Copy Output' }))
    expect((await navigator.clipboard.readText()).split('\n')).toHaveLength(400)
  })
})
