import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { addApproval } from '../../demo/faxes/fake-approvals.ts'
import { addJob } from '../../demo/faxes/fake-jobs.ts'
import { receivedFax } from '../../demo/lines/fake-line.ts'
import { addKey } from '../../demo/people/fake-keys.ts'
import { addPerson } from '../../demo/people/fake-people.ts'
import { emptyWorld, instantOf, type World } from '../../demo/world.ts'
import { addHeldJob } from '../../demo/faxes/fake-held.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { DashboardScreen } from './dashboard.tsx'
import { sdkVersion } from './snippets.ts'

const at = { place: 'dashboard' }
const render = (world?: World, without?: string[]) => renderScreen(<DashboardScreen />, { world, at, without })
const card = (name: string) => screen.findByRole('region', { name })
const place = () => history.state as unknown

afterEach(() => {
  sessionStorage.removeItem('faxdeck:time.range')
  vi.useRealTimers()
})

describe('the dashboard', () => {
  it('says how the line, the queue, receiving and access are', async () => {
    const world = emptyWorld()
    addJob(world, '+15555550123').steps = []
    addKey(world, {})
    render(world)
    const status = await card('System Status')
    await within(status).findByText('Healthy')
    await within(status).findByText('Backend: Test line')
    within(await card('Inbound Fax')).getByText('Enabled')
    within(await card('Security')).getByText('Auth Required')
    within(await card('Security')).getByText('API Keys Configured')
    const queue = await card('Job Queue')
    expect(
      within(queue)
        .getAllByRole('definition')
        .map((count) => count.textContent),
    ).toEqual(['1', '0', '0', '0', '0'])
  })

  it('says plainly when access is open and nothing is kept', async () => {
    const world = emptyWorld()
    world.config = { ...world.config, require_api_key: false }
    render(world)
    await within(await card('Security')).findByText('Auth Optional')
    within(await card('Security')).getByText('No API Keys')
  })

  it('calls a fax of which some pages arrived partial, as the lists do', async () => {
    const world = emptyWorld()
    addJob(world, '+15555550123', { status: 'FAILED', needs_attention: true, error: 'Cut off after page 1 of 3.' })
    render(world)
    const attention = await card('Needs attention')
    await within(attention).findByText('Partial')
    expect(within(attention).queryByText('Failed')).toBeNull()
  })

  it('shows the configuration, MCP addresses to copy, and no plugins while they are off', async () => {
    const { user } = render()
    const overview = await card('Config Overview')
    await within(overview).findByText('Test line')
    expect(
      within(overview)
        .getAllByRole('definition')
        .map((fact) => fact.textContent),
    ).toEqual(['Test line', 'Local disk', 'Yes', 'Yes', 'Off'])
    const mcp = await card('MCP Overview')
    within(mcp).getByText('Optional')
    await user.click(within(mcp).getByRole('button', { name: 'Copy URL of MCP over SSE' }))
    expect(await navigator.clipboard.readText()).toBe(`${location.origin}/mcp/sse`)
    await user.click(within(mcp).getByRole('button', { name: 'Copy URL of MCP over HTTP' }))
    expect(await navigator.clipboard.readText()).toBe(`${location.origin}/mcp/http`)
    expect(screen.queryByRole('region', { name: 'Plugins' })).toBeNull()
  })

  it('shows the plugins once they are on', async () => {
    const world = emptyWorld()
    world.config = { ...world.config, v3_plugins: { enabled: true, active_outbound: 'phaxio', installed: 3 } }
    render(world)
    const plugins = await card('Plugins')
    within(plugins).getByText('phaxio')
    within(plugins).getByText('3')
  })

  it('shows how to send from a program, by language, to where the console itself is', async () => {
    const world = emptyWorld()
    world.config = { ...world.config, public_api_url: 'https://fax.example.org' }
    const { user } = render(world)
    const quickstart = await card('SDK & Quickstart')
    within(quickstart).getByText(location.origin)
    within(quickstart).getByText(/^curl /)
    await user.click(within(quickstart).getByRole('button', { name: 'Node' }))
    within(quickstart).getByText(`npm install ${location.origin}/downloads/faxdeck-${sdkVersion}.tgz`)
    await user.click(within(quickstart).getByRole('button', { name: 'Python' }))
    await user.click(within(quickstart).getByRole('button', { name: 'Copy Python: Install' }))
    expect(await navigator.clipboard.readText()).toContain(
      `pip install ${location.origin}/downloads/faxdeck-${sdkVersion}-py3`,
    )
  })

  it('leads a new installation through its first day, each step done only once it is', async () => {
    const world = emptyWorld()
    render(world)
    const steps = await screen.findByRole('region', { name: 'First steps' })
    within(steps).getByText('0 of 8 done')
    const ways = [...steps.querySelectorAll('li')].map((step) => step.textContent)
    expect(ways).toEqual([
      'Send a test fax to +15555550123',
      'Connect a provider',
      'Name the sender on your faxes',
      'Receive a fax',
      'Let the office open this console',
      'Invite a person',
      'Create an API key',
      'Make a backup',
    ])
    const guides = within(steps).getAllByRole<HTMLAnchorElement>('link')
    expect(guides.map(({ href }) => href.replace(/.*\/(\w+)\/$/, '$1'))).toEqual(['people', 'operations'])
  })

  it('takes the office for let in once somebody else has signed in, and the sender for named by its name', async () => {
    const world = emptyWorld()
    addPerson(world, { last_sign_in_at: instantOf(world.now()) })
    world.config = { ...world.config, organization: 'Example Clinic' }
    render(world)
    const steps = await screen.findByRole('region', { name: 'First steps' })
    for (const name of [
      'Let the office open this console (done)',
      'Invite a person (done)',
      'Name the sender on your faxes (done)',
    ])
      expect(steps.textContent).toContain(name)
    expect(steps.textContent).not.toContain('Make a backup (done)')
  })

  it('counts a provider that is ready as connected, also while the test line is kept on', async () => {
    const world = emptyWorld()
    world.config = { ...world.config, test_line_bypasses: 'Sinch' }
    render(world)
    await screen.findByRole('button', { name: /^Connect a provider.*done/ })
    within(await card('System Status')).getByText('Healthy')
  })

  it('asks again every five seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { world } = render()
    const queue = await card('Job Queue')
    await within(queue).findByText('Queued')
    addJob(world, '+15555550104')
    await vi.advanceTimersByTimeAsync(5_100)
    await waitFor(() =>
      expect(
        within(queue)
          .getAllByRole('definition')
          .map((each) => each.textContent),
      ).toContain('1'),
    )
  })

  it('shows for four seconds that the wizard has applied the configuration', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    renderScreen(<DashboardScreen />, { at: { place: 'dashboard', open: 'applied' } })
    screen.getByText('Configuration applied successfully.')
    await vi.advanceTimersByTimeAsync(4_100)
    expect(screen.queryByText('Configuration applied successfully.')).toBeNull()
    expect(place()).toEqual({ place: 'dashboard' })
  })

  it('goes on saying that a check of what was applied did not pass, with the way to the diagnostics', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { user } = renderScreen(<DashboardScreen />, { at: { place: 'dashboard', open: 'applied-review' } })
    screen.getByText('Configuration applied successfully.')
    await vi.advanceTimersByTimeAsync(4_100)
    expect(screen.queryByText('Configuration applied successfully.')).toBeNull()
    screen.getByText(/Some provider checks failed/)
    await user.click(screen.getByRole('button', { name: 'Run Diagnostics' }))
    expect(place()).toEqual({ place: 'tools/diagnostics' })
  })
})

