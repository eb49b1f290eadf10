import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { addJob } from '../../demo/faxes/fake-jobs.ts'
import { renderConsole } from '../../testing/render-console.tsx'
import { renderScreen } from '../../testing/render-screen.tsx'
import { bootstrapKey, emptyWorld, type World } from '../../demo/world.ts'
import { SendScreen } from './send.tsx'

const at = { place: 'send' }
const letter = () => new File(['%PDF-1.7\n'], 'letter.pdf', { type: 'application/pdf' })
const numberField = () => screen.getByLabelText<HTMLInputElement>('Destination number')
const sendButton = () => screen.getByRole('button', { name: /^Send/ })
const recipients = () =>
  within(screen.getByRole('list', { name: 'Recipients' }))
    .getAllByRole('listitem')
    .map((item) => item.firstChild?.textContent)

function open(world?: World) {
  const shown = renderScreen(<SendScreen />, { world, at })
  const attach = async (file: File) => shown.user.upload(screen.getByLabelText('Document'), file)
  const compose = async (number = '5555550123') => {
    await shown.user.type(numberField(), number)
    await attach(letter())
    await screen.findByText('2 pages')
  }
  return { ...shown, attach, compose }
}

/** Lets each submission be seen, and refused when `refuse` says so. */
function watchSubmissions(refuse: (to: string) => boolean = () => false) {
  const seen: { to: string; key: string | null; tones: string }[] = []
  const answer = globalThis.fetch
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    if (address !== '/fax') return answer(address, init)
    const form = init.body as FormData
    const to = form.get('to') as string
    seen.push({ to, key: new Headers(init.headers).get('idempotency-key'), tones: form.get('tones') as string })
    return refuse(to) ? new Response('', { status: 503, statusText: 'Service Unavailable' }) : answer(address, init)
  })
  return seen
}

afterEach(() => {
  vi.useRealTimers()
})

