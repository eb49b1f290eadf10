import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { addJob } from '../../demo/faxes/fake-jobs.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { readNoFurther } from '../../testing/read-no-further.ts'
import { setWide } from '../../testing/screen-width.ts'
import { emptyWorld, type World } from '../../demo/world.ts'
import { JobsScreen } from './jobs.tsx'

const minute = 60_000
const open = (world: World, job?: string) =>
  renderScreen(<JobsScreen />, { world, at: { place: 'jobs', ...(job && { open: job }) } })

/** A delivered, a failed, an uncertain and a waiting fax, the newest first. */
function mixedWorld() {
  const world = emptyWorld()
  const ago = (minutes: number) => world.now() - minutes * minute
  const delivered = addJob(world, '+15555550123', { pages: 2, file_name: 'letter.pdf' }, ago(60)).job
  const failed = addJob(world, '+15555550101', {}, ago(50)).job
  const uncertain = addJob(world, '+15555550106', {}, ago(40)).job
  const queued = addJob(world, '+15555550100').job
  world.pass(5)
  return { world, delivered, failed, uncertain, queued }
}

const row = (id: string) => screen.findByRole('row', { name: new RegExp(id.slice(0, 8)) })
const listed = () =>
  screen.queryAllByRole('button', { name: /^Open fax/ }).map((button) => button.textContent.slice(-8))
const short = (job: { id: string }) => job.id.slice(0, 8)
const select = (job: { id: string }) => screen.findByRole('checkbox', { name: `Select fax ${short(job)}` })

