import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import * as download from '../../api/download.ts'
import { addEvent } from '../../demo/records/fake-logs.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { setWide } from '../../testing/screen-width.ts'
import { emptyWorld, instantOf, type World } from '../../demo/world.ts'
import { LogsScreen } from './logs.tsx'

const jobId = '6f1c0d2e7b8a4c55a1e2d3f405162738'

function loggedWorld(): World {
  const world = emptyWorld()
  addEvent(world, 'login_succeeded', { path: '/admin/config' })
  world.pass(60)
  addEvent(world, 'job_created', { job_id: jobId, backend: 'testline', to: '********0123' })
  world.pass(60)
  addEvent(world, 'job_failed', { job_id: jobId, backend: 'testline', status: 'FAILED', error: 'No answer at 10:30' })
  return world
}

async function open(world = loggedWorld()) {
  const shown = renderScreen(<LogsScreen />, { world, at: { place: 'tools/logs' } })
  const table = await screen.findByRole('table', { name: 'Log entries' })
  return { ...shown, table }
}
const shownEvents = () =>
  screen.queryAllByRole('button', { name: /^Open / }).map((each) => each.lastElementChild?.getAttribute('title'))
const search = () => screen.getByRole('searchbox')

const openings = (world: World) => {
  const facts = { key_id: 'person:3f2a9c0b7d5e', name: 'Mia', reason: 'Emergency admission' }
  const until = instantOf(world.now())
  addEvent(world, 'fax_opened_with_reason', { ...facts, job_id: jobId, direction: 'received', until })
  addEvent(world, 'fax_opening_missed', { ...facts, job_id: jobId.replaceAll('6', '7') })
  return world
}

afterEach(() => void vi.restoreAllMocks())