describe('sending a fax', () => {
  it('formats the number as typed, shows the pages first, sends, and starts anew', async () => {
    const { user, world, compose } = open()
    await compose()
    expect(numberField().value).toBe('(555) 555-0123')
    await screen.findByText('Dials +1 555 555 0123. First fax to this number. Check it digit by digit.')
    screen.getByText(/about 1 minute/)
    screen.getByRole('button', { name: 'Open Page 2 of 2' })

    await user.click(sendButton())
    const sent = await screen.findByRole('region', { name: 'Sent' })
    const [fake] = world.jobs
    expect(fake).toMatchObject({ to: '5555550123', job: { file_name: 'letter.pdf' } })
    within(sent).getByText(fake?.job.id.slice(0, 8) ?? '')
    within(sent).getByText('Queued')
    screen.getByText('Fax accepted')
    expect(numberField().value).toBe('')
    screen.getByLabelText('Document')
  })

  it('follows a sent fax until it has ended, and leads to its job', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { user, world, compose } = open()
    await compose()
    await user.click(sendButton())
    const chip = await screen.findByRole('button', { name: /Queued/ })
    await act(() => vi.advanceTimersByTimeAsync(5_000))
    within(chip).getByText('Test passed')
    await user.click(chip)
    expect(history.state).toEqual({ place: 'jobs', open: world.jobs[0]?.job.id })
  })

  it('asks about 11 times after a fax that does not end', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { user, compose } = open()
    await compose('5555550106')
    const answer = globalThis.fetch
    let polls = 0
    vi.stubGlobal('fetch', (address: string, init?: RequestInit) => {
      if (address.startsWith('/admin/fax-jobs/')) polls += 1
      return answer(address, init)
    })
    await user.click(sendButton())
    await screen.findByRole('button', { name: /Queued/ })
    await act(() => vi.advanceTimersByTimeAsync(120_000))
    expect(polls).toBe(11)
    screen.getByText('Unconfirmed')
  })

  it('can be done with a text typed by hand', async () => {
    const { user, world } = open()
    await user.click(screen.getByRole('radio', { name: 'Typed text' }))
    await user.type(screen.getByLabelText('Text'), 'Dear colleague')
    await screen.findByText('2 pages')
    await user.type(numberField(), '5555550123{Enter}')
    await waitFor(() => expect(world.jobs).toHaveLength(1))
    expect(world.jobs[0]?.job).toMatchObject({ file_name: 'typed-text.txt', size_bytes: 14 })
  })

  it('tells the bytes and minutes of the pages as they are made black and white', async () => {
    const { user, compose } = open()
    await compose()
    await screen.findByText(/60 KB to transmit · about 1 minute/)
    await user.selectOptions(screen.getByLabelText('Black and white'), 'For a photograph')
    await screen.findByText(/180 KB to transmit · about 2 minutes/)
  })

  it('says when the bytes cannot be told, keeps to the first guess meanwhile, and tries again', async () => {
    const world = emptyWorld()
    world.failures.set('quotePreview', { status: 500, statusText: 'Internal Server Error' })
    const { user, compose } = open(world)
    await compose()
    const notice = await screen.findByText('Failed to measure the pages')
    expect(notice.closest('[role=alert]')).not.toBeNull()
    screen.getByText(/about 1 minute, estimated from the pages/)
    expect(screen.queryByText(/to transmit ·/)).toBeNull()
    world.failures.delete('quotePreview')
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    await screen.findByText(/60 KB to transmit · about 1 minute$/)
  })

  it.each([
    ['phaxio', true],
    ['sip', false],
  ])('says whether %s converts the document itself', async (outbound, own) => {
    const world = emptyWorld()
    world.config = { ...world.config, hybrid: { ...world.config.hybrid, outbound } }
    const { compose } = open(world)
    await compose()
    await screen.findByText(/60 KB to transmit/)
    const said = /converts the document itself/
    if (own) await screen.findByText(said)
    else expect(screen.queryByText(said)).toBeNull()
  })

  it('says what most faxes take', () => {
    open()
    screen.getByText('Most faxes finish in 2 to 5 minutes.')
  })

  it('keeps the draft while another screen is looked at', async () => {
    const { user } = renderConsole({ key: bootstrapKey })
    await user.click(await screen.findByRole('button', { name: 'Send' }))
    await user.type(await screen.findByLabelText('Destination number'), '5555550123')
    await user.click(screen.getByRole('button', { name: 'Jobs' }))
    await screen.findByRole('heading', { name: 'Jobs' })
    await user.click(screen.getByRole('button', { name: 'Send' }))
    expect((await screen.findByLabelText<HTMLInputElement>('Destination number')).value).toBe('(555) 555-0123')
  })
})

