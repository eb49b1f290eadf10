import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import * as download from '../../api/download.ts'
import { findingOf } from '../../demo/lines/fake-diagnostics.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { saveSettings } from '../../demo/installation/fake-settings.ts'
import { emptyWorld, type World } from '../../demo/world.ts'
import { DiagnosticsScreen } from './diagnostics.tsx'

const keyMissing = 'The Phaxio API key is not set: copy it from the Phaxio console, API Credentials.'
const noAudit = 'Events are stored only in the database. Enable audit logging to also write them to a file.'

function worldWithProblems(): World {
  const world = emptyWorld()
  world.config.hybrid = { outbound: 'phaxio', inbound: 'phaxio' }
  world.findings = [
    findingOf('phaxio', 'api_key_set', { sentence: keyMissing, setting: 'phaxio_api_key' }),
    findingOf('phaxio', 'auth', { severity: 'info', sentence: 'Not run: a required setting is missing.' }),
    findingOf('system', 'database_connected', { detail: 'sqlite:faxdeck.db' }),
    findingOf('security', 'audit_logging', { severity: 'warning', sentence: noAudit, setting: 'audit_log_enabled' }),
    findingOf('security', 'enforce_https', { severity: 'warning' }),
  ]
  return world
}

async function run(world = emptyWorld(), without: readonly string[] = []) {
  const shown = renderScreen(<DiagnosticsScreen />, { world, at: { place: 'tools/diagnostics' }, without })
  await shown.user.click(screen.getByRole('button', { name: 'Run Diagnostics' }))
  const summary = await screen.findByRole('region', { name: 'Diagnostic summary' })
  return { ...shown, summary, checks: screen.getByRole('region', { name: 'System checks' }) }
}
const groupCalled = (checks: HTMLElement, title: string) => {
  const group = within(checks).getByRole('heading', { name: title }).closest('details')
  if (!group) throw new Error(`There is no group ${title}.`)
  return group
}

afterEach(() => void vi.restoreAllMocks())

