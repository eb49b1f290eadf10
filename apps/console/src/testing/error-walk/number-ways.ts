import { screen } from '@testing-library/react'
import { addJob } from '../../demo/faxes/fake-jobs.ts'
import { receivedFax } from '../../demo/lines/fake-line.ts'
import type { World } from '../../demo/world.ts'
import type { Way } from './steps.ts'

const steps = ['Show number ending in 0123']
/** A line that goes by itself. */
const shows = (why: string) => screen.getByText((text) => text.includes(why.replace(/[.].*/, '')))

function received(world: World): string {
  const fax = receivedFax(world, {})
  world.inbound.unshift(fax)
  return fax.id
}

/** The numbers of faxes in full. */
export const numberWays = {
  showJobNumber: { place: 'jobs', world: (world) => addJob(world, '+15555550123').job.id, steps, shows },
  showInboundNumbers: { place: 'inbound', world: received, steps, shows },
} satisfies Record<string, Way>
