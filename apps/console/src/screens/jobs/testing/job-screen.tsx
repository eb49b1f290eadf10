import { screen } from '@testing-library/react'
import { addJob } from '../../../demo/faxes/fake-jobs.ts'
import { emptyWorld, type World } from '../../../demo/world.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { JobsScreen } from '../jobs.tsx'

/** Where a person is in Jobs, with one fax open. */
export const at = (open?: string) => ({ place: 'jobs', ...(open && { open }) })
export const show = (world: World, open?: string) => renderScreen(<JobsScreen />, { world, at: at(open) })
export const details = (id: string) => screen.findByRole('dialog', { name: `Fax ${id.slice(0, 8)}` })
export const press = async (user: ReturnType<typeof show>['user'], name: string) =>
  user.click(await screen.findByRole('button', { name }))

/** A world with one fax to `to` that was sent an hour ago. */
export function worldWith(to: string, minutesAgo = 60) {
  const world = emptyWorld()
  const { job } = addJob(world, to, { pages: 2, file_name: 'letter.pdf' }, world.now() - minutesAgo * 60_000)
  return { world, job }
}
