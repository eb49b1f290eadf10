import type { InboundFax } from '@faxdeck/contract'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { receivedFax } from '../../demo/lines/fake-line.ts'
import { addEvent } from '../../demo/records/fake-logs.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { setWide } from '../../testing/screen-width.ts'
import { emptyWorld, type World } from '../../demo/world.ts'
import { InboxScreen } from './inbox.tsx'

const show = (world: World, open?: string, without?: string[]) =>
  renderScreen(<InboxScreen />, { world, without, at: { place: 'inbound', ...(open && { open }) } })

/** A world whose inbox holds one fax for each set of fields, the first on top. */
function worldWith(...faxes: Partial<InboundFax>[]) {
  const world = emptyWorld()
  world.inbound = faxes.map((fields) => receivedFax(world, fields))
  const [first] = world.inbound
  if (!first) throw new Error('At least one fax is needed.')
  return { world, fax: first }
}

const failed = {
  status: 'failed',
  error: 'The document could not be fetched.',
  pages: null,
  document_kept: false,
  backend: 'phaxio',
} as const
const short = (fax: { id: string }) => fax.id.slice(0, 8)
const row = (fax: { id: string }) => screen.findByRole('row', { name: new RegExp(short(fax)) })
const refusal = (detail: string, code: string) => ({ detail, code, request_id: 'r1' })

const saved: string[] = []
beforeEach(() => {
  saved.length = 0
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    saved.push(this.download)
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  Object.assign(window, { scrollY: 0 })
})

