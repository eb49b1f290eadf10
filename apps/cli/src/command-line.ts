import { readFileSync } from 'node:fs'
import { commands } from './commands.ts'
import type { Environment } from './environment.ts'
import { exitCodes } from './exit-codes.ts'
import { Fault, faultOf } from './fault.ts'
import { printable } from './terminal/output.ts'
import { run } from './run.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

/** One sentence for people, one object for programs. What is neither ours nor the gateway's fault shows its trace. */
function report(error: unknown, args: readonly string[]): number {
  const fault = faultOf(error) ?? new Fault(error instanceof Error ? (error.stack ?? error.message) : String(error))
  const { message, exitCode, code, requestId } = fault
  if (args.includes('--json')) {
    const said = { error: { message, exit_code: exitCode, code, request_id: requestId } }
    process.stderr.write(`${JSON.stringify(said)}\n`)
  } else process.stderr.write(`faxdeck: ${faultOf(error) ? printable(message) : message}\n`)
  return exitCode
}

/** Runs a command as this process: its output is the command's. @returns the exit code */
export async function runCommandLine(args: readonly string[], env: Environment): Promise<number> {
  // A reader that has gone, such as head, wants no more.
  process.stdout.on('error', (error: NodeJS.ErrnoException) =>
    process.exit(error.code === 'EPIPE' ? exitCodes.done : report(error, args)),
  )
  // What is written is for this user alone.
  process.umask(0o077)
  return run(args, { commands, version, env }).catch((error: unknown) => report(error, args))
}