describe('the diagnostics', () => {
  it('wait to be run', () => {
    renderScreen(<DiagnosticsScreen />)
    screen.getByText('Not run yet')
    expect(screen.queryByRole('region', { name: 'Diagnostic summary' })).toBeNull()
  })

  it('of a healthy gateway find nothing that needs a person', async () => {
    const { summary, checks } = await run()
    within(summary).getByText('Healthy')
    within(summary).getByText('No problems found.')
    expect(within(summary).queryByRole('list', { name: 'Issues' })).toBeNull()
    // Ghostscript is shown, not counted.
    expect(groupCalled(checks, 'System').querySelector('summary')?.textContent).toContain('6/6')
    within(groupCalled(checks, 'System')).getByText('not installed, not needed')
  })

  it('list what is wrong, errors first, each once, with the way to its setting', async () => {
    const { user, summary } = await run(worldWithProblems())
    within(summary).getByText('Unhealthy')
    within(summary).getByText('1 error, 1 warning')
    const lines = within(within(summary).getByRole('list', { name: 'Issues' })).getAllByRole('listitem')
    expect(lines.map((line) => line.querySelector('p')?.textContent)).toEqual([
      `Error: ${keyMissing}`,
      `Warning: ${noAudit}`,
    ])
    await user.click(within(summary).getByRole('button', { name: `Go to Settings: ${keyMissing}` }))
    expect(history.state).toEqual({ place: 'settings/settings', open: 'phaxio_api_key' })
  })

  it('open every group, with how many checks passed and what to do about each that did not', async () => {
    const { user, checks } = await run(worldWithProblems())
    for (const group of checks.querySelectorAll('details')) expect(group.open).toBe(true)
    const security = groupCalled(checks, 'Security')
    expect(security.querySelector('summary')?.textContent).toContain('1/2')
    within(security).getByText(noAudit)
    within(security).getByText('60')
    await user.click(within(security).getByRole('button', { name: 'Go to Settings: Security, Audit logging' }))
    expect(history.state).toEqual({ place: 'settings/settings', open: 'audit_log_enabled' })
    // Switches and kinds are facts, not checks.
    expect(groupCalled(checks, 'Inbound').querySelector('summary')?.textContent).toBe('Inbound')
  })

  it('open the groups again after another run', async () => {
    const world = emptyWorld()
    const { user, checks } = await run(world)
    await user.click(within(groupCalled(checks, 'System')).getByRole('heading', { name: 'System' }))
    expect(groupCalled(checks, 'System').open).toBe(false)
    world.pass(60)
    await user.click(screen.getByRole('button', { name: 'Run Diagnostics' }))
    await waitFor(() =>
      expect(groupCalled(screen.getByRole('region', { name: 'System checks' }), 'System').open).toBe(true),
    )
  })

  it('show the group of a provider only while it is in use', async () => {
    const world = worldWithProblems()
    world.config.hybrid = { outbound: 'testline', inbound: 'testline' }
    const { checks, unmount } = await run(world)
    await waitFor(() => expect(within(checks).queryByRole('heading', { name: 'Phaxio' })).toBeNull())
    unmount()
    world.config.hybrid = { outbound: 'testline', inbound: 'phaxio' }
    await run(world)
    await screen.findByRole('heading', { name: 'Phaxio' })
  })

  it('do not offer settings where there is no such screen', async () => {
    await run(worldWithProblems(), ['settings/settings'])
    expect(screen.queryByRole('button', { name: /Go to Settings/ })).toBeNull()
  })

  it('can be copied and saved as they came', async () => {
    const save = vi.spyOn(download, 'saveFile').mockImplementation(() => undefined)
    const { user, summary } = await run(worldWithProblems())
    await user.click(within(summary).getByRole('button', { name: 'Copy JSON' }))
    const copied: unknown = JSON.parse(await navigator.clipboard.readText())
    expect(copied).toMatchObject({ backend: 'testline', summary: { critical_issues: [keyMissing] } })
    await user.click(within(summary).getByRole('button', { name: 'Download' }))
    const [content, name] = save.mock.calls[0] ?? []
    expect(name).toBe('diagnostics.json')
    expect(JSON.parse((await content?.text()) ?? '')).toEqual(copied)
  })

  it('keep the last result beside the reason when a run fails', async () => {
    const world = emptyWorld()
    const { user } = await run(world)
    world.failures.set('runDiagnostics', { status: 500, statusText: 'Internal Server Error' })
    await user.click(screen.getByRole('button', { name: 'Run Diagnostics' }))
    const notice = await screen.findByRole('alert')
    within(notice).getByText('Failed to run diagnostics')
    within(notice).getByText('API Error: 500 Internal Server Error')
    screen.getByRole('region', { name: 'Diagnostic summary' })
    world.failures.clear()
    await user.click(within(notice).getByRole('button', { name: 'Retry' }))
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  })
})

describe('the built-in tests', () => {
  it.each([
    ['Send Test TXT', 'faxdeck_test.txt'],
    ['Send Test Image', 'faxdeck_test_image.tif'],
    ['Send Test Fax', 'faxdeck_test.pdf'],
  ])('%s sends one fax to the test number and follows it', async (button, file) => {
    const { user, world } = renderScreen(<DiagnosticsScreen />)
    await user.click(screen.getByRole('button', { name: button }))
    await screen.findByText('Queued')
    expect(world.jobs).toHaveLength(1)
    expect(world.jobs[0]).toMatchObject({ to: '+15555550123', job: { file_name: file } })
    world.pass(600)
    await screen.findByText('Test passed', {}, { timeout: 4000 })
    await user.click(screen.getByRole('button', { name: /Test passed/ }))
    expect(history.state).toEqual({ place: 'jobs', open: world.jobs[0]?.job.id })
  })

  it.each([
    ['Send Test TXT', 'Test TXT fax failed to start'],
    ['Send Test Image', 'Test image fax failed to start'],
    ['Send Test Fax', 'Test fax failed to start'],
  ])('%s says that it failed to start, and why', async (button, sentence) => {
    const world = emptyWorld()
    const body = { detail: 'The provider is not set up.', code: 'provider_not_configured', request_id: 'r' }
    world.failures.set('submitFax', { status: 503, statusText: 'Service Unavailable', body })
    const { user } = renderScreen(<DiagnosticsScreen />, { world })
    await user.click(screen.getByRole('button', { name: button }))
    const notice = await screen.findByRole('alert')
    within(notice).getByText(sentence)
    within(notice).getByText(/The provider is not set up\./)
  })

  it('say whether a test is a real call', async () => {
    const world = emptyWorld()
    world.config = { ...world.config, test_line: false, backend: 'phaxio' }
    renderScreen(<DiagnosticsScreen />, { world })
    await screen.findByText(/Each test is a real call through Phaxio\./)
  })
})

