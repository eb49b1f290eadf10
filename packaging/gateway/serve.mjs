import { resolve } from 'node:path'
import { runScript } from '../../scripts/problem.mjs'
import { writeFirstEnvironment } from '../../scripts/start/first-environment.mjs'

// What `npm start` does in a checkout that is built.
await runScript(async () => {
  writeFirstEnvironment(resolve(process.env.FAX_DATA_DIR || 'faxdata'), process.env)
  await import('../../apps/gateway/src/main.ts')
  return process.exitCode
})