describe('the inbox', () => {
  it('shows its list also where it begins with a fax that is open', async () => {
    setWide(true)
    const { world, fax } = worldWith({}, {})
    show(world, fax.id)
    await row(fax)
    expect(screen.queryByText('No faxes received yet')).toBeNull()
    expect(screen.queryByRole('button', { name: /new$/ })).toBeNull()
  })

  it('shows every received fax with its ends of numbers, state, and a mark while unread', async () => {
    const { world, fax } = worldWith(
      { fr: '+442079460958', to: '+15555550123', pages: 3 },
      { read_at: '2026-11-20T10:00:00.000Z', is_test: true },
    )
    show(world)
    const top = await row(fax)
    for (const text of ['Received', 'Test line', '3', 'Unread:']) await within(top).findByText(text)
    for (const name of ['number ending in 0958', 'number ending in 0123', `First page of fax ${short(fax)}`]) {
      await within(top).findByRole('img', { name })
    }
    expect(document.body.textContent).not.toContain('2079460958')
    const read = await row(world.inbound[1] as InboundFax)
    within(read).getByText('Test')
    expect(within(read).queryByText('Unread:')).toBeNull()
    for (const name of ['ID', 'From', 'To', 'Status', 'Backend', 'Pages', 'Received']) {
      screen.getByRole('columnheader', { name })
    }
  })

  it('says which fax needs a look, why, and what the provider said, until a person has opened it', async () => {
    const concern =
      'Sinch gave this fax the status "PARTLY", which Faxdeck does not know. Check whether all pages arrived.'
    const notice = '{"id":"01J","from":"+15551234567","status":"PARTLY"}'
    const { world, fax } = worldWith({ concern, notice, needs_attention: true })
    const { user } = show(world)
    const top = await row(fax)
    within(top).getByText('Needs a look')
    await user.click(top)
    const dialog = within(await screen.findByRole('dialog'))
    await dialog.findByText(concern)
    dialog.getByText(/"status":"PARTLY"/)
    expect(document.body.textContent).not.toContain('5551234567')
    await waitFor(() => expect(fax.needs_attention).toBe(false))
    await waitFor(() => expect(within(top).queryByText('Needs a look')).toBeNull())
  })

  it('finds faxes by their words, and marks them on the pages', async () => {
    const { world, fax } = worldWith({ fr: '+442079460958' }, { fr: '+15555550177' })
    const { user } = show(world)
    await row(fax)
    await user.type(screen.getByRole('searchbox', { name: 'Search words or numbers' }), 'schmidt 0958')
    await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(2))
    await user.click(await row(fax))
    const dialog = within(await screen.findByRole('dialog'))
    await dialog.findByText('“schmidt 0958” is marked on page 1.')
    const page = await dialog.findByRole('img', { name: 'Page 1 of 1, 1 match' })
    fireEvent.load(page)
    expect(page.parentElement?.querySelectorAll('rect')).toHaveLength(1)
  })

  it('says when no fax has the words, and shows all again', async () => {
    const { world, fax } = worldWith({})
    const { user } = show(world)
    await row(fax)
    await user.type(screen.getByRole('searchbox', { name: 'Search words or numbers' }), 'zebra')
    await screen.findByText(/No received faxes contain “zebra”/)
    await user.click(screen.getByRole('button', { name: 'Clear search' }))
    await row(fax)
  })

  it('is brought up to date every 15 seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { world, fax } = worldWith({})
    show(world)
    await row(fax)
    const fresh = receivedFax(world, {})
    world.inbound.unshift(fresh)
    await act(() => vi.advanceTimersByTimeAsync(15_500))
    await row(fresh)
  })

  it('does not move while a person reads further down', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { world, fax } = worldWith({})
    const { user } = show(world)
    await row(fax)
    Object.assign(window, { scrollY: 400 })
    fireEvent.scroll(window)
    const fresh = receivedFax(world, {})
    world.inbound.unshift(fresh)
    await act(() => vi.advanceTimersByTimeAsync(15_500))
    expect(screen.queryByRole('row', { name: new RegExp(short(fresh)) })).toBeNull()
    await user.click(screen.getByRole('button', { name: '1 new' }))
    await row(fresh)
  })

  it('reads older faxes when asked', async () => {
    const { world } = worldWith(...Array.from({ length: 130 }, () => ({})))
    const { user } = show(world)
    await screen.findByText('Showing 100 of 130')
    await user.click(screen.getByText('Load more'))
    await screen.findByText('Showing 130')
    expect(screen.queryByText('Load more')).toBeNull()
  })

  it('says who opened a fax, and records that it is printed', async () => {
    const { world, fax } = worldWith({})
    const by = { job_id: fax.id, key_id: 'person:3f2a9c0b7d5e', key_name: 'Nurse Kim' }
    addEvent(world, 'document_viewed', { ...by, size: 'page' })
    vi.spyOn(window, 'print').mockReturnValue(undefined)
    const { user } = show(world, fax.id)
    const views = within(await screen.findByRole('region', { name: 'Opened by' }))
    views.getByText('Nurse Kim')
    views.getByText(/^Opened /)
    await user.click(screen.getByRole('button', { name: 'Print' }))
    await expect.poll(() => world.events.at(-1)).toMatchObject({ event: 'document_printed', job_id: fax.id })
  })

  it('shows its pages as text for who asks, and says why there is none', async () => {
    const { world, fax } = worldWith({})
    const { user } = show(world, fax.id)
    const summary = await screen.findByText('Show as text')
    expect(screen.queryByText(/please find the referral/)).toBeNull()
    await user.click(summary)
    const page = within(await screen.findByRole('region', { name: 'Text of page 1' }))
    page.getByText(/please find the referral/)
    world.texts = new Map([[fax.id, []]])
    await user.click(summary)
    await user.click(summary)
    await screen.findByText('No text was found on the pages of this fax.')
  })

  it('is a list of cards on a small screen', async () => {
    setWide(false)
    const { world, fax } = worldWith({})
    const { user } = show(world)
    const cards = await screen.findByRole('list', { name: 'Received faxes' })
    expect(screen.queryByRole('table')).toBeNull()
    expect(screen.queryByRole('radio', { name: 'Unread' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Refresh' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Filters' }))
    await user.click(screen.getByRole('radio', { name: 'Unread' }))
    // What leaves faxes out is never hidden.
    expect(screen.queryByRole('button', { name: 'Filters' })).toBeNull()
    await user.click(within(cards).getByRole('button', { name: `Open fax ${short(fax)}` }))
    await screen.findByRole('dialog', { name: `Fax ${short(fax)}` })
  })

  it('offers a test fax while it is empty', async () => {
    const { user } = show(emptyWorld())
    await screen.findByText('No faxes received yet')
    await user.click(screen.getByRole('button', { name: 'Create a test fax' }))
    screen.getByRole('dialog', { name: 'Create a test fax' })
  })

  it('says what failed, and where to look while it is empty', async () => {
    const { world, fax } = worldWith({})
    const body = refusal('This key is not allowed to do that.', 'forbidden')
    world.failures.set('listInbound', { status: 403, statusText: 'Forbidden', body })
    const { user } = show(world)
    const notice = await screen.findByRole('alert')
    within(notice).getByText('Failed to fetch inbound faxes')
    within(notice).getByText('This key is not allowed to do that. (API Error: 403 Forbidden)')
    screen.getByText(/Your API key needs the inbound:list and inbound:read scopes/)
    world.failures.clear()
    await user.click(within(notice).getByRole('button', { name: 'Retry' }))
    await row(fax)
  })

  it('is calm while receiving is off, and says where it is turned on', async () => {
    const world = emptyWorld()
    const body = refusal('Receiving is off. Turn on inbound under Settings, Inbound Receiving.', 'inbound_disabled')
    world.failures.set('listInbound', { status: 404, statusText: 'Not Found', body })
    const { user, unmount } = show(world)
    await screen.findByText('Receiving is off')
    screen.getByText(/turn on receiving under Settings › Inbound Receiving/)
    expect(screen.queryByRole('alert')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Open Settings' }))
    expect(history.state).toEqual({ place: 'settings/inbound' })

    unmount()
    show(world, undefined, ['settings/inbound'])
    await screen.findByText('Receiving is off')
    expect(screen.queryByRole('button', { name: 'Open Settings' })).toBeNull()
  })
})

