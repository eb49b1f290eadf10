import { screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { emptyWorld } from '../../../demo/world.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { SendScreen } from '../send.tsx'

const at = { place: 'send' }
const scan = (name = 'scan.pdf') => new File(['%PDF-1.7\n'], name, { type: 'application/pdf' })

async function openSplit(file = scan()) {
  const shown = renderScreen(<SendScreen />, { world: emptyWorld(), at })
  await shown.user.upload(screen.getByLabelText('Document'), file)
  await shown.user.click(await screen.findByLabelText('Split at separator sheets'))
  return shown
}

/** The keys of the calls that split, of which the first `failures` are refused. */
function watchSplits(failures: number) {
  const keys: (string | null)[] = []
  const answer = globalThis.fetch
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    if (address !== '/fax/split') return answer(address, init)
    keys.push(new Headers(init.headers).get('idempotency-key'))
    return keys.length <= failures
      ? new Response('', { status: 503, statusText: 'Unavailable' })
      : answer(address, init)
  })
  return keys
}

describe('a scan with separator sheets', () => {
  it('asks for no number, shows to which number each page goes, and is sent as these faxes', async () => {
    const { user, world } = await openSplit()
    expect(screen.queryByLabelText('Destination number')).toBeNull()
    const plan = await screen.findByRole('region', { name: 'Faxes of this scan' })
    const items = within(plan).getAllByRole('listitem')
    expect(items.map(({ textContent }) => textContent)).toEqual([
      '+1 555 555 0123Ann Miller, resultsPages 2 to 3',
      '+1 555 555 0188Page 5',
    ])
    await user.click(screen.getByRole('button', { name: 'Send 2 faxes' }))
    const sent = await screen.findByRole('region', { name: 'Sent' })
    expect(within(sent).getAllByRole('listitem')).toHaveLength(2)
    expect(world.jobs.map(({ job }) => job.file_name).toSorted()).toEqual(['Ann Miller, results.pdf', 'scan.pdf'])
    await screen.findByText('2 faxes accepted')
    screen.getByLabelText('Document')
  })

  it('is not sent when it is not sure to which number every page goes, and says why', async () => {
    const { user, world } = await openSplit(scan('no sheet.pdf'))
    await screen.findByText(/There is no separator sheet in this document/)
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send' }).disabled).toBe(true)
    expect(world.jobs).toHaveLength(0)
    await user.click(screen.getByLabelText('Split at separator sheets'))
    screen.getByLabelText('Destination number')
  })

  it('keeps its key when its answer was lost, so that trying again sends nothing twice', async () => {
    const { user } = await openSplit()
    const keys = watchSplits(1)
    await user.click(await screen.findByRole('button', { name: 'Send 2 faxes' }))
    await user.click(await screen.findByRole('button', { name: 'Retry' }))
    await screen.findByRole('region', { name: 'Sent' })
    expect(keys).toHaveLength(2)
    expect(keys[0]).toBe(keys[1])
  })
})

describe('a separator sheet', () => {
  it('is downloaded for a number that can be dialed', async () => {
    const { user } = renderScreen(<SendScreen />, { world: emptyWorld(), at })
    await user.click(screen.getByRole('button', { name: 'Print a separator sheet' }))
    const dialog = await screen.findByRole('dialog')
    const saved = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:sheet')
    await user.type(within(dialog).getByLabelText('Fax number'), '123')
    await user.click(within(dialog).getByRole('button', { name: 'Download PDF' }))
    within(dialog).getByText('Please enter a valid phone number')
    expect(saved).not.toHaveBeenCalled()
    await user.type(within(dialog).getByLabelText('Fax number'), '5555550')
    await user.click(within(dialog).getByRole('button', { name: 'Download PDF' }))
    await vi.waitFor(() => expect(saved).toHaveBeenCalledOnce())
  })
})
