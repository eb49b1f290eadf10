#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

const { env } = process
// Compiled code is kept between runs, before anything else is read: a command then starts in a third of the time.
enableCompileCache(join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'faxdeck'))
const { runCommandLine } = await import('./command-line.ts')
process.exitCode = await runCommandLine(process.argv.slice(2), env)
