#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type * as CommandLine from './command-line.ts'

const { env } = process
// Compiled code is kept between runs, before anything else is read: a command then starts in a third of the time.
const cache = cacheFolder()
if (cache !== undefined) enableCompileCache(join(cache, 'faxdeck'))
const root = fileURLToPath(new URL('../../..', import.meta.url))
const { commandLineBundle, isBuilt } = await import('../../../scripts/setup/builds.mjs')
const from = isBuilt(root, commandLineBundle) ? '../dist/command-line.js' : './command-line.ts'
const { runCommandLine } = (await import(from)) as typeof CommandLine
process.exitCode = await runCommandLine(process.argv.slice(2), env)

/** Undefined for a user without a home, as in a container: nowhere else is a place that only they can write. */
function cacheFolder(): string | undefined {
  try {
    return env.XDG_CACHE_HOME ?? join(homedir(), '.cache')
  } catch {
    return undefined
  }
}
