/** A process that restores, and is killed before its n-th step: `node restore-and-die.ts <backup> <data directory> <n>`. */
import { restore } from '../restore.ts'

const [source = '', directory = '', last = ''] = process.argv.slice(2)
let steps = 0
await restore({
  source,
  directory,
  now: () => new Date(),
  onProgress: () => undefined,
  onStep: (step) => {
    process.stdout.write(`${step}\n`)
    steps += 1
    if (steps === Number(last)) process.kill(process.pid, 'SIGKILL')
  },
})
