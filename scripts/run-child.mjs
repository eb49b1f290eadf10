import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { Problem } from './problem.mjs'

/**
 * @typedef {object} ChildOptions
 * @property {string} cwd
 * @property {NodeJS.ProcessEnv} [env]
 * @property {boolean} [quiet] keep what the program prints and answer it, instead of showing it
 * @property {number} [stopLimitMs] how long the program may take to stop before it is killed; the gateway promises 10 s
 * @property {boolean} [ownGroup] shield the program from the terminal's own Ctrl-C and open a channel that closes when this process dies
 */

/**
 * Runs a program to its end. The first signal to stop that reaches this process is passed on, once: a terminal and npm
 * both send their own copy, and a second one would cut short an orderly stop.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {ChildOptions} options
 * @returns {Promise<{ code: number, stoppedBy: 'SIGINT' | 'SIGTERM' | null, output: string }>} `code` as a shell would report it
 * @throws {Problem} when the program cannot be started
 */
export function runChild(command, args, options) {
  const { cwd, env = process.env, quiet = false, ownGroup = false, stopLimitMs = 15_000 } = options
  const stream = quiet ? 'pipe' : 'inherit'
  const stdio = [quiet ? 'ignore' : 'inherit', stream, stream, ...(ownGroup ? ['ipc'] : [])]
  const child = spawn(command, args, { cwd, env, stdio, detached: ownGroup })
  let output = ''
  for (const source of [child.stdout, child.stderr]) source?.setEncoding('utf8').on('data', (text) => (output += text))

  let stoppedBy = null
  const passOn = (signal) => {
    if (stoppedBy) return
    stoppedBy = signal
    child.kill(signal)
    setTimeout(() => child.kill('SIGKILL'), stopLimitMs).unref()
  }
  // A terminal that closes says SIGHUP.
  const hangUp = () => passOn('SIGTERM')
  process.on('SIGINT', passOn).on('SIGTERM', passOn).on('SIGHUP', hangUp)

  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new Problem(`${command} could not be started (${error.code}).`)))
    child.once('close', (code, signal) => resolve({ code: code ?? 128 + constants.signals[signal], stoppedBy, output }))
  }).finally(() => process.off('SIGINT', passOn).off('SIGTERM', passOn).off('SIGHUP', hangUp))
}

const stopWithParent = new URL('start/stop-with-parent.mjs', import.meta.url).href

/**
 * Runs a program on Node that Ctrl-C reaches through this process alone, and that stops when this process dies.
 * @param {string} node
 * @param {readonly string[]} args
 * @param {Omit<ChildOptions, 'ownGroup'>} options
 */
export const runNode = (node, args, options) =>
  runChild(node, ['--import', stopWithParent, ...args], { ...options, ownGroup: true })

/**
 * Runs a program without showing what it prints, and stops this script too when a person stopped it.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Omit<ChildOptions, 'quiet'>} options
 * @returns {Promise<{ code: number, output: string }>}
 * @throws {Problem} "Stopped." after a signal to stop
 */
export async function runQuietly(command, args, options) {
  const { code, stoppedBy, output } = await runChild(command, args, { ...options, quiet: true })
  if (stoppedBy) throw new Problem('Stopped.', 128 + constants.signals[stoppedBy])
  return { code, output }
}
