import { act, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { addJob } from '../../demo/faxes/fake-jobs.ts'
import { arrive, receivedFax } from '../../demo/lines/fake-line.ts'
import { addPerson } from '../../demo/people/fake-people.ts'
import { emptyWorld } from '../../demo/world.ts'
import { noteSignedIn } from '../../api/signed-in.ts'
import { renderConsole } from '../../testing/render-console.tsx'
import { OpenedNote } from './opened-note.tsx'

const unknown = '0123456789abcdef0123456789abcdef'
const reason = 'Emergency admission'

/** The console of somebody who sees neither of two faxes of another group. */
async function inside(role: 'member' | 'sender', minutes = 10) {
  const world = emptyWorld()
  world.config.break_glass_minutes = minutes
  world.signedIn = addPerson(world, { name: 'Mia', role }).id
  const { job } = addJob(world, '+15555550123', { file_name: 'letter.pdf', pages: 1 })
  const fax = receivedFax(world, { is_test: true })
  arrive(world, fax)
  world.foreign.add(job.id).add(fax.id)
  noteSignedIn()
  const shown = renderConsole({ world })
  await screen.findByRole('navigation', { name: 'Main' })
  /** Pastes an id into the palette. */
  const goTo = async (id: string) => {
    await shown.user.keyboard('{Control>}k{/Control}')
    await shown.user.click(screen.getByRole('combobox', { name: /fax$/ }))
    await shown.user.paste(` ${id.toUpperCase()} `)
    await shown.user.click(await screen.findByRole('option', { name: /Fax ID$/ }))
    return within(await screen.findByRole('dialog', { name: `Fax ${id.slice(0, 8)}` }))
  }
  return { ...shown, world, job, fax, goTo }
}

const typeReason = async (user: Awaited<ReturnType<typeof inside>>['user'], text: string) => {
  const dialog = within(await screen.findByRole('dialog', { name: /with a reason$/ }))
  await user.type(dialog.getByLabelText('Reason'), text)
  return dialog
}

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  history.replaceState(null, '', location.pathname)
})
afterEach(() => vi.useRealTimers())

describe('a fax of another group', () => {
  it('is opened with a reason, and says until when and who opened it', async () => {
    const { user, job, world, goTo } = await inside('member')
    const details = await goTo(job.id)
    await user.click(await details.findByRole('button', { name: 'Open with a reason…' }))
    const dialog = await typeReason(user, 'ab')
    const open = dialog.getByRole('button', { name: 'Open fax' })
    expect(open).toHaveProperty('disabled', true)
    await user.type(dialog.getByLabelText('Reason'), '{Backspace}{Backspace}Emergency admission{Enter}')
    await details.findByText(/^Opened with a reason until \d\d:\d\d\. This access is recorded\.$/)
    const openings = within(details.getByRole('region', { name: 'Opened with a reason' }))
    openings.getByText(`Mia: ${reason}`)
    // The line goes on meanwhile, and its events too.
    const opened = world.events.filter(({ event }) => event === 'fax_opened_with_reason')
    expect(opened).toMatchObject([{ job_id: job.id, reason }])
  })

  it('opens in the inbox when it was received, where nobody marks it as read', async () => {
    const { user, fax, world, goTo } = await inside('member')
    const details = await goTo(fax.id)
    await user.click(await details.findByRole('button', { name: 'Open with a reason…' }))
    await typeReason(user, `${reason}{Enter}`)
    await screen.findByText(/^Opened with a reason until/)
    await screen.findByRole('heading', { name: 'Inbox', level: 1 })
    screen.getByText(`Mia: ${reason}`)
    expect(screen.queryByRole('button', { name: 'Mark as unread' })).toBeNull()
    expect(world.inbound[0]?.read_at).toBeNull()
  })

  it('is found by its number once a reason is given, and opened with that reason', async () => {
    const { user, job, world } = await inside('member')
    await user.keyboard('{Control>}k{/Control}')
    await user.type(screen.getByRole('combobox', { name: /fax$/ }), 'emergency')
    await user.click(await screen.findByRole('option', { name: /^Find a fax with a reason/ }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Find a fax with a reason' }))
    await user.type(dialog.getByLabelText('Number'), '+15555550123')
    expect(dialog.getByRole('button', { name: 'Search' })).toHaveProperty('disabled', true)
    await user.type(dialog.getByLabelText('Reason'), reason)
    await user.click(dialog.getByRole('button', { name: 'Search' }))
    const found = within(await dialog.findByRole('region', { name: 'Found faxes' }))
    found.getByText(/^Sent to …0123/)
    await user.click(found.getByRole('button', { name: `Open fax ${job.id.slice(0, 8)}` }))
    await screen.findByText(/^Opened with a reason until/)
    const events = world.events.filter(({ reason: given }) => given === reason).map(({ event }) => event)
    expect(events).toEqual(['fax_search_with_reason', 'fax_opened_with_reason'])
  })

  it('can be opened without a reload when emergency access was turned on meanwhile', async () => {
    const { job, world, goTo } = await inside('member', 0)
    world.config = { ...world.config, break_glass_minutes: 10 }
    const details = await goTo(job.id)
    await details.findByRole('button', { name: 'Open with a reason…' })
  })

  it('is not told from one that does not exist until somebody tries', async () => {
    const { user, job, goTo } = await inside('member')
    const wordsOf = (id: string) =>
      screen.getByRole('dialog', { name: `Fax ${id.slice(0, 8)}` }).textContent.replaceAll(id.slice(0, 8), 'ID')
    const foreign = await goTo(job.id)
    await foreign.findByRole('button', { name: 'Open with a reason…' })
    const words = wordsOf(job.id)
    await user.click(foreign.getAllByRole('button', { name: 'Close' })[0] as HTMLElement)
    const missing = await goTo(unknown)
    await user.click(await missing.findByRole('button', { name: 'Open with a reason…' }))
    const dialog = await typeReason(user, `${reason}{Enter}`)
    await dialog.findByText(/There is no fax with this id/)
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(wordsOf(unknown)).toBe(words))
  })

  it('is not offered while emergency access is off, nor to a role without it', async () => {
    for (const [role, minutes] of [
      ['member', 0],
      ['sender', 10],
    ] as const) {
      const { job, goTo, unmount } = await inside(role, minutes)
      const details = await goTo(job.id)
      await details.findByText(/There is no fax with this id/)
      expect(screen.queryByRole('button', { name: 'Open with a reason…' })).toBeNull()
      unmount()
      history.replaceState(null, '', location.pathname)
    }
  })

  it('is asked for again when its time is over', () => {
    vi.useFakeTimers()
    const onOver = vi.fn()
    render(<OpenedNote until={new Date(Date.now() + 60_000).toISOString()} onOver={onOver} />)
    act(() => void vi.advanceTimersByTime(59_000))
    expect(onOver).not.toHaveBeenCalled()
    act(() => void vi.advanceTimersByTime(5_000))
    expect(onOver).toHaveBeenCalledOnce()
  })
})
