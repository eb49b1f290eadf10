import { addJob } from '../../demo/faxes/fake-jobs.ts'
import { addPrices } from '../../demo/records/fake-reports.ts'
import type { World } from '../../demo/world.ts'
import { enter, open, type Way } from './steps.ts'

const place = 'tools/reports'
const withFax = (world: World) => {
  addJob(world, '+15555550123')
  return undefined
}
const withPrices = (world: World) => {
  addPrices(world)
  return undefined
}

/** The calls about reports. */
export const reportWays = {
  getReport: { place },
  exportReport: { place, world: withFax, steps: ['Download CSV'] },
  listPrices: { place },
  savePrice: { place, steps: ['Add price', enter('Per page', '0.07'), 'Save price'] },
  removePrice: { place, world: withPrices, steps: [open(/^Remove the price .*2025$/), 'Remove price'] },
} satisfies Record<string, Way>
