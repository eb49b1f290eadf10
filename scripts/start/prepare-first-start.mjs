import { runScript } from '../problem.mjs'
import { writeFirstEnvironment } from './first-environment.mjs'

// A program of its own: it asks the providers, whose sources only the Node of the gateway can read.
await runScript(async () => {
  writeFirstEnvironment(process.argv[2], process.env)
  return 0
})
