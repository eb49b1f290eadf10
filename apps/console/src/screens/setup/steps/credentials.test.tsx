import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { addEvent } from '../../../demo/records/fake-logs.ts'
import { saveSettings } from '../../../demo/installation/fake-settings.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { emptyWorld, type World } from '../../../demo/world.ts'
import { SetupScreen } from '../setup.tsx'

afterEach(() => {
  vi.useRealTimers()
})

async function open(world: World = emptyWorld(), provider = 'Phaxio') {
  const shown = renderScreen(<SetupScreen />, { world, at: { place: 'settings/setup' } })
  await shown.user.click(await screen.findByRole('radio', { name: new RegExp(provider) }))
  await shown.user.click(screen.getByRole('button', { name: 'Next' }))
  return shown
}
const region = (name: string) => within(screen.getByRole('region', { name }))
const failure = { status: 502, statusText: 'Bad Gateway' }

describe('credentials', () => {
  it('are asked for as the settings of the chosen providers say, those of others not', async () => {
    await open()
    const phaxio = region('Phaxio')
    expect(phaxio.getByLabelText<HTMLInputElement>('Phaxio API key').type).toBe('password')
    phaxio.getByLabelText('Phaxio API secret')
    screen.getByLabelText('Public API URL')
    expect(screen.queryByLabelText('Sinch project ID')).toBeNull()
  })

  it('are asked for of both providers when another one receives', async () => {
    const world = emptyWorld()
    saveSettings(world, { inbound_backend: 'sip' })
    await open(world)
    region('Phaxio').getByLabelText('Phaxio API key')
    expect(region('Phaxio').queryByLabelText('Verify faxes received through Phaxio')).toBeNull()
    const sip = region('Asterisk (SIP)')
    sip.getByText('Must change default password!')
    sip.getByText(/Never expose your switch’s control port/)
    sip.getByLabelText('Internal secret')
  })

  it('are tried with the real provider, each check with Pass or Fail, and again after a change', async () => {
    const { user, world } = await open()
    await user.type(screen.getByLabelText('Phaxio API key'), 'a-key')
    await user.click(screen.getByRole('button', { name: 'Validate Provider' }))
    await screen.findByText('Review checks')
    const checks = () => within(screen.getByRole('list', { name: 'Checks of Phaxio' })).getAllByRole('listitem')
    expect(checks().map((each) => each.textContent)).toEqual([
      'PassPhaxio API key set',
      'FailPhaxio API secret setPhaxio API secret is not set: copy it.',
    ])
    await user.type(screen.getByLabelText('Phaxio API secret'), 'a-secret')
    screen.getByText('Values have changed since the last check. Validate again.')
    expect(screen.queryByText('Review checks')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Validate Provider' }))
    await screen.findByText('All checks passed')
    expect(world.settings.saved).toEqual({})
  })

  it('that the gateway refuses are marked where they stand', async () => {
    const { user } = await open()
    const address = screen.getByLabelText('Public API URL')
    await user.clear(address)
    await user.type(address, 'fax.example.org')
    await user.click(screen.getByRole('button', { name: 'Validate Provider' }))
    await screen.findByText('Validation failed')
    screen.getAllByText(/Enter a full URL/)
  })

  it('say what failed when the validation itself does', async () => {
    const world = emptyWorld()
    world.failures.set('validateSettings', failure)
    const { user } = await open(world)
    await user.click(screen.getByRole('button', { name: 'Validate Provider' }))
    within(await screen.findByRole('alert')).getByText('Validation failed')
  })
})

describe('connecting inbound', () => {
  it('shows the address to register, under the public URL that is entered', async () => {
    const { user } = await open()
    const address = screen.getByLabelText('Public API URL')
    await user.clear(address)
    await user.type(address, 'https://fax.example.org')
    await user.click(screen.getByRole('button', { name: 'Show Callback URL' }))
    await screen.findByText('https://fax.example.org/phaxio-inbound')
  })

  it('says so when the address cannot be had', async () => {
    const world = emptyWorld()
    world.failures.set('listCallbacks', 'offline')
    const { user } = await open(world)
    await user.click(screen.getByRole('button', { name: 'Show Callback URL' }))
    const notice = within(await screen.findByRole('alert'))
    notice.getByText('Failed to fetch callbacks')
    world.failures.clear()
    await user.click(notice.getByRole('button', { name: 'Retry' }))
    await screen.findByText('http://localhost:8080/phaxio-inbound')
  })

  it('copies tests for a shell, as JSON and as a form', async () => {
    const { user } = await open(emptyWorld(), 'Sinch')
    await user.click(screen.getByRole('button', { name: 'Copy curl with JSON' }))
    const json = await navigator.clipboard.readText()
    expect(json).toContain(`curl -i 'http://localhost:8080/sinch-inbound'`)
    expect(json).toContain(`-H 'Content-Type: application/json'`)
    await user.click(screen.getByRole('button', { name: 'Multipart' }))
    await user.click(screen.getByRole('button', { name: 'Copy curl with Multipart' }))
    expect(await navigator.clipboard.readText()).toContain(`-F 'file=@test.pdf;type=application/pdf'`)
  })

  it('offers only the forms of a test that the address understands', async () => {
    await open()
    await waitFor(() => expect(screen.queryByRole('button', { name: 'JSON' })).toBeNull())
    screen.getByRole('button', { name: 'Copy curl with Multipart' })
    screen.getByText(/Expect 401/)
  })

  it('simulates a received fax and leads to it', async () => {
    const { user, world } = await open()
    await user.click(screen.getByRole('button', { name: 'Simulate Inbound' }))
    await user.click(await screen.findByRole('button', { name: 'Open it in the inbox' }))
    expect(history.state).toEqual({ place: 'inbound', open: world.inbound[0]?.id })
  })

  it('says so when the simulation fails', async () => {
    const world = emptyWorld()
    world.failures.set('simulateInbound', failure)
    const { user } = await open(world)
    await user.click(screen.getByRole('button', { name: 'Simulate Inbound' }))
    within(await screen.findByRole('alert')).getByText('Simulation failed')
  })

  it('is not offered while nothing is received', async () => {
    const world = emptyWorld()
    saveSettings(world, { inbound_enabled: false })
    await open(world)
    expect(screen.queryByRole('region', { name: 'Connect inbound' })).toBeNull()
  })
})

describe('verifying inbound', () => {
  async function start(world = emptyWorld()) {
    const shown = await open(world)
    vi.useFakeTimers({ shouldAdvanceTime: true })
    await shown.user.click(screen.getByRole('button', { name: 'Start Verify Inbound' }))
    await screen.findByText(/Check 1 of 30/)
    return { ...shown, world }
  }

  it('looks every two seconds for a fax received since then, and says when one has come', async () => {
    const world = emptyWorld()
    addEvent(world, 'inbound_received', { ts: new Date(world.now() - 60_000).toISOString() })
    await start(world)
    await vi.advanceTimersByTimeAsync(4_100)
    await screen.findByText(/Check [23] of 30/)
    addEvent(world, 'inbound_received', { job_id: 'a'.repeat(32) })
    await vi.advanceTimersByTimeAsync(2_100)
    await screen.findByText('Inbound verified (event received)')
    screen.getByRole('button', { name: 'Start Verify Inbound' })
  })

  it('stops when asked to', async () => {
    const { user, world } = await start()
    await user.click(screen.getByRole('button', { name: 'Stop' }))
    addEvent(world, 'inbound_received')
    await vi.advanceTimersByTimeAsync(4_100)
    expect(screen.queryByText(/Inbound verified/)).toBeNull()
    screen.getByRole('button', { name: 'Start Verify Inbound' })
  })

  it('gives up after about thirty looks and says what to try', async () => {
    await start()
    await vi.advanceTimersByTimeAsync(64_000)
    await screen.findByText(/No fax arrived in time\. Check that receiving is on/)
    screen.getByRole('button', { name: 'Start Verify Inbound' })
  })

  it('says why a look failed, and goes on looking', async () => {
    const { world } = await start()
    world.failures.set('listLogs', failure)
    await vi.advanceTimersByTimeAsync(2_100)
    await screen.findByText('Failed to load logs')
    world.failures.clear()
    addEvent(world, 'inbound_received')
    await vi.advanceTimersByTimeAsync(2_100)
    await screen.findByText('Inbound verified (event received)')
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  })
})