describe('recipients', () => {
  it('are taken as fast as they are typed', () => {
    open()
    for (const value of ['5', '55', '555', '5555', '(555) 51']) fireEvent.change(numberField(), { target: { value } })
    expect(numberField().value).toBe('(555) 51')
  })

  it('are added by Enter while there is no document, and by comma', async () => {
    const { user, world } = open()
    await user.type(numberField(), '5555550123{Enter}+442079460958,')
    expect(recipients()).toEqual(['(555) 555-0123', '+44 207 946 0958'])
    expect(numberField().value).toBe('')
    expect(world.jobs).toHaveLength(0)
  })

  it('are added by pasting a list; what is no number stays to be corrected', async () => {
    const { user } = open()
    await user.click(numberField())
    await user.paste('555-555-0123\n(555) 555 0100; 123')
    expect(recipients()).toEqual(['(555) 555-0123', '(555) 555-0100'])
    expect(numberField().value).toBe('123')
    screen.getByText('Please enter a valid phone number')
  })

  it('are taken back by Backspace and removed by their button', async () => {
    const { user } = open()
    await user.type(numberField(), '5555550123,5555550100,{Backspace}')
    expect(numberField().value).toBe('(555) 555-0100')
    await user.click(screen.getByRole('button', { name: 'Remove (555) 555-0123' }))
    expect(screen.queryByRole('list', { name: 'Recipients' })).toBeNull()
  })

  it('are named as new where nobody faxed them before', async () => {
    const world = emptyWorld()
    addJob(world, '+15555550100')
    const { user } = open(world)
    await user.type(numberField(), '5555550100,5555550123,')
    const [known, fresh] = within(await screen.findByRole('list', { name: 'Recipients' })).getAllByRole('listitem')
    if (!known || !fresh) throw new Error('Two recipients were expected.')
    await within(fresh).findByText('First time')
    expect(within(known).queryByText('First time')).toBeNull()
    await user.type(numberField(), '5555550100')
    await screen.findByText('Dials +1 555 555 0100. Faxed once before, never delivered.')
  })

  it('that were given as the document are asked about, and become recipients with their names', async () => {
    const { user } = renderScreen(<SendScreen />, { world: emptyWorld(), at })
    const csv = new File(['fax,name\n+15555550123,Dr. Kim\n+15555550124,Dr. Lee\n'], 'practices.csv')
    fireEvent.paste(document.body, { clipboardData: { files: [csv] } })
    const question = await screen.findByRole('dialog', { name: 'This looks like a list of recipients' })
    await user.click(within(question).getByRole('button', { name: 'Use as recipients' }))
    const columns = within(await screen.findByRole('dialog', { name: 'Which column holds what?' }))
    await user.click(columns.getByRole('button', { name: 'Use 2 numbers' }))
    await screen.findByText('2 numbers, names: 2 of 2')
    expect(screen.queryByText('practices.csv')).toBeNull()
  })

  it('each get the fax, by the keyboard alone', async () => {
    const { user, world, attach } = open()
    await attach(letter())
    await user.type(numberField(), '5555550123,5555550100{Enter}')
    await screen.findByText('2 faxes accepted')
    expect(world.jobs.map(({ to }) => to)).toEqual(['5555550100', '5555550123'])
  })
})

describe('what is not right', () => {
  it('is named beside its field before sending', async () => {
    const { user, world } = open()
    await user.click(sendButton())
    screen.getByText('Please enter a valid phone number')
    screen.getByText('Please select a PDF or TXT file to send')
    expect(screen.getByText('Please fix the errors above before sending.').getAttribute('role')).toBe('alert')
    expect(document.activeElement).toBe(numberField())
    expect(world.jobs).toHaveLength(0)

    await user.type(numberField(), '5555550123')
    expect(screen.queryByText('Please enter a valid phone number')).toBeNull()
  })

  it.each([
    ['of no kind that can be faxed', new File(['PK\u0000\u0000'], 'scan.pdf'), /^Please select a PDF or TXT file/],
    ['empty', new File([], 'scan.pdf'), /^“scan\.pdf” is empty/],
    ['too large', new File([new Uint8Array(1024 * 1024 + 1)], 'scan.pdf'), /the limit is 1 MB/],
  ])('a file that is %s is refused at once', async (_, file, sentence) => {
    const world = emptyWorld()
    world.config.limits.max_file_size_mb = 1
    const { attach } = open(world)
    await attach(file)
    await screen.findByText(sentence)
    screen.getByLabelText('Document')
  })

  it('a document the gateway cannot fax says why and is not sent', async () => {
    const world = emptyWorld()
    const detail = 'The PDF is protected by a password.'
    const body = { detail, code: 'bad_document', request_id: 'r1' }
    world.failures.set('createPreview', { status: 422, statusText: 'Unprocessable Content', body })
    const { user, attach } = open(world)
    await user.type(numberField(), '5555550123')
    await attach(letter())
    await screen.findByText(detail)
    screen.getByText('Nothing to show. The document can’t be faxed as it is.')
    await user.click(sendButton())
    screen.getByText('Please fix the errors above before sending.')
    expect(world.jobs).toHaveLength(0)
  })

  it('a preview that fails for another reason does not keep the fax from being sent', async () => {
    const world = emptyWorld()
    world.failures.set('createPreview', 'offline')
    const { user, attach } = open(world)
    await user.type(numberField(), '5555550123')
    await attach(letter())
    await screen.findByText('Failed to prepare the preview')
    await user.click(sendButton())
    await waitFor(() => expect(world.jobs).toHaveLength(1))
  })
})

