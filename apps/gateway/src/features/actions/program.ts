import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { hasCode } from '../../base/error-code.ts'
import type { Output } from './run.ts'

/** The system's own folders alone: what stands in a person's PATH is not run. */
const path = '/usr/sbin:/usr/bin:/sbin:/bin'
const notFound = 127
const killed = 137

/** Keeps the end of a stream, so that endless output takes no memory. */
function endOf(stream: Readable, max: number): () => string {
  let kept = ''
  stream.setEncoding('utf8').on('data', (text: string) => (kept = (kept + text).slice(-max)))
  return () => kept
}

/**
 * Runs a program of the system with fixed arguments: no shell, no input, none of the gateway's environment. It is
 * killed when the signal is aborted.
 * @param most characters kept of each stream, from the end
 */
export function runProgram(
  [file, ...args]: readonly [string, ...string[]],
  signal: AbortSignal,
  max: number,
): Promise<Output> {
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: path, LC_ALL: 'C.UTF-8' },
      cwd: '/',
      signal,
      killSignal: 'SIGKILL',
    })
    const stdout = endOf(child.stdout, max)
    const stderr = endOf(child.stderr, max)
    child.on('error', (error) => {
      // An aborted program ends with `close` as well.
      if (hasCode(error, 'ENOENT')) {
        resolve({ code: notFound, stdout: '', stderr: `This machine does not have the program ${file}.\n` })
      }
    })
    child.on('close', (code) => resolve({ code: code ?? killed, stdout: stdout(), stderr: stderr() }))
  })
}