describe('ways from the dashboard', () => {
  it('lead from the number of recent failures to those faxes', async () => {
    const world = emptyWorld()
    addJob(world, '+15555550101', {}, world.now() - 5 * 60_000)
    world.pass(1)
    const { user } = render(world)
    await user.click(await within(await card('Job Queue')).findByRole('button', { name: '1 recent failures' }))
    expect(history.state).toEqual({ place: 'jobs', open: 'list?status=FAILED&time=ended&range=1h' })
  })

  it('counts the faxes that nobody has resolved, and leads to them', async () => {
    const world = emptyWorld()
    const again = addJob(world, '+15555550101', { status: 'FAILED', parent_id: null })
    addJob(world, '+15555550101', { status: 'FAILED', parent_id: again.job.id })
    for (const fake of world.jobs) fake.steps = []
    const { user } = render(world)
    await user.click(await screen.findByRole('button', { name: '1 unresolved' }))
    expect(history.state).toMatchObject({ place: 'jobs', open: 'unresolved' })
  })

  it.each([
    ['Job Queue', 'jobs'],
    ['Inbound Fax', 'inbound'],
    ['System Status', 'tools/diagnostics'],
    ['Security', 'settings/security'],
    ['Config Overview', 'settings/settings'],
    ['MCP Overview', 'settings/mcp'],
  ])('leads from %s to %s, by its title and by a click anywhere on it', async (title, target) => {
    const { user } = render()
    await user.click(within(await card(title)).getByRole('button', { name: title }))
    expect(place()).toEqual({ place: target })
    history.replaceState(at, '')
    await user.click(await card(title))
    expect(place()).toEqual({ place: target })
  })

  it('offers no way to a place that does not exist', async () => {
    render(emptyWorld(), ['tools/diagnostics'])
    expect(within(await card('System Status')).queryByRole('button')).toBeNull()
  })

  it('does not leave while a snippet is being selected', async () => {
    const { user } = render()
    const code = within(await card('SDK & Quickstart')).getByText(/^curl /)
    await user.pointer([{ target: code, offset: 0, keys: '[MouseLeft>]' }, { offset: 3 }, { keys: '[/MouseLeft]' }])
    expect(document.getSelection()?.toString()).toBe('cur')
    expect(place()).toEqual(at)
  })

  it('leads from what needs attention to the fax itself, the uncertain one first', async () => {
    const world = emptyWorld()
    for (const end of ['0101', '0106', '0102']) addJob(world, `+1555555${end}`, {}, world.now() - 60_000)
    const { user } = render(world)
    const attention = await card('Needs attention')
    const [first] = await within(attention).findAllByRole('button')
    expect(first?.textContent).toMatch(/^UnconfirmedFax to .*0106/)
    await user.click(first ?? attention)
    const uncertain = world.jobs.find(({ job }) => job.needs_attention)
    expect(place()).toEqual({ place: 'jobs', open: uncertain?.job.id })
  })

  it('shows held faxes as one concern, and leads to all of them', async () => {
    const world = emptyWorld()
    for (const to of ['+15555550123', '+15555550124', '+15555550125']) addHeldJob(world, to)
    const { user } = render(world)
    const [first] = await within(await card('Needs attention')).findAllByRole('button')
    expect(first?.textContent).toMatch(/^HeldAfter a restore3 faxes have been held since the database was restored/)
    await user.click(first ?? document.body)
    expect(place()).toEqual({ place: 'jobs', open: 'held' })
  })

  it('groups what has one cause, in at most five rows, and leads to all of a group', async () => {
    const world = emptyWorld()
    const fail = (to: string) => addJob(world, to, {}, world.now() - 600_000)
    for (let count = 0; count < 3; count += 1) fail('+15555550101')
    fail('+15555550102')
    const { user } = render(world)
    const rows = await within(await card('Needs attention')).findAllByRole('button')
    expect(rows.map((row) => row.textContent)).toEqual([
      expect.stringMatching(/^FailedFax to .*0102The number does not exist\./),
      expect.stringMatching(/^Failed3 faxesNobody answered\. Last: /),
    ])
    await user.click(rows[1] ?? document.body)
    expect(place()).toEqual({ place: 'jobs', open: 'unresolved', find: 'Nobody answered.' })
  })

  it('leads from a received fax that failed to the inbox', async () => {
    const world = emptyWorld()
    const failed = { status: 'failed', error: 'The call was cut off.', document_kept: false } as const
    const fax = receivedFax(world, { ...failed, fr: '********4567' })
    const garbled = { ...failed, error: 'The pages cannot be read.', fr: null }
    const before = receivedFax(world, { ...garbled, updated_at: instantOf(world.now() - 60_000) })
    world.inbound.unshift(fax, before, receivedFax(world, {}))
    const { user } = render(world)
    const attention = await card('Needs attention')
    const rows = await within(attention).findAllByRole('button')
    expect(rows.map((each) => each.textContent)).toEqual([
      expect.stringMatching(/^FailedFax from .*4567The call was cut off\./),
      expect.stringMatching(/^FailedFax from an unknown number/),
    ])
    await user.click(rows[0] ?? attention)
    expect(place()).toEqual({ place: 'inbound', open: fax.id })
  })

  it('leads to the faxes of assistants that wait for approval, and is silent when none does', async () => {
    const world = emptyWorld()
    const { user, unmount } = render(world)
    await card('System Status')
    expect(screen.queryByRole('button', { name: 'Review' })).toBeNull()
    unmount()
    addApproval(world)
    addApproval(world)
    render(world)
    await screen.findByText(/^2 faxes from assistants are waiting for your approval\./)
    await user.click(screen.getByRole('button', { name: 'Review' }))
    expect(place()).toEqual({ place: 'settings/mcp' })
  })

  it('says that nothing needs a person when nothing does', async () => {
    render()
    await within(await card('Needs attention')).findByText('All clear. Nothing needs attention.')
    within(await card('Last 24 hours')).getByText('No faxes in this period.')
    // What needs a person comes first.
    const [first] = screen.getAllByRole('heading', { level: 2, name: /Needs attention|Last 24|System/ })
    expect(first?.textContent).toBe('Needs attention')
  })
})