describe('black and white', () => {
  it('is chosen for the file, seen in the pages at once, and sent along', async () => {
    const { user, compose } = open()
    const shownPages: string[] = []
    const seen = watchSubmissions()
    const answer = globalThis.fetch
    vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
      if (address.includes('/pages/1?')) shownPages.push(new URLSearchParams(address.split('?')[1]).get('tones') ?? '')
      return answer(address, init)
    })
    await compose()
    const choice = screen.getByLabelText<HTMLSelectElement>('Black and white')
    expect(choice.value).toBe('auto')
    await user.selectOptions(choice, 'For a photograph')
    await waitFor(() => expect(shownPages.at(-1)).toBe('photo'))
    screen.getByText(/Takes longer to send/)
    await user.click(sendButton())
    await waitFor(() => expect(seen).toMatchObject([{ tones: 'photo' }]))
    await screen.findByLabelText('Document')
    expect(screen.queryByLabelText('Black and white')).toBeNull()
  })

  it('is no question for text', async () => {
    const { user, attach } = open()
    await attach(new File(['Dear colleague'], 'letter.txt'))
    await screen.findByText('letter.txt')
    expect(screen.queryByLabelText('Black and white')).toBeNull()
    await user.click(screen.getByRole('radio', { name: 'Typed text' }))
    expect(screen.queryByLabelText('Black and white')).toBeNull()
  })
})

describe('a file', () => {
  it('may be dropped anywhere on the page', async () => {
    open()
    fireEvent.dragOver(document.body, { dataTransfer: { types: ['Files'] } })
    fireEvent.drop(document.body, { dataTransfer: { types: ['Files'], files: [letter()] } })
    await screen.findByText('letter.pdf')
  })

  it('may be pasted, and replaces typed text', async () => {
    const { user } = open()
    await user.click(screen.getByRole('radio', { name: 'Typed text' }))
    fireEvent.paste(document.body, { clipboardData: { files: [letter()] } })
    await screen.findByText('letter.pdf')
  })

  it('comes alone', async () => {
    open()
    fireEvent.drop(document.body, { dataTransfer: { types: ['Files'], files: [letter(), letter()] } })
    await screen.findByText('One fax carries one document. Choose a single file.')
  })
})

