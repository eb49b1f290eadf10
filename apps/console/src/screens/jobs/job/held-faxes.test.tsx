import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { addJob } from '../../../demo/faxes/fake-jobs.ts'
import { emptyWorld, instantOf } from '../../../demo/world.ts'
import { addHeldJob } from '../../../demo/faxes/fake-held.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { JobsScreen } from '../jobs.tsx'

const show = (world: ReturnType<typeof emptyWorld>, open?: string) =>
  renderScreen(<JobsScreen />, { world, at: { place: 'jobs', ...(open && { open }) } })
const listed = (world: ReturnType<typeof emptyWorld>) =>
  [{ provider: 'Phaxio', at: instantOf(world.now() - 60_000), state: 'delivered' }] as const

describe('faxes that are held after a restore', () => {
  it('are what the way from the dashboard shows, with what the provider lists, and are released together', async () => {
    const world = emptyWorld()
    addJob(world, '+15555550199')
    const { job: sent } = addHeldJob(world, '+15555550123', [...listed(world)])
    const { job: unsent } = addHeldJob(world, '+15555550124')
    const { user } = show(world, 'held')
    await screen.findByText('2 faxes')
    screen.getByText(/^These faxes were waiting or in progress when the backup was made/)
    screen.getByTitle(/^Phaxio lists a fax to this number (at|on) .*: delivered\.$/)
    screen.getByTitle('The provider lists no other fax to this number.')
    expect(screen.getAllByText('Held')).toHaveLength(2)
    await user.click(screen.getByRole('checkbox', { name: /all/i }))
    await user.click(screen.getByRole('button', { name: 'Release (2)' }))
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Release' }))
    await waitFor(() => expect([sent.held, unsent.held]).toEqual([null, null]))
    expect(world.events.filter(({ event }) => event === 'job_released')).toHaveLength(2)
  })

  it('say why in their details, and go out only after a second thought', async () => {
    const world = emptyWorld()
    const { job } = addHeldJob(world, '+15555550123', [...listed(world)])
    const { user } = show(world, job.id)
    const pane = await screen.findByRole('dialog', { name: `Fax ${job.id.slice(0, 8)}` })
    const why = await within(pane).findByRole('region', { name: 'Why this fax is held' })
    expect(why.textContent).toMatch(/Backup made: .*Restored: /)
    within(why).getByText(/^Phaxio lists a fax to this number .*: delivered\.$/)
    await user.click(within(pane).getByRole('button', { name: 'Release' }))
    const question = await screen.findByRole('dialog', { name: 'Release this fax?' })
    expect(job.held).not.toBeNull()
    await user.click(within(question).getByRole('button', { name: 'Release' }))
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Release this fax?' })).toBeNull())
    expect(job.held).toBeNull()
    expect(within(pane).queryByRole('region', { name: 'Why this fax is held' })).toBeNull()
  })
})
