/** A process that changes the master key, and is killed at a step: `node rotate-and-die.ts <data directory> <step>`. */
import { rotateMasterKey } from '../rotate-master-key.ts'

const [directory = '', last = ''] = process.argv.slice(2)
await rotateMasterKey({
  directory,
  env: process.env,
  now: () => new Date(),
  onStep: (step) => {
    if (step === last) process.kill(process.pid, 'SIGKILL')
  },
})
