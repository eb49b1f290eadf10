import { screen } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { addJob } from '../../demo/faxes/fake-jobs.ts'
import { catchUp } from '../../demo/lines/fake-line.ts'
import type { World } from '../../demo/world.ts'
import { readNoFurther } from '../read-no-further.ts'

/** A world with more delivered faxes than a page of the list has, of which only one page is read. */
export function manyJobs(world: World): undefined {
  readNoFurther()
  for (let n = 0; n < 120; n++) addJob(world, '+15555550123', {}, world.now() - 60_000 - n)
  catchUp(world)
}

// By role it would take a second among so many rows.
export const selectAll = async (user: UserEvent) => user.click(await screen.findByLabelText('Select all'))

export const matching = async (user: UserEvent) => user.click(await screen.findByText(/^Select all .* that match$/))