describe('a received fax', () => {
  it('is read in the console, page by page, and marked as read', async () => {
    const { world, fax } = worldWith({ pages: 2 })
    const { user } = show(world)
    const opener = await screen.findByRole('button', { name: `Open fax ${short(fax)}` })
    opener.focus()
    await user.keyboard('{Enter}')
    const dialog = await screen.findByRole('dialog', { name: `Fax ${short(fax)}` })
    await within(dialog).findByRole('img', { name: 'Page 1 of 2' })
    within(dialog).getByRole('img', { name: 'Page 2 of 2' })
    within(dialog).getByText(fax.id)
    await waitFor(() => expect(world.inbound[0]?.read_at).not.toBeNull())
    expect(history.state).toEqual({ place: 'inbound', open: fax.id })

    await user.keyboard('{Escape}')
    expect(document.activeElement).toBe(opener)
    await waitFor(async () => expect(within(await row(fax)).queryByText('Unread:')).toBeNull())
  })

  it('can be marked as unread again', async () => {
    const { world, fax } = worldWith({})
    const { user } = show(world, fax.id)
    await waitFor(() => expect(world.inbound[0]?.read_at).not.toBeNull())
    await user.click(await screen.findByRole('button', { name: 'Mark as unread' }))
    await waitFor(() => expect(world.inbound[0]?.read_at).toBeNull())
    expect(screen.queryByRole('dialog')).toBeNull()
    await within(await row(fax)).findByText('Unread:')
  })

  it('is saved under its name, from the list and from the preview', async () => {
    const { world, fax } = worldWith({})
    const { user } = show(world)
    await user.click(await screen.findByRole('button', { name: `Download fax ${short(fax)}` }))
    await waitFor(() => expect(saved).toEqual([`inbound_${fax.id}.pdf`]))
    await user.click(screen.getByRole('button', { name: `Open fax ${short(fax)}` }))
    await user.click(await screen.findByRole('button', { name: 'Download PDF' }))
    await waitFor(() => expect(saved).toHaveLength(2))
  })

  it('that cannot be saved says why', async () => {
    const { world, fax } = worldWith({})
    world.failures.set('getInboundPdf', { status: 500, statusText: 'Internal Server Error' })
    const { user } = show(world)
    await user.click(await screen.findByRole('button', { name: `Download fax ${short(fax)}` }))
    within(await screen.findByRole('alert')).getByText('Download failed: 500')
    expect(saved).toEqual([])
  })

  it('whose document is gone says so', async () => {
    const { world, fax } = worldWith({ document_kept: false })
    show(world, fax.id)
    await screen.findByText('The document is no longer stored. Its details remain.')
    expect(screen.queryByRole('button', { name: 'Download PDF' })).toBeNull()
  })

  it('that could not be received is explained, and fetched again', async () => {
    const { world, fax } = worldWith(failed)
    const { user } = show(world)
    const banner = within(await screen.findByRole('region', { name: 'Troubleshooting' }))
    banner.getByText('1 fax could not be received.')
    banner.getByText('The document could not be fetched.')
    banner.getByText(/then select Fetch again\./)
    const link = await banner.findByRole<HTMLAnchorElement>('link', { name: 'Phaxio' })
    expect(link.href).toBe('https://docs.example.com/latest/setup/phaxio/')
    within(await row(fax)).getByText(`No document of fax ${short(fax)}`)
    await user.click(screen.getByRole('button', { name: `Fetch again: fax ${short(fax)}` }))
    await within(await row(fax)).findByText('Received')
    within(await row(fax)).getByRole('img', { name: `First page of fax ${short(fax)}` })
    expect(screen.queryByRole('region', { name: 'Troubleshooting' })).toBeNull()
  })

  it('that arrived in part is not to be fetched again, but asked for', async () => {
    const { world } = worldWith({ ...failed, document_kept: true, pages: 1 })
    show(world)
    const banner = within(await screen.findByRole('region', { name: 'Troubleshooting' }))
    banner.getByText(/The pages that arrived were kept\. Ask the sender to resend the rest\./)
    expect(screen.queryByText(/Fetch again/)).toBeNull()
  })

  it('that waits for its document says when it is tried next', async () => {
    const next = new Date(Date.now() + 120_000).toISOString()
    const { world, fax } = worldWith({ ...failed, status: 'waiting', next_try_at: next })
    const { user } = show(world, fax.id)
    const dialog = within(await screen.findByRole('dialog'))
    await dialog.findByText('Next attempt')
    dialog.getByText('The document of this fax hasn’t arrived yet.')
    world.failures.set('fetchInboundAgain', { status: 502, statusText: 'Bad Gateway' })
    await user.click(dialog.getByRole('button', { name: 'Fetch again' }))
    await dialog.findByText('API Error: 502 Bad Gateway')
    world.failures.clear()
    await user.click(dialog.getByRole('button', { name: 'Fetch again' }))
    await dialog.findByRole('img', { name: 'Page 1 of 1' })
  })
})

