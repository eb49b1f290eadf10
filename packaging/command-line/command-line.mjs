import * as modules from 'node:module'
import { cacheFolder } from '../../scripts/setup/cache-folder.mjs'

const { env } = process
// Compiled code is kept between runs; Node 20 cannot.
const cache = cacheFolder(env)
if (cache !== undefined) modules.enableCompileCache?.(cache)
const { runCommandLine } = await import('../../apps/cli/src/command-line.ts')
process.exitCode = await runCommandLine(process.argv.slice(2), env)
