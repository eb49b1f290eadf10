import * as modules from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

const { env } = process
// Compiled code is kept between runs; Node 20 cannot.
modules.enableCompileCache?.(join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'faxdeck'))
const { runCommandLine } = await import('../../apps/cli/src/command-line.ts')
process.exitCode = await runCommandLine(process.argv.slice(2), env)
