import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { command } from '../../command.ts'
import { exitCodes } from '../../exit-codes.ts'
import { Fault } from '../../fault.ts'

const here = fileURLToPath(new URL('../../../../..', import.meta.url))

/** The program that serves the demo of a checkout. @throws {Fault} saying what to run where there are no sources */
export function demoScript(root: string): string {
  const script = join(root, 'scripts/demo.mjs')
  if (existsSync(script) && existsSync(join(root, 'apps/console/vite.demo.config.ts'))) return script
  throw new Fault(
    'The demo is built from the sources of the console, which are not installed here. Get a checkout of Faxdeck, and run npm run demo in it.',
  )
}

export const demo = command({
  name: 'demo',
  summary: 'Show the console with sample data',
  about:
    'Builds the demo if needed, serves it on a free port of this machine and prints the address. It needs no gateway and no key, stores nothing and sends nothing.',
  examples: ['faxdeck demo'],
  async run() {
    // What it installs and builds is not this user's alone, unlike what the other commands write.
    process.umask(0o022)
    const child = spawn(process.execPath, [demoScript(here)], { stdio: 'inherit' })
    // A terminal signals both; a supervisor signals only this program.
    const pass = () => child.kill('SIGINT')
    const wait = () => undefined
    process.on('SIGINT', wait).on('SIGTERM', pass)
    const [code] = (await once(child, 'exit')) as [number | null]
    process.off('SIGINT', wait).off('SIGTERM', pass)
    return code === null || code === 0 ? exitCodes.done : exitCodes.failed
  },
})
