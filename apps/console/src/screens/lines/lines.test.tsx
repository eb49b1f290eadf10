import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { addJob } from '../../demo/faxes/fake-jobs.ts'
import { catchUp } from '../../demo/lines/fake-line.ts'
import { emptyWorld } from '../../demo/world.ts'
import { addLines } from '../../demo/lines/busy-lines.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { LinesScreen } from './lines.tsx'

function busyWorld() {
  const world = emptyWorld()
  const { job } = addJob(world, '+15555550100', { pages: 3 })
  world.pass(10)
  catchUp(world)
  addLines(world, job.id)
  return { world, job }
}
const show = (world = busyWorld().world) => renderScreen(<LinesScreen />, { world, at: { place: 'tools/lines' } })

describe('the lines', () => {
  it('say what they are for while no call has been made', async () => {
    show(emptyWorld())
    await screen.findByText('No calls yet')
  })

  it('show the calls that are up with how far they have come', async () => {
    show()
    const calls = within(await screen.findByRole('list', { name: 'Calls now' }))
    calls.getByText(/Sending page 2 of 3 at 9,600 bit\/s/)
    calls.getByText(/Negotiating/)
    expect(calls.getAllByRole('button', { name: 'Hang up' })).toHaveLength(1)
  })

  it('hang up a call only when a person who knows what is lost wants it', async () => {
    const { world, job } = busyWorld()
    const { user } = show(world)
    await user.click(await screen.findByRole('button', { name: 'Hang up' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Hang up this call?' }))
    dialog.getByText('Page 1 has arrived. All or part of the page being sent may still print.')
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    expect(job.status).toBe('in_progress')
    await user.click(await screen.findByRole('button', { name: 'Hang up' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Hang up' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(job.status).toBe('FAILED')
  })

  it('do not claim that nothing was sent in a call that another process began', async () => {
    const { world, job } = busyWorld()
    world.lines.lines.channels = world.lines.lines.channels.map((channel) =>
      channel.job_id === job.id ? { ...channel, phase: 'unknown', page: null, speed: null } : channel,
    )
    const { user } = show(world)
    await screen.findByText(/In progress/)
    await user.click(screen.getByRole('button', { name: 'Hang up' }))
    within(await screen.findByRole('dialog')).getByText(/Pages may already have been printed\./)
  })

  it('put the numbers with trouble first, and say why', async () => {
    show()
    await screen.findByText('2 numbers have problems.', { exact: false })
    const rows = within(await screen.findByRole('table', { name: 'Calls by number' })).getAllByRole('row')
    expect(rows[1]?.textContent).toContain('5 of 9 calls were cut off.')
    expect(rows[2]?.textContent).toContain('14 of 21 calls slowed down, to 4,800 bit/s at worst.')
  })

  it('show the first of many numbers, and all of them when asked', async () => {
    const { world } = busyWorld()
    const [row] = world.lines.report.numbers
    if (!row) throw new Error('The made-up report has no numbers.')
    world.lines.report.numbers = Array.from({ length: 40 }, (_, at) => ({ ...row, number: `********${1000 + at}` }))
    const { user } = show(world)
    const table = await screen.findByRole('table', { name: 'Calls by number' })
    expect(within(table).getAllByRole('row')).toHaveLength(11)
    await user.click(screen.getByRole('button', { name: 'Show all 40 numbers' }))
    expect(within(screen.getByRole('table', { name: 'Calls by number' })).getAllByRole('row')).toHaveLength(41)
  })

  it('say how many lines would be enough, and what that rests on', async () => {
    show()
    const use = within(await screen.findByLabelText('Asterisk (SIP)'))
    expect(use.getByText('Lines needed').nextSibling?.textContent).toBe('10')
    use.getByText(/Erlang B.*4\.5 lines were busy on average/)
  })

  it('forget a number, and all of them after a question', async () => {
    const { user } = show()
    await user.click(await screen.findByRole('button', { name: 'Forget the number ending in 0152' }))
    await waitFor(() => expect(screen.queryByText('Audio, 9,600 bit/s, with error correction')).toBeNull())
    await user.click(screen.getByRole('button', { name: 'Forget all' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Forget all' }))
    await screen.findByText('No remembered numbers.')
  })
})
