import * as modules from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

const { env } = process
// Compiled code is kept between runs; Node 20 cannot.
const cache = cacheFolder()
if (cache !== undefined) modules.enableCompileCache?.(join(cache, 'faxdeck'))
const { runCommandLine } = await import('../../apps/cli/src/command-line.ts')
process.exitCode = await runCommandLine(process.argv.slice(2), env)

/** Undefined for a user without a home, as in a container: nowhere else is a place that only they can write. */
function cacheFolder() {
  try {
    return env.XDG_CACHE_HOME ?? join(homedir(), '.cache')
  } catch {
    return undefined
  }
}