describe('beside the diagnostics', () => {
  it('stands what the providers in use can do', async () => {
    renderScreen(<DiagnosticsScreen />)
    const chips = await screen.findByRole('list', { name: 'Traits of Test line, outbound' })
    for (const words of ['Set up', 'Supports cancel', 'Requires pages']) within(chips).getByText(words)
  })

  it('says of a provider that is chosen and not set up no more than that', async () => {
    const world = emptyWorld()
    saveSettings(world, { backend: 'sinch' })
    renderScreen(<DiagnosticsScreen />, { world })
    await screen.findByRole('heading', { name: 'Inbound: Not set up' })
    screen.getByText('Sinch is chosen. Until it is set up, only simulated faxes arrive.')
    expect(screen.queryByRole('list', { name: /Traits of Sinch/ })).toBeNull()
  })

  it('says when the providers cannot be read', async () => {
    const world = emptyWorld()
    world.failures.set('listProviders', { status: 502, statusText: 'Bad Gateway' })
    renderScreen(<DiagnosticsScreen />, { world })
    within(await screen.findByRole('alert')).getByText('Failed to fetch provider traits')
  })

  it('shows the database as it is described, when asked', async () => {
    const { user } = renderScreen(<DiagnosticsScreen />)
    expect(screen.queryByLabelText('Database status as JSON')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Check DB Status' }))
    const json = await screen.findByLabelText('Database status as JSON')
    expect(JSON.parse(json.textContent)).toMatchObject({ engine: 'sqlite', connected: true })
  })

  it('says when the database status cannot be read', async () => {
    const world = emptyWorld()
    world.failures.set('getDbStatus', 'offline')
    const { user } = renderScreen(<DiagnosticsScreen />, { world })
    await user.click(screen.getByRole('button', { name: 'Check DB Status' }))
    within(await screen.findByRole('alert')).getByText('Failed to load DB status')
  })

  it('lead from a failed check to what it means', async () => {
    const { checks } = await run(worldWithProblems())
    const [link] = within(groupCalled(checks, 'Security')).getAllByRole<HTMLAnchorElement>('link', {
      name: 'About this check',
    })
    expect(link?.href).toBe('https://docs.example.com/latest/reference/checks/#audit_logging')
  })

  it('explains itself, with links into the documentation', async () => {
    const { user } = renderScreen(<DiagnosticsScreen />)
    await user.click(screen.getByRole('button', { name: 'Help' }))
    const dialog = screen.getByRole('dialog', { name: 'About diagnostics' })
    const link = within(dialog).getByRole<HTMLAnchorElement>('link', { name: 'Diagnostics' })
    expect(link.href).toBe('https://docs.example.com/latest/diagnostics/')
  })
})

describe('restarting', () => {
  it('is offered only where it is allowed', () => {
    renderScreen(<DiagnosticsScreen />)
    expect(screen.queryByRole('button', { name: 'Restart API' })).toBeNull()
  })

  async function ask() {
    const world = emptyWorld()
    world.config = { ...world.config, allow_restart: true }
    const shown = renderScreen(<DiagnosticsScreen />, { world })
    await shown.user.click(screen.getByRole('button', { name: 'Restart API' }))
    return { ...shown, dialog: screen.getByRole('dialog', { name: 'Restart the gateway?' }) }
  }

  it('asks first', async () => {
    const { user, world, dialog } = await ask()
    expect(world.restarts).toBe(0)
    await user.dblClick(within(dialog).getByRole('button', { name: 'Restart' }))
    await screen.findByText('Restarting')
    expect(world.restarts).toBe(1)
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('stays with the reason when it fails', async () => {
    const { user, world, dialog } = await ask()
    world.failures.set('restart', { status: 500, statusText: 'Internal Server Error' })
    await user.click(within(dialog).getByRole('button', { name: 'Restart' }))
    within(await within(dialog).findByRole('alert')).getByText('Failed to save and restart')
  })
})