describe('the last 24 hours', () => {
  it('sums up what was delivered, failed and received, and can be read as a table', async () => {
    const world = emptyWorld()
    const hour = 3_600_000
    const middleOfLastHour = (Math.floor(world.now() / hour) - 0.5) * hour
    for (const to of ['+15555550123', '+15555550123', '+15555550101']) addJob(world, to, {}, middleOfLastHour)
    addJob(world, '+15555550123', {}, middleOfLastHour - 5 * hour)
    const { user } = render(world)
    const chart = await card('Last 24 hours')
    await within(chart).findByRole('img', { name: 'Faxes: 3 delivered, 1 failed, 3 received' })
    await user.click(within(chart).getByText('As a table'))
    const rows = within(chart).getAllByRole('row').slice(1)
    expect(rows).toHaveLength(24)
    expect(rows.at(-2)?.textContent).toMatch(/212$/)
    within(chart).getByText('success rate 75%')
    within(chart).getByText(/^median time to delivery \d/)
  })

  it('are a sentence instead of one column, whose numbers lead to their faxes', async () => {
    const world = emptyWorld()
    addJob(world, '+15555550123', {}, world.now())
    addJob(world, '+15555550101', {}, world.now())
    const { user } = render(world)
    const activity = await card('Last 24 hours')
    await within(activity).findByRole('button', { name: '1 delivered' })
    expect(activity.querySelector('p')?.textContent).toBe('1 delivered, 1 failed, 1 received.')
    expect(within(activity).queryByRole('img')).toBeNull()
    await user.click(within(activity).getByRole('button', { name: '1 failed' }))
    expect(place()).toMatchObject({ open: expect.stringMatching(/^list\?status=FAILED&time=ended/) as unknown })
  })

  it('keep their place while they load, once it is known in this browser that they are a sentence', async () => {
    const { unmount } = render()
    const widthOf = async () => (await card('Last 24 hours')).dataset['width']
    expect(await widthOf()).toBe('two-thirds')
    await waitFor(async () => expect(await widthOf()).toBe('third'))
    unmount()
    render()
    expect(screen.getByRole('region', { name: 'Last 24 hours' }).dataset['width']).toBe('third')
  })

  it('are another time, the same on every screen, when a person chooses one', async () => {
    const { user } = render()
    await user.click(within(await card('Last 24 hours')).getByRole('button', { name: '7 d' }))
    await card('Last 7 days')
    expect(sessionStorage.getItem('faxdeck:time.range')).toContain('7d')
  })

  it('lead from a bar to the faxes that ended then, by keyboard too', async () => {
    const world = emptyWorld()
    // Now, so that it is in the last bar at whatever minute this runs.
    addJob(world, '+15555550123', {}, world.now())
    addJob(world, '+15555550123', {}, world.now() - 5 * 3_600_000)
    const { user } = render(world)
    const chart = await card('Last 24 hours')
    await within(chart).findByRole('img', { name: 'Faxes: 2 delivered, 0 failed, 2 received' })
    within(chart)
      .getByRole('group', { name: /^Chart/ })
      .focus()
    await user.keyboard('{ArrowLeft}')
    within(chart).getByText('delivered 1')
    await user.keyboard('{Enter}')
    expect(place()).toMatchObject({
      place: 'jobs',
      open: expect.stringMatching(/^list\?time=ended&range=custom/) as unknown,
    })
  })
})

