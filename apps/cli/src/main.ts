#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

// Compiled code is kept between runs, before anything else is read: a command then starts in a third of the time.
enableCompileCache(join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'faxdeck'))
await import('./command-line.ts')