describe('the logs', () => {
  it('say in a sentence who opened a fax of another group, or tried to', async () => {
    const { user, table } = await open(openings(emptyWorld()))
    within(table).getByText(/^Mia gave a reason to open a fax, but no fax has this ID\. Reason: Emergency admission$/)
    await user.click(
      within(table).getByText(/^Mia opened a received fax of another group until .*: Emergency admission$/),
    )
    await user.click(await screen.findByRole('button', { name: 'Open the fax' }))
    expect(history.state).toMatchObject({ place: 'inbound', open: jobId })
  })

  it('name who did it, tell a thumbnail from a view, and find all that somebody did', async () => {
    const world = emptyWorld()
    const by = { key_id: 'person:3f2a9c0b7d5e', key_name: 'Nurse Kim', job_id: jobId }
    addEvent(world, 'document_viewed', { ...by, size: 'thumbnail' })
    addEvent(world, 'document_viewed', { ...by, size: 'page' })
    const { user, table } = await open(world)
    within(table).getByText('Thumbnail shown in a list')
    expect(within(table).getAllByText('by Nurse Kim')).toHaveLength(2)
    await user.click(within(table).getByText('Document opened'))
    await user.click(await screen.findByRole('button', { name: 'All entries by Nurse Kim' }))
    expect(search()).toHaveProperty('value', 'key_id:person:3f2a9c0b7d5e')
  })

  it('list the audit trail, newest first, in a frame that grows to 520 pixels', async () => {
    const { table } = await open()
    expect(shownEvents()).toEqual(['job_failed', 'job_created', 'login_succeeded'])
    within(table).getByText('No answer at 10:30')
    expect(table.parentElement?.style.maxHeight).toBe('520px')
    screen.getByText('3 entries')
  })

  it('are filtered by tokens and words, and by the event field above an event: token', async () => {
    const { user } = await open()
    await user.type(search(), 'ERROR:10:30')
    await waitFor(() => expect(shownEvents()).toEqual(['job_failed']))
    await user.clear(search())
    await user.type(search(), 'testline job_id:6f1c event:created')
    await waitFor(() => expect(shownEvents()).toEqual(['job_created']))
    screen.getByText('1 of 2 read entry')
    fireEvent.change(screen.getByLabelText('Event'), { target: { value: 'job_failed' } })
    await waitFor(() => expect(shownEvents()).toEqual(['job_failed']))
  })

  it('are filtered by time; an invalid custom date is ignored', async () => {
    const { user, world } = await open()
    vi.spyOn(Date, 'now').mockReturnValue(world.now() + 270_000)
    await user.selectOptions(screen.getByLabelText('Since'), 'Last 5 minutes')
    await waitFor(() => expect(shownEvents()).toEqual(['job_failed']))
    await user.selectOptions(screen.getByLabelText('Since'), 'Custom date')
    await waitFor(() => expect(shownEvents()).toHaveLength(3))
    fireEvent.change(screen.getByLabelText('From'), { target: { value: '2100-01-01T00:00' } })
    await screen.findByText('No matching entries')
    await user.click(screen.getAllByRole('button', { name: 'Clear filters' })[0] as HTMLElement)
    await waitFor(() => expect(shownEvents()).toHaveLength(3))
  })

  it('show 200 entries unless another limit is given', async () => {
    const world = emptyWorld()
    for (let n = 0; n < 230; n++) addEvent(world, 'job_updated', { job_id: String(n) })
    await open(world)
    screen.getByText('200 entries')
    fireEvent.change(screen.getByLabelText('Limit'), { target: { value: '220' } })
    await screen.findByText('220 entries')
    // Rows far below are not drawn.
    expect(shownEvents().length).toBeLessThan(150)
  })

  it('follow what happens every two seconds, while asked to', async () => {
    vi.useFakeTimers({
      shouldAdvanceTime: true,
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
    })
    try {
      const { user, world } = await open()
      addEvent(world, 'job_resent')
      await vi.advanceTimersByTimeAsync(10_000)
      expect(shownEvents()).toHaveLength(3)
      await user.click(screen.getByRole('switch', { name: 'Follow' }))
      await vi.advanceTimersByTimeAsync(2_000)
      await waitFor(() => expect(shownEvents()[0]).toBe('job_resent'))
    } finally {
      vi.useRealTimers()
    }
  })

  it('stay in place while a person reads further down', async () => {
    const { user, world, table } = await open()
    const frame = table.parentElement as HTMLElement
    frame.scrollTop = 40
    fireEvent.scroll(frame)
    addEvent(world, 'job_resent')
    await user.click(screen.getByRole('button', { name: 'Refresh' }))
    const pill = await screen.findByRole('button', { name: '1 new' })
    expect(shownEvents()).toHaveLength(3)
    await user.click(pill)
    expect(shownEvents()[0]).toBe('job_resent')
  })

  it('open an entry with all it says, to copy and to save', async () => {
    const save = vi.spyOn(download, 'saveFile').mockImplementation(() => undefined)
    const { user, world } = await open()
    await user.click(screen.getByRole('button', { name: /^Open Fax failed/ }))
    const dialog = within(screen.getByRole('dialog', { name: 'job_failed' }))
    dialog.getByText('No answer at 10:30')
    await user.click(dialog.getByRole('button', { name: 'Copy entry as JSON' }))
    expect(JSON.parse(await navigator.clipboard.readText())).toEqual(world.events[2])
    await user.click(dialog.getByRole('button', { name: 'Download' }))
    expect(save.mock.calls[0]?.[1]).toBe('job_failed.json')
    await user.click(dialog.getByRole('button', { name: 'All entries of this job' }))
    await waitFor(() => expect(shownEvents()).toEqual(['job_failed', 'job_created']))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('lead from an entry to its fax', async () => {
    const { user } = await open()
    await user.click(screen.getByRole('button', { name: /^Open Fax accepted/ }))
    await user.click(screen.getByRole('button', { name: 'Open the fax' }))
    expect(history.state).toEqual({ place: 'jobs', open: jobId })
  })

  it('can be taken along, one line of JSON for each entry', async () => {
    const save = vi.spyOn(download, 'saveFile').mockImplementation(() => undefined)
    const { user, world } = await open()
    await user.click(screen.getByRole('button', { name: 'Copy shown entries' }))
    const lines = (await navigator.clipboard.readText()).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(world.events.toReversed())
    await user.click(screen.getByRole('button', { name: 'Download' }))
    expect(save.mock.calls[0]?.[1]).toBe('audit-log.jsonl')
  })

  it('are verified as a chain with one button', async () => {
    const { user, world } = await open()
    await user.click(screen.getByRole('button', { name: 'Verify chain' }))
    await screen.findByText(/^3 entries checked\. The audit chain is intact/)
    world.brokenAt = 2
    await user.click(screen.getByRole('button', { name: 'Verify chain' }))
    await screen.findByText(/^The audit chain breaks at entry 2\. Verified before it: 1 entry\./)
    await user.click(screen.getByRole('button', { name: 'Dismiss' }))
    expect(screen.queryByText(/audit chain/)).toBeNull()
  })

  it('read the end of the audit file, newest first', async () => {
    const { user } = await open()
    await user.click(screen.getByRole('button', { name: 'File tail' }))
    await screen.findByText('/srv/faxdeck/faxdata/audit.log')
    expect(screen.getByLabelText('Lines')).toHaveProperty('value', '2000')
    expect(screen.queryByLabelText('Since')).toBeNull()
    expect(shownEvents()[0]).toBe('job_failed')
  })

  it('offer to enable audit logging when there is nothing, and when the file is off', async () => {
    const world = emptyWorld()
    world.config.audit_log_enabled = false
    const { user } = renderScreen(<LogsScreen />, { world, at: { place: 'tools/logs' } })
    await screen.findByText('No entries yet')
    screen.getByRole('button', { name: 'Enable Now' })
    await user.click(screen.getByRole('button', { name: 'File tail' }))
    await screen.findByText('Audit logging is off')
    expect(screen.queryByRole('alert')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Enable Now' }))
    await screen.findByText('Audit logging enabled')
    const { settings } = world
    expect(settings.saved.audit_log_enabled).toBe(true)
  })

  it('say when they cannot be read, verified or enabled', async () => {
    const world = emptyWorld()
    world.config.audit_log_enabled = false
    const fault = { status: 500, statusText: 'Internal Server Error' }
    world.failures.set('updateSettings', fault)
    const { user } = renderScreen(<LogsScreen />, { world })
    await user.click(await screen.findByRole('button', { name: 'Enable Now' }))
    await screen.findByText('Failed to apply settings')
    world.failures.set('verifyAuditChain', fault)
    await user.click(screen.getByRole('button', { name: 'Verify chain' }))
    await screen.findByText('Failed to load logs')
    world.failures.delete('verifyAuditChain')
    world.failures.set('listLogs', fault)
    await user.click(screen.getByRole('button', { name: 'Verify chain' }))
    await user.click(screen.getByRole('button', { name: 'Refresh' }))
    const alert = within(await screen.findByRole('alert'))
    alert.getByText('Failed to load logs')
    world.failures.clear()
    await user.click(alert.getByRole('button', { name: 'Retry' }))
    await screen.findByText('No entries yet')
  })

  it('are two lines each on a small screen', async () => {
    setWide(false)
    const { user } = renderScreen(<LogsScreen />, { world: loggedWorld() })
    const list = await screen.findByRole('list', { name: 'Log entries' })
    expect(screen.queryByLabelText('Event')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Filters' }))
    screen.getByLabelText('Event')
    screen.getByRole('button', { name: 'File tail' })
    await user.click(screen.getByRole('button', { name: 'More actions' }))
    const menu = within(screen.getByRole('menu', { name: 'More actions' }))
    expect(menu.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
      'Refresh',
      'Follow',
      'Verify chain',
    ])
    await user.click(menu.getByRole('menuitem', { name: 'Verify chain' }))
    await screen.findByText(/The audit chain is intact/)
    const [first] = within(list).getAllByRole('button')
    expect(first?.textContent).toContain('Fax failed')
    expect(first?.textContent).toContain('No answer at 10:30 · FAILED')
    if (first) await user.click(first)
    screen.getByRole('dialog', { name: 'job_failed' })
  })
})
