import { readFileSync } from 'node:fs'
import { commands } from './commands.ts'
import { exitCodes } from './exit-codes.ts'
import { Fault, faultOf } from './fault.ts'
import { printable } from './printable.ts'
import { run } from './run.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
const args = process.argv.slice(2)

/** One sentence for people, one object for programs. What is neither ours nor the gateway's fault shows its trace. */
function report(error: unknown): number {
  const fault = faultOf(error) ?? new Fault(error instanceof Error ? (error.stack ?? error.message) : String(error))
  const { message, exitCode, code, requestId } = fault
  if (args.includes('--json')) {
    const said = { error: { message, exit_code: exitCode, code, request_id: requestId } }
    process.stderr.write(`${JSON.stringify(said)}\n`)
  } else process.stderr.write(`faxdeck: ${faultOf(error) ? printable(message) : message}\n`)
  return exitCode
}

// A reader that has gone, such as head, wants no more.
process.stdout.on('error', (error: NodeJS.ErrnoException) =>
  process.exit(error.code === 'EPIPE' ? exitCodes.done : report(error)),
)
// What is written is for this user alone.
process.umask(0o077)
process.exitCode = await run(args, { commands, version, env: process.env }).catch(report)