describe('many faxes', () => {
  const three = () => worldWith({ fr: '+15555550111' }, { fr: '+15555550112' }, { fr: '+15555550113' })
  const box = (fax: { id: string }) => screen.findByRole('checkbox', { name: `Select fax ${short(fax)}` })

  it('are chosen with Shift from one to another, and downloaded as one PDF or a zip', async () => {
    const { world } = three()
    const [first, , last] = world.inbound as [InboundFax, InboundFax, InboundFax]
    const { user } = show(world)
    await user.click(await box(first))
    await user.keyboard('{Shift>}')
    await user.click(await box(last))
    await user.keyboard('{/Shift}')
    await screen.findByText('3 selected')
    await user.click(screen.getByRole('button', { name: 'Download one PDF' }))
    await waitFor(() => expect(saved).toEqual(['inbound_3_faxes.pdf']))
    await user.click(screen.getByRole('button', { name: 'Download zip' }))
    await waitFor(() => expect(saved).toEqual(['inbound_3_faxes.pdf', 'inbound_3_faxes.zip']))
  })

  it('are all marked as read, but not those that need a look', async () => {
    const { world } = worldWith({}, {}, { concern: 'It may lack pages.', needs_attention: true })
    const { user } = show(world)
    await row(world.inbound[0] as InboundFax)
    await user.click(screen.getByRole('button', { name: 'More actions' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Mark all as read' }))
    await user.click(await screen.findByRole('button', { name: 'Mark as read' }))
    await screen.findByText('2 faxes marked as read')
    expect(world.inbound.map(({ read_at: at }) => at === null)).toEqual([false, false, true])
  })

  it('are read one after another with j and k, and an unread one stays in its place', async () => {
    const { world } = three()
    const [first, second] = world.inbound as [InboundFax, InboundFax, InboundFax]
    const { user } = show(world)
    await row(first)
    await user.click(screen.getByRole('radio', { name: 'Unread' }))
    await user.click(await row(first))
    await screen.findByRole('dialog', { name: `Fax ${short(first)}` })
    await user.keyboard('j')
    await screen.findByRole('dialog', { name: `Fax ${short(second)}` })
    await waitFor(() => expect(second.read_at).not.toBeNull())
    await user.keyboard('k')
    await screen.findByRole('dialog', { name: `Fax ${short(first)}` })
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Previous fax (k)' }).disabled).toBe(true)
  })

  it('that failed, or are unread, are shown alone', async () => {
    const { world, fax } = worldWith(failed, { read_at: '2026-01-01T00:00:00.000Z' })
    const { user } = show(world)
    await row(fax)
    await user.click(screen.getByRole('radio', { name: 'Failed' }))
    await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(2))
    await user.click(screen.getByRole('radio', { name: 'Unread' }))
    await screen.findByText('No unread faxes')
    await user.click(screen.getByRole('button', { name: 'Show all faxes' }))
    await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(3))
    sessionStorage.clear()
  })
})

describe('callback URLs', () => {
  it('are listed with what the provider must be told, to copy', async () => {
    const { user } = show(emptyWorld())
    const region = within(await screen.findByRole('region', { name: 'Callback URLs' }))
    await region.findByText('http://127.0.0.1:8080/_internal/testline/inbound')
    await user.click(region.getByRole('button', { name: 'Copy callback URL of Test line' }))
    expect(await navigator.clipboard.readText()).toBe('http://127.0.0.1:8080/_internal/testline/inbound')
  })

  it('say so when they cannot be had', async () => {
    const world = emptyWorld()
    world.failures.set('listCallbacks', 'offline')
    const { user } = show(world)
    const notice = within(await screen.findByRole('alert'))
    notice.getByText('Failed to fetch callbacks')
    notice.getByText('The gateway did not answer.')
    world.failures.clear()
    await user.click(notice.getByRole('button', { name: 'Retry' }))
    await screen.findByText('Test line')
  })
})

describe('a simulated fax', () => {
  async function openDialog(world = emptyWorld()) {
    const { user } = show(world)
    await user.click(await screen.findByRole('button', { name: 'More actions' }))
    await user.click(screen.getByRole('menuitem', { name: 'Create a test fax' }))
    return { user, world, dialog: within(screen.getByRole('dialog', { name: 'Create a test fax' })) }
  }

  it('arrives as described and is marked as a test', async () => {
    const { user, world, dialog } = await openDialog()
    await user.type(dialog.getByLabelText('To'), '+15555550177')
    await user.clear(dialog.getByLabelText('Pages'))
    await user.type(dialog.getByLabelText('Pages'), '3')
    await user.click(dialog.getByRole('button', { name: 'Simulate' }))
    await screen.findByText('Test fax received')
    expect(world.inbound).toMatchObject([{ to: '********0177', pages: 3, is_test: true, status: 'received' }])
    await screen.findByRole('row', { name: /Test/ })
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('may be one that fails', async () => {
    const { user, dialog } = await openDialog()
    await user.selectOptions(dialog.getByLabelText('Status'), 'failed')
    await user.click(dialog.getByRole('button', { name: 'Simulate' }))
    await screen.findByRole('region', { name: 'Troubleshooting' })
  })

  it('is not asked for with a wrong number or count', async () => {
    const { user, world, dialog } = await openDialog()
    await user.type(dialog.getByLabelText('To'), '12')
    await user.type(dialog.getByLabelText('Pages'), '00')
    await user.click(dialog.getByRole('button', { name: 'Simulate' }))
    dialog.getByText('Please enter a valid phone number')
    dialog.getByText('Enter a whole number from 1 to 20.')
    expect(world.inbound).toHaveLength(0)
  })

  it('that the gateway refuses says why', async () => {
    const world = emptyWorld()
    const body = refusal('The disk is full.', 'storage_full')
    world.failures.set('simulateInbound', { status: 507, statusText: 'Insufficient Storage', body })
    const { user, dialog } = await openDialog(world)
    await user.click(dialog.getByRole('button', { name: 'Simulate' }))
    await dialog.findByText('Test add failed')
    dialog.getByText('The disk is full. (API Error: 507 Insufficient Storage)')
  })
})