describe('the pages', () => {
  it('open large, one after the other, by the arrow keys', async () => {
    const { user, compose } = open()
    await compose()
    const first = screen.getByRole('button', { name: 'Open Page 1 of 2' })
    await user.click(first)
    screen.getByRole('dialog', { name: 'Page 1 of 2' })
    await user.keyboard('{ArrowRight}')
    screen.getByRole('dialog', { name: 'Page 2 of 2' })
    await user.keyboard('{ArrowRight}{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(document.activeElement).toBe(first)
  })
})

describe('when the gateway refuses', () => {
  it('says so with the status and the reason, and a retry is the same fax', async () => {
    const world = emptyWorld()
    const { user, compose } = open(world)
    const detail = 'Phaxio is not set up. Add its API key under Settings.'
    const body = { detail, code: 'provider_not_configured', request_id: 'r1' }
    world.failures.set('submitFax', { status: 503, statusText: 'Service Unavailable', body })
    await compose()
    const seen = watchSubmissions()
    await user.click(sendButton())
    const notice = await screen.findByText('Failed to send fax')
    expect(notice.parentElement?.textContent).toContain(`${detail} (Send failed: 503)`)
    screen.getByText('Not sent to (555) 555-0123')
    screen.getByText('letter.pdf')

    world.failures.clear()
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    await screen.findByRole('region', { name: 'Sent' })
    expect(screen.queryByText('Failed to send fax')).toBeNull()
    expect(seen).toHaveLength(2)
    expect(seen[0]?.key).toMatch(/^[0-9a-f]{32}$/)
    expect(seen[1]?.key).toBe(seen[0]?.key)
  })

  it('keeps only those recipients whose fax was refused', async () => {
    const { user, world, attach } = open()
    await attach(letter())
    const seen = watchSubmissions((to) => to.endsWith('0100'))
    await user.type(numberField(), '5555550123,5555550100,')
    await user.click(screen.getByRole('button', { name: 'Send to 2 numbers' }))
    await screen.findByText('Not sent to (555) 555-0100')
    expect(recipients()).toEqual(['(555) 555-0100'])
    expect(world.jobs.map(({ to }) => to)).toEqual(['5555550123'])
    expect(new Set(seen.map(({ key }) => key)).size).toBe(2)
  })

  it('sends one fax however fast Send is pressed', async () => {
    const { user, world, compose } = open()
    await compose()
    const button = sendButton()
    await Promise.all([user.click(button), user.click(button), user.dblClick(button)])
    await screen.findByRole('region', { name: 'Sent' })
    expect(world.jobs).toHaveLength(1)
  })
})

describe('Clear', () => {
  it('asks first, and then forgets numbers and document', async () => {
    const { user, compose } = open()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Clear' }).disabled).toBe(true)
    await compose()
    await user.click(screen.getByRole('button', { name: 'Clear' }))
    await user.click(within(screen.getByRole('dialog', { name: 'Clear this fax?' })).getByText('Cancel'))
    screen.getByText('letter.pdf')

    await user.click(screen.getByRole('button', { name: 'Clear' }))
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Clear' }))
    expect(numberField().value).toBe('')
    expect(screen.queryByText('letter.pdf')).toBeNull()
    expect(document.activeElement).toBe(numberField())
  })
})

describe('the document of an earlier fax', () => {
  it('stands ready for another number, which is the only thing left to enter', async () => {
    const world = emptyWorld()
    const { job } = addJob(world, '+15555550102', { file_name: 'referral.txt' }, world.now() - 60_000)
    renderScreen(<SendScreen />, { world, at: { ...at, open: job.id } })
    await screen.findByText('referral.pdf')
    expect(history.state).toEqual(at)
    expect(numberField().value).toBe('')
  })

  it('has its cover page made anew, and asks whom it is for', async () => {
    const world = emptyWorld()
    const { job } = addJob(world, '+15555550102', { cover: 'formal' }, world.now() - 60_000)
    const { user } = renderScreen(<SendScreen />, { world, at: { ...at, open: job.id } })
    const question = await screen.findByText(/^The cover page is made anew/)
    expect(screen.getByLabelText<HTMLInputElement>('From').value).toBe('Front desk')
    const name = screen.getByLabelText<HTMLInputElement>('For')
    expect(name.value).toBe('')
    await user.type(name, 'Dr. Kim')
    expect(question.isConnected).toBe(false)
  })

  it('can be fetched again when that fails', async () => {
    const world = emptyWorld()
    const { job } = addJob(world, '+15555550102', {}, world.now() - 60_000)
    world.failures.set('getJobOriginal', { status: 503, statusText: 'Service Unavailable' })
    const { user } = renderScreen(<SendScreen />, { world, at: { ...at, open: job.id } })
    const retry = await screen.findByRole('button', { name: 'Retry' })
    world.failures.clear()
    await user.click(retry)
    await screen.findByText('letter.pdf')
  })
})
