import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { addBroadcast } from '../../demo/faxes/fake-broadcasts.ts'
import { catchUp } from '../../demo/lines/fake-line.ts'
import { emptyWorld } from '../../demo/world.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { BroadcastsScreen } from './broadcasts.tsx'

const number = (n: number) => `+1555555${String(2000 + n)}`
const numbers = (count: number) => Array.from({ length: count }, (_, n) => number(n))

describe('the Broadcasts screen', () => {
  it('says what it is for while there is none', async () => {
    const { user } = renderScreen(<BroadcastsScreen />, { at: { place: 'broadcasts' } })
    await screen.findByText('No broadcasts yet')
    await user.click(screen.getByRole('button', { name: 'Send a fax' }))
    expect(history.state).toMatchObject({ place: 'send' })
  })

  it('leads from the list to one of them, whose recipients have their states and are filtered by outcome', async () => {
    const world = emptyWorld()
    const { made } = addBroadcast(world, [...numbers(3), '+15555550102'])
    world.pass(60)
    catchUp(world)
    const { user } = renderScreen(<BroadcastsScreen />, { world, at: { place: 'broadcasts' } })
    await user.click(await screen.findByRole('button', { name: /letter.pdf/ }))
    await screen.findByText('3 of 4 faxes were tested but not sent.')
    const bar = screen.getByRole('progressbar', { name: 'Progress' })
    expect(bar.getAttribute('aria-valuenow')).toBe('4')
    const counts = screen.getByRole('list', { name: 'Faxes by outcome' })
    await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(5))
    screen.getByRole('row', { name: /0102.*Failed.*Wrong number/ })
    await user.click(within(counts).getByRole('button', { name: '1 Failed' }))
    await screen.findByRole('heading', { name: 'Recipients: Failed' })
    await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(2))
    expect(document.body.textContent).not.toContain('+15555550102')
    await user.click(screen.getByRole('button', { name: 'Show in Jobs' }))
    expect(history.state).toMatchObject({ place: 'jobs', open: `list?broadcast=${made.id}&outcome=failed` })
  })

  it('fills its bar only with faxes that have ended', async () => {
    const world = emptyWorld()
    world.pace = 1000
    const { made } = addBroadcast(world, numbers(5))
    for (const { job } of world.jobs) job.status = 'in_progress'
    renderScreen(<BroadcastsScreen />, { world, at: { place: 'broadcasts', open: made.id } })
    const bar = await screen.findByRole('progressbar', { name: 'Progress' })
    expect(bar.getAttribute('aria-valuenow')).toBe('0')
    expect(bar.querySelectorAll('[data-tone]')).toHaveLength(0)
  })

  it('pauses, resumes and cancels, and asks before it cancels', async () => {
    const world = emptyWorld()
    world.pace = 1000
    const { made } = addBroadcast(world, numbers(5))
    const { user } = renderScreen(<BroadcastsScreen />, { world, at: { place: 'broadcasts', open: made.id } })
    await user.click(await screen.findByRole('button', { name: 'Pause' }))
    await screen.findByText(/nothing new is sent until you resume/)
    await user.click(screen.getByRole('button', { name: 'Resume' }))
    await user.click(await screen.findByRole('button', { name: 'Cancel the rest' }))
    const question = screen.getByRole('dialog', { name: 'Cancel the rest of this broadcast?' })
    await user.click(within(question).getByRole('button', { name: 'Cancel the rest' }))
    await screen.findByText('None were delivered.')
    expect(world.jobs.every(({ job }) => job.error_kind === 'cancelled')).toBe(true)
  })

  it('sends the failed faxes again once, as another broadcast', async () => {
    const world = emptyWorld()
    const { made } = addBroadcast(world, [...numbers(2), '+15555550101'])
    world.pass(60)
    catchUp(world)
    const { user } = renderScreen(<BroadcastsScreen />, { world, at: { place: 'broadcasts', open: made.id } })
    await user.click(await screen.findByRole('button', { name: 'Send 1 failed fax again' }))
    await waitFor(() => expect(world.broadcasts).toHaveLength(2))
    await user.click(await screen.findByRole('button', { name: 'Earlier broadcast' }))
    await screen.findByText(/2 of 3 faxes/)
    expect(screen.queryByRole('button', { name: /failed fax/ })).toBeNull()
  })

  it('asks before it calls a number that is not in service again', async () => {
    const world = emptyWorld()
    const { made } = addBroadcast(world, ['+15555550101', '+15555550102'])
    world.pass(60)
    catchUp(world)
    const { user } = renderScreen(<BroadcastsScreen />, { world, at: { place: 'broadcasts', open: made.id } })
    await screen.findByRole('button', { name: 'Send 1 failed fax again' })
    await user.click(await screen.findByRole('button', { name: 'Send all 2 failed faxes again…' }))
    const question = screen.getByRole('dialog', { name: 'Call a wrong number again?' })
    expect(world.broadcasts).toHaveLength(1)
    await user.click(within(question).getByRole('button', { name: 'Send again' }))
    await waitFor(() => expect(world.broadcasts[0]?.made.faxes).toBe(2))
  })
})
