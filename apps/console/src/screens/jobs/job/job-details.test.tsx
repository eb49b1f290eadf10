import type { Job } from '@faxdeck/contract'
import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { addJob } from '../../../demo/faxes/fake-jobs.ts'
import { catchUp } from '../../../demo/lines/fake-line.ts'
import { emptyWorld } from '../../../demo/world.ts'
import { setWide } from '../../../testing/screen-width.ts'
import { at, details, press, show, worldWith } from '../testing/job-screen.tsx'
import { resendFax } from '../queries.ts'

const saved: string[] = []
beforeEach(() => {
  saved.length = 0
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    saved.push(this.download)
  })
})
afterEach(() => {
  setWide(true)
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('the details of a job', () => {
  it('open from its row by the keyboard, and Escape goes back to the row', async () => {
    const { world, job } = worldWith('+15555550123')
    const { user } = show(world)
    const opener = await screen.findByRole('button', { name: `Open fax ${job.id.slice(0, 8)}` })
    opener.focus()
    await user.keyboard('{Enter}')
    const pane = await details(job.id)
    expect(pane.getAttribute('aria-modal')).toBe('false')
    expect(document.activeElement).toBe(pane)
    expect(history.state).toEqual(at(job.id))
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(document.activeElement).toBe(opener)
    expect(history.state).toEqual(at())
  })

  it('show its pages as text for who asks', async () => {
    const { world, job } = worldWith('+15555550123')
    const { user } = show(world, job.id)
    await user.click(await screen.findByText('Show as text'))
    within(await screen.findByRole('region', { name: 'Text of page 1' })).getByText(/please find the referral/)
    expect(world.events.at(-1)).toMatchObject({ event: 'document_viewed', job_id: job.id })
  })

  it('tell everything about it: facts, pages, story, attempts', async () => {
    const { world, job } = worldWith('+15555550123')
    job.test = false
    const { user } = show(world, job.id)
    const pane = await details(job.id)
    const facts = within(await within(pane).findByRole('region', { name: 'Details' }))
    const named = ['Job ID', 'To Number', 'Status', 'Backend', 'Pages', 'File name', 'Created', 'Last updated', 'Error']
    expect(facts.getAllByRole('term').map((term) => term.textContent)).toEqual(named)
    facts.getByText('letter.pdf')
    facts.getByText('2, 2 confirmed')
    facts.getByRole('img', { name: 'number ending in 0123' })
    const story = within(pane).getByRole('list', { name: 'Timeline' })
    expect(
      within(story)
        .getAllByRole('listitem')
        .map((item) => item.firstChild?.textContent),
    ).toEqual(['Accepted.', 'Calling.', 'Delivered.'])
    expect(within(within(pane).getByRole('table', { name: 'Attempts' })).getAllByRole('row')).toHaveLength(2)
    within(pane).getByRole('button', { name: 'Open Page 2 of 2' })
    await user.click(facts.getByRole('button', { name: 'Copy job ID' }))
    expect(await navigator.clipboard.readText()).toBe(job.id)
  })

  it('say that page 1 is a cover page, where it is one', async () => {
    const world = emptyWorld()
    const { job } = addJob(world, '+15555550123', { pages: 3, cover: 'formal' })
    show(world, job.id)
    const pane = await details(job.id)
    await within(pane).findByText('letter.pdf · 3 pages · page 1 is the cover page')
    within(pane).getByText('Page 1 (formal)')
  })

  it('say in words when a busy number is tried again', async () => {
    const { world, job } = worldWith('+15555550100', 0)
    world.pass(5)
    show(world, job.id)
    const pane = await details(job.id)
    const said = /^The line was busy\. Retrying at \d\d:\d\d, attempt 2 of 4\.$/
    expect(await within(pane).findAllByText(said)).toHaveLength(2)
  })

  /** A fax that stays as it is. */
  function standing(fields: Partial<Job>) {
    const world = emptyWorld()
    const fake = addJob(world, '+15555550123', fields)
    fake.steps = []
    return { world, job: fake.job }
  }

  it('say of a fax of the test line nowhere that it was delivered, or pages confirmed', async () => {
    const { world, job } = standing({
      test: true,
      status: 'SUCCESS',
      pages_confirmed: 1,
      attempts: [
        {
          number: 1,
          provider: 'testline',
          provider_id: 'call-1',
          started_at: '2026-03-01T12:00:00.000Z',
          ended_at: '2026-03-01T12:00:02.000Z',
          kind: null,
          sentence: null,
          pages_confirmed: 1,
          call: null,
        },
      ],
    })
    show(world, job.id)
    const pane = await details(job.id)
    const attempts = within(await within(pane).findByRole('table', { name: 'Attempts' }))
    attempts.getByText(/^Test passed\. Nothing was sent\./)
    expect(attempts.queryByText(/^Delivered/)).toBeNull()
    attempts.getByRole('cell', { name: '—' })
    expect(within(pane).queryByText(/confirmed/)).toBeNull()
  })

  it('say why a fax waits that nobody has tried yet', async () => {
    const { world, job } = standing({ error: 'Waiting: Phaxio asked for fewer faxes at a time.' })
    show(world, job.id)
    const pane = await details(job.id)
    expect(await within(pane).findAllByText('Waiting: Phaxio asked for fewer faxes at a time.')).toHaveLength(2)
  })

  it('ask before a fax is sent again to a number that most likely does not exist', async () => {
    const { world, job } = standing({ status: 'FAILED', error: 'No answer.', actions: ['resend'] })
    const [fake] = world.jobs
    if (fake) fake.to = '+11930123456'
    const { user } = show(world, job.id)
    const pane = await details(job.id)
    await user.click(await within(pane).findByRole('button', { name: 'Send again' }))
    const question = await screen.findByRole('dialog', { name: 'There is no area code 193 in the US. Dial anyway?' })
    expect(world.jobs).toHaveLength(1)
    await user.click(within(question).getByRole('button', { name: 'Dial anyway' }))
    await waitFor(() => expect(world.jobs).toHaveLength(2))
  })

  it('follow a fax that is under way', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { world, job } = worldWith('+15555550123', 0)
    show(world, job.id)
    const pane = await details(job.id)
    await within(pane).findByText('Accepted.')
    await act(() => vi.advanceTimersByTimeAsync(5_000))
    within(pane).getByText('Delivered.', { selector: 'li span' })
  })

  it('show a page large and go back to it', async () => {
    const { world, job } = worldWith('+15555550123')
    const { user } = show(world, job.id)
    const page = await screen.findByRole('button', { name: 'Open Page 1 of 2' })
    await user.click(page)
    await press(user, 'Next page')
    screen.getByRole('dialog', { name: 'Page 2 of 2' })
    await user.keyboard('{Escape}')
    expect(document.activeElement).toBe(page)
    await details(job.id)
  })

  it('say so when they cannot be had', async () => {
    const { world, job } = worldWith('+15555550123')
    world.failures.set('getJob', { status: 500, statusText: 'Internal Server Error' })
    const { user } = show(world, job.id)
    const notice = await screen.findByRole('alert')
    within(notice).getByText('Failed to fetch job details')
    world.failures.clear()
    await user.click(within(notice).getByRole('button', { name: 'Retry' }))
    await screen.findByRole('list', { name: 'Timeline' })
    await user.click(within(await details(job.id)).getByRole('button', { name: 'Close' }))
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

describe('what can be done with a job', () => {
  it('its document is saved under its name', async () => {
    const { world, job } = worldWith('+15555550123')
    const { user } = show(world, job.id)
    await press(user, 'Download PDF')
    await waitFor(() => expect(saved).toEqual([`fax_${job.id}.pdf`]))
  })

  it('its receipt is saved once it has ended, and not offered before', async () => {
    const { world, job } = worldWith('+15555550104', 0)
    const { user } = show(world, job.id)
    await screen.findByText('Accepted.')
    expect(screen.queryByRole('button', { name: 'Receipt' })).toBeNull()
    world.pass(30)
    await press(user, 'Refresh Status')
    await press(user, 'Receipt')
    await waitFor(() => expect(saved).toEqual([`receipt_${job.id}.pdf`]))
  })

  it('a failed download names the status and the reason', async () => {
    const { world, job } = worldWith('+15555550123')
    const body = { detail: 'The document is no longer stored.', code: 'document_not_found', request_id: 'r1' }
    world.failures.set('getJobPdf', { status: 404, statusText: 'Not Found', body })
    const { user } = show(world, job.id)
    await press(user, 'Download PDF')
    const notice = await screen.findByRole('alert')
    within(notice).getByText('The document is no longer stored. (Download failed: 404)')
    expect(saved).toEqual([])
  })

  it('a document no longer kept is not offered', async () => {
    const { world, job } = worldWith('+15555550123')
    job.document_kept = false
    show(world, job.id)
    expect((await screen.findByRole<HTMLButtonElement>('button', { name: 'Download PDF' })).disabled).toBe(true)
    screen.getByText('The document is no longer stored. Its details remain.')
    expect(screen.queryByRole('button', { name: /^Open Page/ })).toBeNull()
  })

  it('its status is asked for again', async () => {
    const { world, job } = worldWith('+15555550104', 0)
    const { user } = show(world, job.id)
    await screen.findByText('Accepted.')
    world.pass(30)
    await press(user, 'Refresh Status')
    await screen.findByText('Delivered.', { selector: 'li span' })
    await within(screen.getByRole('table', { name: 'Fax jobs' })).findByText('Test passed')
  })

  it('a waiting fax is canceled', async () => {
    const { world, job } = worldWith('+15555550100', 0)
    world.pass(5)
    const { user } = show(world, job.id)
    await press(user, 'Cancel fax')
    await screen.findByText('Canceled.', { selector: 'li span' })
    expect(screen.queryByRole('button', { name: 'Cancel fax' })).toBeNull()
  })

  it('a failed fax is sent again, once, and the new one is shown', async () => {
    const { world, job } = worldWith('+15555550101')
    const { user } = show(world, job.id)
    const button = await screen.findByRole('button', { name: 'Send again' })
    await user.dblClick(button)
    await waitFor(() => expect(history.state).toMatchObject({ open: world.jobs[0]?.job.id }))
    expect(world.jobs).toHaveLength(2)
    await details(world.jobs[0]?.job.id ?? '')
    await press(user, job.id.slice(0, 8))
    await details(job.id)
  })

  it('a delivered fax is sent again only after a question', async () => {
    const { world, job } = worldWith('+15555550123')
    world.failures.set('resendJob', { status: 503, statusText: 'Service Unavailable' })
    const { user } = show(world, job.id)
    await press(user, 'Send again')
    const question = screen.getByRole('dialog', { name: 'Send this fax again?' })
    expect(world.jobs).toHaveLength(1)
    await user.click(within(question).getByRole('button', { name: 'Send again' }))
    await within(question).findByText('Failed to send fax')
    world.failures.clear()
    await user.click(within(question).getByRole('button', { name: 'Send again' }))
    await waitFor(() => expect(world.jobs).toHaveLength(2))
  })
})

describe('the answer of a job', () => {
  const outcome = async (id: string) =>
    within(await within(await details(id)).findByRole('region', { name: 'Outcome' }))

  it.each([
    ['beside the list', true],
    ['on a small screen', false],
  ])('stands first %s: status, sentence and next step', async (_, wide) => {
    setWide(wide)
    const { world, job } = worldWith('+15555550101')
    show(world, job.id)
    const answer = await outcome(job.id)
    answer.getByText('Failed')
    answer.getByText('Nobody answered.')
    answer.getByText('Check the number, and ask whether the fax machine is on. Then send it again.')
    expect(answer.getByRole('button', { name: 'Send again' }).dataset.tone).toBe('primary')
  })

  it('sends the same fax when its answer was lost, and another once it was accepted', async () => {
    const { world, job } = worldWith('+15555550101')
    show(world, job.id)
    const keys: (string | null)[] = []
    const answer = fetch
    vi.stubGlobal('fetch', (address: string, init: RequestInit = {}) => {
      if (address.endsWith('/resend')) keys.push(new Headers(init.headers).get('idempotency-key'))
      return answer(address, init)
    })
    world.failures.set('resendJob', 'offline')
    await expect(resendFax(job.id)).rejects.toThrow()
    world.failures.clear()
    await resendFax(job.id)
    await resendFax(job.id, { force: true })
    const [lost, accepted, another] = keys
    expect(accepted).toBe(lost)
    expect(another).not.toBe(accepted)
  })

  it('does not invite to send a delivered fax again', async () => {
    const { world, job } = worldWith('+15555550123')
    show(world, job.id)
    const answer = await outcome(job.id)
    expect(answer.getByRole('button', { name: 'Send again' }).dataset.tone).toBe('plain')
    expect(answer.queryByRole('button', { name: /another number/ })).toBeNull()
  })

  it('offers another number first where the number was wrong', async () => {
    const { world, job } = worldWith('+15555550102')
    const { user } = show(world, job.id)
    const answer = await outcome(job.id)
    const button = answer.getByRole('button', { name: 'Send to another number…' })
    expect(button.dataset.tone).toBe('primary')
    expect(answer.getByRole('button', { name: 'Send again' }).dataset.tone).toBe('plain')
    await user.click(button)
    expect(history.state).toMatchObject({ place: 'send', open: job.id })
  })

  it('offers another number also for a fax with a cover page, which is made anew', async () => {
    const { world, job } = worldWith('+15555550102')
    job.cover = 'formal'
    show(world, job.id)
    ;(await outcome(job.id)).getByRole('button', { name: 'Send to another number…' })
  })
})

describe('an uncertain fax', () => {
  it.each([
    ['It was delivered', 'Mark this fax as delivered?', 'A person decided that the fax was delivered.'],
    ['It failed', 'Mark this fax as failed?', 'A person decided that the fax was not delivered.'],
  ])('is settled: %s', async (choice, question, sentence) => {
    const { world, job } = worldWith('+15555550106')
    const { user } = show(world, job.id)
    await press(user, choice)
    const dialog = screen.getByRole('dialog', { name: question })
    await user.click(within(dialog).getByRole('button', { name: choice }))
    await screen.findByText(sentence, { selector: 'li span' })
    expect(screen.queryByText('This fax may or may not have arrived. You decide.')).toBeNull()
  })

  it('is sent again knowing that it may arrive twice', async () => {
    const { world, job } = worldWith('+15555550106')
    const { user } = show(world, job.id)
    await press(user, 'Send it again')
    const dialog = screen.getByRole('dialog', { name: 'Send this fax again?' })
    within(dialog).getByText(/the recipient gets it twice/)
    await user.click(within(dialog).getByRole('button', { name: 'Send it again' }))
    await waitFor(() => expect(world.jobs[0]?.job.parent_id).toBe(job.id))
  })

  it('stays open to decision when that fails, and says why', async () => {
    const { world, job } = worldWith('+15555550106')
    const body = { detail: 'The fax is no longer uncertain.', code: 'conflict', request_id: 'r1' }
    world.failures.set('resolveJob', { status: 409, statusText: 'Conflict', body })
    const { user } = show(world, job.id)
    await press(user, 'It failed')
    await user.click(
      within(screen.getByRole('dialog', { name: /failed\?$/ })).getByRole('button', { name: 'It failed' }),
    )
    const dialog = screen.getByRole('dialog', { name: /failed\?$/ })
    await within(dialog).findByText('Failed to settle the fax')
    within(dialog).getByText(/no longer uncertain/)
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
    await press(user, 'It failed')
    expect(screen.queryByText('Failed to settle the fax')).toBeNull()
  })
})

describe('a fax that may have been delivered twice', () => {
  it('says what happened, and leaves the list of attention once it was seen', async () => {
    const { world, job } = worldWith('+15555550106')
    catchUp(world)
    const error = 'The fax was delivered more than once: by attempts 1 and 2.'
    Object.assign(job, { status: 'SUCCESS', needs_attention: true, actions: ['resolve'], error })
    const { user } = show(world, job.id)
    const pane = await details(job.id)
    const notice = await within(pane).findByRole('region', { name: 'This fax may have been delivered twice' })
    within(notice).getByText(error)
    expect(within(pane).getAllByText('Needs a look')).toHaveLength(2)
    expect(screen.queryByText('This fax may or may not have arrived. You decide.')).toBeNull()
    await press(user, 'Mark as seen')
    await waitFor(() => expect(job.needs_attention).toBe(false))
  })
})

describe('a delivered fax with fewer pages confirmed than it has', () => {
  it('asks for a look, and leaves the list of attention once it was seen', async () => {
    const { world, job } = worldWith('+15555550106')
    catchUp(world)
    const error = 'The provider reports a delivery but confirmed only 1 of 3 pages.'
    const short = { status: 'SUCCESS', pages: 3, pages_confirmed: 1 } as const
    Object.assign(job, { ...short, needs_attention: true, actions: ['resend', 'resolve'], error })
    const { user } = show(world, job.id)
    const pane = await details(job.id)
    const notice = await within(pane).findByRole('region', { name: 'Pages of this fax may be missing' })
    within(notice).getByText(error)
    await press(user, 'Mark as seen')
    await waitFor(() => expect(job.needs_attention).toBe(false))
  })
})

describe('a fax of which only a part arrived', () => {
  it('says so, does not offer to decide it, and leaves the list of attention once it was seen', async () => {
    const { world, job } = worldWith('+15555550106')
    catchUp(world)
    const error = 'The call was cut off after 1 page.'
    Object.assign(job, {
      status: 'FAILED',
      error_kind: 'partial',
      needs_attention: true,
      actions: ['resend', 'resolve'],
      error,
    })
    const { user } = show(world, job.id)
    const pane = await details(job.id)
    const notice = await within(pane).findByRole('region', { name: 'Only part of this fax may have arrived' })
    within(notice).getByText(error)
    expect(within(pane).getAllByText('Partial')).toHaveLength(2)
    expect(within(pane).queryByText('Failed')).toBeNull()
    const choices = within(notice).getAllByRole('listitem')
    expect(choices.map(({ textContent }) => textContent)).toEqual([
      'Mark as seenClears it from Needs attention. Nothing is sent.',
      'Send againSends the whole fax. Pages that arrived print twice.',
      'Send to another number…Sends the whole document as a new fax.',
    ])
    expect(within(pane).getAllByRole('button', { name: /^Send/ })).toHaveLength(2)
    expect(within(notice).getByRole('button', { name: 'Send again' }).dataset.tone).toBe('plain')
    expect(screen.queryByText('This fax may or may not have arrived. You decide.')).toBeNull()
    await press(user, 'Mark as seen')
    await waitFor(() => expect(job.needs_attention).toBe(false))
    expect(job.status).toBe('FAILED')
  })
})
