import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Order, Outcome } from './submit-load.ts'

const program = fileURLToPath(new URL('./submit-load.ts', import.meta.url))

/**
 * Has a process of its own submit faxes.
 * @throws {Error} when a submission is refused
 */
export function runLoad(order: Order): Promise<Outcome> {
  const child = fork(program)
  child.send(order)
  return new Promise((resolve, reject) => {
    child.once('message', (outcome) => resolve(outcome as Outcome))
    child.once('error', reject)
    child.once('exit', (code) => {
      if (code !== 0) reject(new Error('The load could not be carried out (see above).'))
    })
  })
}
