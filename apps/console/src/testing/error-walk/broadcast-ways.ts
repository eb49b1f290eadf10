import { addBroadcast } from '../../demo/faxes/fake-broadcasts.ts'
import { catchUp } from '../../demo/lines/fake-line.ts'
import type { World } from '../../demo/world.ts'
import { enter, upload, type Way } from './steps.ts'

const delivered = '+15555550123'
const broadcast =
  (numbers: readonly string[], { seconds = 0, paused = false } = {}) =>
  (world: World) => {
    const made = addBroadcast(world, numbers)
    made.paused = paused
    world.pass(seconds)
    catchUp(world)
    return made.made.id
  }
const elevenNumbers = Array.from({ length: 11 }, (_, n) => `+155555520${10 + n}`).join(', ')

/** The calls about broadcasts. */
export const broadcastWays = {
  createBroadcast: {
    place: 'send',
    steps: [upload, enter('Destination number', elevenNumbers), 'Send to 11 numbers', 'Send to 11 numbers'],
  },
  listBroadcasts: { place: 'broadcasts' },
  getBroadcast: { place: 'broadcasts', world: broadcast([delivered]) },
  exportBroadcast: { place: 'broadcasts', world: broadcast([delivered]), steps: ['Export CSV'] },
  pauseBroadcast: { place: 'broadcasts', world: broadcast([delivered]), steps: ['Pause'] },
  resumeBroadcast: { place: 'broadcasts', world: broadcast([delivered], { paused: true }), steps: ['Resume'] },
  cancelBroadcast: {
    place: 'broadcasts',
    world: broadcast([delivered]),
    steps: ['Cancel the rest', 'Cancel the rest'],
  },
  resendBroadcast: {
    place: 'broadcasts',
    world: broadcast(['+15555550101', delivered], { seconds: 60 }),
    steps: ['Send 1 failed fax again'],
  },
} satisfies Record<string, Way>
