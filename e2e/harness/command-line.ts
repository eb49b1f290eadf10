import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../apps/cli/src/main.ts', import.meta.url))
const compiled = fileURLToPath(new URL('../../.cache/node', import.meta.url))

/** No command of a test takes so long: one that hangs is named instead of the whole test. */
const endsWithin = 60_000

interface How {
  input?: string
  env?: Record<string, string>
}

/** Runs `faxdeck` as a process in a folder; what it printed and the code it ended with. */
export function startFaxdeck(folder: string, usual: Record<string, string>) {
  const start = (args: readonly string[], env: Record<string, string> = {}) =>
    spawn(process.execPath, [program, ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: compiled, ...usual, ...env },
    })
  const run = async (args: readonly string[], { input = '', env }: How = {}) => {
    const child = start(args, env)
    child.stdin.on('error', () => undefined).end(input)
    const hangs = setTimeout(() => child.kill('SIGKILL'), endsWithin)
    const [out, error, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    clearTimeout(hangs)
    if (code === null) throw new Error(`faxdeck ${args.join(' ')} did not end. It printed:\n${out}${error}`)
    return { out, error, code: Number(code) }
  }
  return Object.assign(run, { spawn: start, command: { command: process.execPath, args: [program] } })
}