describe('the dashboard, when a call fails', () => {
  it('says what failed, and shows everything on Retry', async () => {
    const world = emptyWorld()
    world.failures.set('getHealthStatus', { status: 500, statusText: 'Internal Server Error' })
    const { user } = render(world)
    const notice = await screen.findByRole('alert')
    within(notice).getByText('Failed to fetch health status')
    within(notice).getByText('API Error: 500 Internal Server Error')
    world.failures.clear()
    await user.click(within(notice).getByRole('button', { name: 'Retry' }))
    await within(await card('System Status')).findByText('Healthy')
  })

  it('keeps the last figures and says that they are old', async () => {
    const { user, world } = render()
    await within(await card('System Status')).findByText('Healthy')
    world.failures.set('getHealthStatus', 'offline')
    world.failures.set('getActivity', 'offline')
    await user.click(screen.getByRole('button', { name: 'Refresh' }))
    await screen.findByText(/last update failed/)
    const system = within(await card('System Status'))
    system.getByText('No answer')
    system.getByText(/^As of/)
    expect(system.queryByText('Healthy')).toBeNull()
    within(await card('Job Queue')).getByText(/^As of/)
    within(await card('Needs attention')).getByText(/^As of/)
    expect(screen.queryByRole('alert')).toBeNull()
    world.failures.clear()
    await user.click(screen.getByRole('button', { name: 'Refresh' }))
    await system.findByText('Healthy')
    expect(screen.queryByText(/^As of/)).toBeNull()
  })
})