const saved: { name: string; content: Blob }[] = []
beforeEach(() => {
  saved.length = 0
  let content = new Blob()
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    content = blob as Blob
    return 'blob:saved'
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    saved.push({ name: this.download, content })
  })
})
afterEach(() => {
  localStorage.clear()
  history.replaceState(null, '', location.pathname)
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('the list of jobs', () => {
  it('shows every fax with its short id, masked number, state and error', async () => {
    const { world, delivered, failed, uncertain, queued } = mixedWorld()
    open(world)
    const done = await row(delivered.id)
    for (const text of [short(delivered), 'Test passed', 'Test line', '2']) within(done).getByText(text)
    within(done).getByRole('img', { name: 'number ending in 0123' })
    expect(within(await row(failed.id)).getByText('No answer').title).toBe('Nobody answered.')
    within(await row(uncertain.id)).getByText('Unconfirmed')
    const waiting = within(await row(queued.id))
    waiting.getByText(/^Retry \d\d:\d\d$/)
    expect(waiting.getByText('Busy').title).toMatch(/^The line was busy\. Retrying at \d\d:\d\d, attempt 2 of 4\.$/)
    expect(waiting.queryByText('In progress')).toBeNull()
    for (const name of [
      'Job ID',
      'To Number',
      'Document',
      'Status',
      'Backend',
      'Pages',
      'Error',
      'Sent by',
      'Created',
    ]) {
      screen.getByRole('columnheader', { name })
    }
    screen.getByText('4 faxes')
    screen.getByText('Phone numbers are masked')
  })

  it('is brought up to date every 10 seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const world = emptyWorld()
    const { job } = addJob(world, '+15555550104')
    open(world)
    within(await row(job.id)).getByText('Queued')
    world.pass(30)
    await act(() => vi.advanceTimersByTimeAsync(10_500))
    within(await row(job.id)).getByText('Test passed')
  })

  it('takes new faxes in at its top', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { world, queued } = mixedWorld()
    open(world)
    await row(queued.id)
    const fresh = addJob(world, '+15555550199').job
    await act(() => vi.advanceTimersByTimeAsync(10_500))
    expect(listed()[0]).toBe(short(fresh))
    screen.getByText('5 faxes')
  })

  it('does not move while rows are selected: new faxes wait to be shown', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { world, queued } = mixedWorld()
    const { user } = open(world)
    await user.click(await select(queued))
    const fresh = addJob(world, '+15555550199').job
    await act(() => vi.advanceTimersByTimeAsync(10_500))
    expect(listed()[0]).toBe(short(queued))
    await user.click(screen.getByRole('button', { name: '1 new' }))
    expect(listed()[0]).toBe(short(fresh))
    expect(screen.queryByRole('button', { name: /new$/ })).toBeNull()
    expect((await select(queued)).matches(':checked')).toBe(true)
  })

  it('reads on as far as there are faxes', async () => {
    const world = emptyWorld()
    for (let count = 0; count < 230; count += 1) addJob(world, '+15555550123', {}, world.now() - (230 - count) * minute)
    open(world)
    await screen.findByText('Showing 230 of 230')
    screen.getByText('230 faxes')
  })

  it('says when older faxes cannot be read, and reads on after a retry', async () => {
    const world = emptyWorld()
    for (let count = 0; count < 130; count += 1) addJob(world, '+15555550123', {}, world.now() - (130 - count) * minute)
    let isDown = true
    const { user } = open(world)
    const answer = globalThis.fetch
    vi.stubGlobal('fetch', async (address: string, init?: RequestInit) =>
      isDown && address.includes('cursor=') ? new Response('', { status: 502 }) : answer(address, init),
    )
    const notice = await screen.findByRole('alert')
    within(notice).getByText('Failed to fetch jobs')
    screen.getByText('Showing 100 of 130')
    isDown = false
    await user.click(within(notice).getByRole('button', { name: 'Retry' }))
    await screen.findByText('Showing 130 of 130')
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('says what failed and tries again', async () => {
    const { world, queued } = mixedWorld()
    world.failures.set('listJobs', { status: 500, statusText: 'Internal Server Error' })
    const { user } = open(world)
    const notice = await screen.findByRole('alert')
    within(notice).getByText('Failed to fetch jobs')
    within(notice).getByText('API Error: 500 Internal Server Error')
    world.failures.clear()
    await user.click(within(notice).getByRole('button', { name: 'Retry' }))
    await row(queued.id)
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('leads to sending when nothing was sent yet', async () => {
    const { user } = open(emptyWorld())
    await user.click(await screen.findByRole('button', { name: 'Send a fax' }))
    expect(history.state).toEqual({ place: 'send' })
  })

  it('is a list of cards on a small screen, and the details a dialog above it', async () => {
    setWide(false)
    const { world, failed } = mixedWorld()
    const { user } = open(world)
    const cards = await screen.findByRole('list', { name: 'Fax jobs' })
    expect(screen.queryByRole('table')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Export CSV' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'More actions' }))
    const menu = within(screen.getByRole('menu', { name: 'More actions' }))
    expect(menu.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
      'Refresh',
      'Export CSV',
      'Broadcasts',
    ])
    await user.keyboard('{Escape}')
    await user.click(within(cards).getByRole('button', { name: `Open fax ${short(failed)}` }))
    const dialog = await screen.findByRole('dialog', { name: `Fax ${short(failed)}` })
    expect(dialog.tagName).toBe('DIALOG')
    await within(dialog).findByText(failed.id)
  })
})

describe('the keyboard', () => {
  it('goes through the rows on arrival, and selects and opens one', async () => {
    const { world, queued, uncertain, failed } = mixedWorld()
    const { user } = open(world)
    const opener = async (job: { id: string }) => screen.findByRole('button', { name: `Open fax ${short(job)}` })
    await opener(queued)
    await user.keyboard('j')
    expect(document.activeElement).toBe(await opener(queued))
    await user.keyboard('{ArrowDown}x')
    expect(document.activeElement).toBe(await opener(uncertain))
    expect((await select(uncertain)).matches(':checked')).toBe(true)
    await user.keyboard('{Enter}')
    await screen.findByRole('dialog', { name: `Fax ${short(uncertain)}` })
    await user.keyboard('j')
    await screen.findByRole('dialog', { name: `Fax ${short(failed)}` })
  })

  it('begins at the first row with an arrow, and leaves the arrows to what uses them', async () => {
    const { world, queued } = mixedWorld()
    const { user } = open(world)
    const first = await screen.findByRole('button', { name: `Open fax ${short(queued)}` })
    await user.keyboard('{ArrowDown}')
    expect(document.activeElement).toBe(first)
    screen.getByRole('button', { name: 'Columns' }).focus()
    await user.keyboard('{ArrowDown}')
    expect(document.activeElement).not.toBe(first)
  })
})

describe('the filters', () => {
  it('narrow the list, are kept for the session, and can be cleared', async () => {
    const { world, failed, delivered } = mixedWorld()
    const first = open(world)
    await row(delivered.id)
    await first.user.selectOptions(screen.getByLabelText('Status'), 'FAILED')
    await screen.findByText('1 fax')
    expect(listed()).toEqual([short(failed)])

    first.unmount()
    const { user } = open(world)
    await screen.findByText('1 fax')
    await user.click(screen.getByRole('button', { name: 'Clear filters' }))
    await screen.findByText('4 faxes')
  })

  it('that another screen leads to end with the visit', async () => {
    const { world } = mixedWorld()
    const first = open(world, 'failed')
    await screen.findByText('1 fax')
    screen.getByRole('button', { name: 'Remove the filter Failed' })
    first.unmount()
    history.replaceState(null, '', location.pathname)
    open(world)
    await screen.findByText('4 faxes')
  })

  it('leave the times of other screens alone where they are one’s own', async () => {
    const { world } = mixedWorld()
    const first = open(world)
    await screen.findByText('4 faxes')
    await first.user.selectOptions(screen.getByLabelText('Created'), 'Custom date')
    fireEvent.change(screen.getByLabelText('From'), { target: { value: '2001-02-03T00:00' } })
    first.unmount()
    expect(sessionStorage.getItem('faxdeck:time.range') ?? '').not.toContain('2001')
    open(world)
    expect((await screen.findByLabelText<HTMLInputElement>('From')).value).toBe('2001-02-03T00:00')
  })

  it('find by number, and what needs a person', async () => {
    const { world, uncertain, failed } = mixedWorld()
    const { user } = open(world)
    await screen.findByText('4 faxes')
    await user.type(screen.getByRole('searchbox', { name: 'Search words, number, ID or error' }), '0101')
    await waitFor(() => expect(listed()).toEqual([short(failed)]))
    await user.keyboard('{Escape}')
    await user.selectOptions(screen.getByLabelText('Status'), 'Needs attention')
    await waitFor(() => expect(listed()).toEqual([short(uncertain)]))
  })

  it('by provider and day, and say when nothing fits', async () => {
    const { world } = mixedWorld()
    const { user } = open(world)
    await screen.findByText('4 faxes')
    await user.selectOptions(await screen.findByLabelText('Provider'), 'Phaxio')
    await screen.findByText('No faxes match')
    await user.click(screen.getAllByRole('button', { name: 'Clear filters' })[0] as HTMLElement)
    await user.selectOptions(screen.getByLabelText('Created'), 'Custom date')
    fireEvent.change(screen.getByLabelText('From'), { target: { value: '2001-02-03T00:00' } })
    fireEvent.change(screen.getByLabelText('To'), { target: { value: '2001-02-04T00:00' } })
    await screen.findByText('0 faxes')
  })
})

describe('the view of the list', () => {
  const titles = () => screen.getAllByRole('columnheader').map((heading) => heading.textContent)

  it('is sorted by a heading, and the other way round when it is pressed again', async () => {
    const world = emptyWorld()
    const ago = (minutes: number) => world.now() - minutes * minute
    const short_ = addJob(world, '+15555550123', { pages: 2 }, ago(1)).job
    const long = addJob(world, '+15555550123', { pages: 9 }, ago(9)).job
    const middle = addJob(world, '+15555550123', { pages: 5 }, ago(5)).job
    const { user } = open(world)
    await row(middle.id)
    await user.click(screen.getByRole('button', { name: 'Pages' }))
    await waitFor(() => expect(listed()).toEqual([long, middle, short_].map(short)))
    expect(screen.getByRole('columnheader', { name: 'Pages' }).getAttribute('aria-sort')).toBe('descending')
    await user.click(screen.getByRole('button', { name: 'Pages' }))
    await waitFor(() => expect(listed()).toEqual([short_, middle, long].map(short)))
  })

  it('has the columns that a person chose, also the next time', async () => {
    const { world, queued } = mixedWorld()
    const first = open(world)
    await row(queued.id)
    await first.user.click(screen.getByRole('button', { name: 'Columns' }))
    await first.user.click(screen.getByRole('menuitemcheckbox', { name: 'Document' }))
    expect(titles()).not.toContain('Document')
    first.unmount()
    const { user } = open(world)
    await row(queued.id)
    expect(titles()).not.toContain('Document')
    await user.click(screen.getByRole('button', { name: 'Columns' }))
    await user.click(screen.getByRole('menuitemcheckbox', { name: 'Document' }))
    expect(titles()).toContain('Document')
  })

  it('stands in the address and as chips, and is saved under a name without its search', async () => {
    const { world, failed, delivered } = mixedWorld()
    const { user } = open(world)
    await row(delivered.id)
    await user.selectOptions(screen.getByLabelText('Status'), 'FAILED')
    await user.type(screen.getByRole('searchbox'), '0101')
    await waitFor(() => expect(listed()).toEqual([short(failed)]))
    expect(location.hash).toBe('#jobs?status=FAILED')
    await user.click(screen.getByRole('button', { name: 'Saved views' }))
    await user.click(screen.getByRole('menuitem', { name: 'Save this view…' }))
    await user.type(screen.getByLabelText('Name'), 'Trouble')
    await user.click(screen.getByRole('button', { name: 'Save view' }))
    expect(JSON.stringify(localStorage)).not.toContain('0101')
    await user.click(screen.getByRole('button', { name: 'Remove the filter Failed' }))
    await user.click(screen.getByRole('button', { name: 'Remove the filter “0101”' }))
    await screen.findByText('4 faxes')
    expect(location.hash).toBe('')
    await user.click(screen.getByRole('button', { name: 'Saved views' }))
    await user.click(screen.getByRole('menuitemradio', { name: 'Trouble' }))
    await screen.findByText('1 fax')
  })

  it('begins as an address says', async () => {
    const { world, failed } = mixedWorld()
    history.replaceState(null, '', '#jobs?status=FAILED')
    const { user } = open(world)
    await screen.findByText('1 fax')
    expect(listed()).toEqual([short(failed)])
    await user.click(screen.getByRole('button', { name: 'Clear filters' }))
    await screen.findByText('4 faxes')
    expect(history.state).toEqual({ place: 'jobs' })
  })
})

describe('more faxes than are loaded', () => {
  it('are sent again by the gateway, as many as it counted, after a question', async () => {
    const world = emptyWorld()
    for (let n = 0; n < 120; n++) addJob(world, '+15555550123', {}, world.now() - minute - n)
    readNoFurther()
    const { user } = open(world)
    // By role each would take a second among so many rows.
    await user.click(await screen.findByLabelText('Select all'))
    await user.click(await screen.findByText(/^Select all 120 that match$/))
    await user.click(screen.getByText('Send again…'))
    const dialog = (await screen.findByText('Send 120 faxes again?')).closest('dialog') as HTMLElement
    await user.click(within(dialog).getByRole('button', { name: 'Send again' }))
    await screen.findByText('120 faxes sent again', undefined, { timeout: 6000 })
    expect(world.jobs).toHaveLength(240)
    await user.click(screen.getByText('Done'))
    await screen.findByText('240 faxes')
  })

  it('are chosen from one to another with Shift', async () => {
    const { world, delivered, queued } = mixedWorld()
    const { user } = open(world)
    await user.click(await select(queued))
    await user.keyboard('{Shift>}')
    await user.click(await select(delivered))
    await user.keyboard('{/Shift}')
    screen.getByText('4 selected')
  })
})

describe('several jobs at once', () => {
  it('are sent again after a question, those that can be', async () => {
    const { world, delivered, failed, uncertain } = mixedWorld()
    const { user } = open(world)
    for (const job of [delivered, failed, uncertain]) await user.click(await select(job))
    screen.getByText('3 selected')
    await user.click(screen.getByRole('button', { name: 'Send again (2 of 3)' }))
    const dialog = screen.getByRole('dialog', { name: 'Send 2 faxes again?' })
    await user.click(within(dialog).getByRole('button', { name: 'Send again' }))
    await screen.findByText('2 faxes sent again')
    expect(world.jobs.slice(0, 2).map(({ job }) => job.parent_id)).toEqual([delivered.id, failed.id])
    await waitFor(() => expect(screen.queryByText('3 selected')).toBeNull())
  })

  it('are not sent again unasked where a copy was delivered or the number is wrong', async () => {
    const { world, delivered, failed } = mixedWorld()
    delivered.test = false
    const { user } = open(world)
    for (const job of [delivered, failed]) await user.click(await select(job))
    await user.click(screen.getByRole('button', { name: 'Send again (2)' }))
    const dialog = screen.getByRole('dialog', { name: 'Send 1 fax again?' })
    within(dialog).getByText(/1 fax left out: already delivered/)
    await user.click(within(dialog).getByRole('button', { name: 'Send again' }))
    await screen.findByText('1 fax sent again')
    expect(world.jobs[0]?.job.parent_id).toBe(failed.id)
  })

  it('are sent again where all were delivered, after a question that says so', async () => {
    const { world, delivered } = mixedWorld()
    delivered.test = false
    const { user } = open(world)
    await user.click(await select(delivered))
    await user.click(screen.getByRole('button', { name: 'Send again (1)' }))
    const dialog = screen.getByRole('dialog', { name: 'Send 1 fax again?' })
    within(dialog).getByText(/Recipients who already got the fax will get it again/)
    await user.click(within(dialog).getByRole('button', { name: 'Send again' }))
    await screen.findByText('1 fax sent again')
  })

  it('say that they were sent again, and leave the list of unresolved ones', async () => {
    const { world, failed, uncertain } = mixedWorld()
    addJob(world, '+15555550123', { parent_id: failed.id, status: 'SUCCESS' }).steps = []
    const { user } = open(world)
    within(await row(failed.id)).getByText('Resent')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'Unresolved')
    await waitFor(() => expect(listed()).toEqual([short(uncertain)]))
  })

  it('are canceled; a refusal is named and the selection stays', async () => {
    const { world, queued } = mixedWorld()
    const { user } = open(world)
    await user.click(await select(queued))
    const body = { detail: 'The fax is already being sent.', code: 'conflict', request_id: 'r1' }
    world.failures.set('cancelJob', { status: 409, statusText: 'Conflict', body })
    const cancel = async () => {
      await user.click(screen.getByRole('button', { name: 'Cancel faxes (1)' }))
      await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancel faxes' }))
    }
    await cancel()
    const notice = await screen.findByRole('alert')
    within(notice).getByText('Failed to cancel the fax')
    within(notice).getByText(/The fax is already being sent\./)
    screen.getByText('1 selected')

    world.failures.clear()
    await cancel()
    await screen.findByText('1 fax canceled')
    await within(await row(queued.id)).findByText('Failed')
  })

  it('are saved as CSV; the head of the screen saves all that fit the filters', async () => {
    const { world, delivered } = mixedWorld()
    const { user } = open(world)
    await user.click(await screen.findByRole('checkbox', { name: 'Select all' }))
    screen.getByText('4 selected')
    const [all, chosen] = screen.getAllByRole('button', { name: 'Export CSV' })
    if (!all || !chosen) throw new Error('Two buttons were expected.')
    await user.click(chosen)
    await user.click(all)
    await waitFor(() => expect(saved).toHaveLength(2))
    expect(saved[0]?.name).toMatch(/^fax_jobs_\d{4}-\d\d-\d\d\.csv$/)
    expect(await saved[0]?.content.text()).toContain(delivered.id)
  })

  it('say when the CSV cannot be had', async () => {
    const { world } = mixedWorld()
    world.failures.set('exportJobs', { status: 500, statusText: 'Internal Server Error' })
    const { user } = open(world)
    await user.click(await screen.findByRole('button', { name: 'Export CSV' }))
    within(await screen.findByRole('alert')).getByText('Download failed: 500')
  })
})

describe('a list that another screen leads to', () => {
  it('is filtered by its status and the words that were looked for', async () => {
    const world = emptyWorld()
    const { job } = addJob(world, '+15555550101', {}, world.now() - 60_000)
    addJob(world, '+15555550102', {}, world.now() - 60_000)
    renderScreen(<JobsScreen />, { world, at: { place: 'jobs', open: 'failed', find: 'Nobody answered.' } })
    await screen.findByRole('button', { name: `Open fax ${job.id.slice(0, 8)}` })
    await waitFor(() => expect(screen.getAllByRole('button', { name: /^Open fax/ })).toHaveLength(1))
    expect(screen.getByLabelText<HTMLSelectElement>('Status').value).toBe('FAILED')
    expect(history.state).toEqual({ place: 'jobs' })
  })
})
