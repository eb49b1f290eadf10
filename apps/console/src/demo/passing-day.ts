import { receive, send } from './clinic.ts'
import type { World } from './world.ts'

type Happening = (world: World) => void

/** What other people do, in turn: mostly it goes well. */
const today: readonly Happening[] = [
  (world) => void send(world, { from: 'Mei Tanaka', to: 3, paper: 0 }),
  (world) => void receive(world, 0, 5),
  (world) => void send(world, { from: 'Ruth Alvarez', to: 1, paper: 2, pages: 1 }),
  (world) => void send(world, { from: 'Jordan Okafor', to: 6, paper: 1, pages: 4, like: '0101' }),
  (world) => void receive(world, 4, 4),
  (world) => void send(world, { from: 'Jordan Okafor', to: 2, paper: 3, pages: 6 }),
  (world) => void send(world, { from: 'Mei Tanaka', to: 4, paper: 4, pages: 3, like: '0104' }),
  (world) => void receive(world, 7, 1),
  (world) => void send(world, { from: 'Ruth Alvarez', to: 5, paper: 0 }),
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
    today[count % today.length]?.(world)
    count += 1
  }, between)
  return () => clearInterval(timer)
}
