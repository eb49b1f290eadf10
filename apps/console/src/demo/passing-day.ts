import { arrive, receivedFax } from './lines/fake-line.ts'
import { addJob } from './faxes/fake-jobs.ts'
import type { World } from './world.ts'

type Happening = (world: World) => void

const send =
  (ending: string, pages: number, file_name: string): Happening =>
  (world) =>
    void addJob(world, `+1555555${ending}`, { pages, file_name })
const receive =
  (ending: string, pages: number): Happening =>
  (world) =>
    arrive(world, receivedFax(world, { fr: `********${ending}`, pages }))

/** What other people do, in turn: mostly it goes well. */
const day: readonly Happening[] = [
  send('2417', 2, 'referral-letter.pdf'),
  receive('7742', 3),
  send('3380', 1, 'prescription.txt'),
  send('0101', 4, 'lab-results.pdf'),
  receive('1198', 1),
  send('5526', 6, 'discharge-summary.pdf'),
  send('0104', 3, 'insurance-form.pdf'),
  receive('6604', 2),
  send('0100', 1, 'appointment.pdf'),
  send('8071', 2, 'referral-letter.pdf'),
]

/** Milliseconds between two things that other people do. */
const between = 9_000

/**
 * Lets a day go on from now: others send, faxes arrive.
 * @returns a function that stops it
 */
export function passDay(world: World): () => void {
  let count = 0
  const timer = setInterval(() => {
    day[count % day.length]?.(world)
    count += 1
  }, between)
  return () => clearInterval(timer)
}
