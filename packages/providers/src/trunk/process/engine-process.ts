import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { mainFile } from '../config/write-config.ts'
import type { AsteriskProgram } from './program.ts'
import { realTimePrefix, systemPath } from './real-time.ts'

const lookEveryMs = 250
const largestLogBytes = 5_000_000

/** One Asterisk of ours, started by this gateway or by an earlier one that is gone. */
export interface EngineProcess {
  pid: number
  /** The mark of what of its configuration needs a restart. */
  fixed: string
  /** Resolves when it is gone. */
  ended: Promise<void>
}

const recordFile = (directory: string) => join(directory, 'process.json')

/**
 * Starts Asterisk in a session of its own: it survives the gateway, so that calls under way end in order, and the next
 * gateway takes it over. What it prints goes to a file, because a pipe would end with the gateway.
 * @throws {Error} when the program cannot be started
 */
export async function startEngine(program: AsteriskProgram, directory: string, fixed: string): Promise<EngineProcess> {
  const log = join(directory, 'log/console')
  for (const path of [log, join(directory, 'log/messages')]) await keepSmall(path)
  const prefix = await realTimePrefix()
  // As root, Asterisk goes back to the usual priority unless it is started to keep a high one.
  const [command = program.path, ...parameters] = [...prefix, program.path, ...(prefix.length > 0 ? ['-p'] : [])]
  const output = openSync(log, 'a', 0o600)
  try {
    const child = spawn(command, [...parameters, '-f', '-C', mainFile(directory)], {
      stdio: ['ignore', output, output],
      env: { LC_ALL: 'C', HOME: directory, PATH: systemPath },
      cwd: directory,
      detached: true,
    })
    const ended = new Promise<void>((resolve) => {
      child.once('exit', () => resolve())
      child.once('error', () => resolve())
    })
    if (child.pid === undefined) {
      throw await new Promise<Error>((resolve) => child.once('error', resolve))
    }
    child.unref()
    await writeRecord(directory, { pid: child.pid, fixed })
    return { pid: child.pid, fixed, ended }
  } finally {
    closeSync(output)
  }
}

/** The one that an earlier gateway started and that still runs; undefined if there is none. */
export async function findRunning(directory: string): Promise<EngineProcess | undefined> {
  const record = await readRecord(directory)
  if (!record || !isOurs(record.pid, directory)) return undefined
  return { ...record, ended: gone(record.pid, directory) }
}

/** Ends it at once. Calls under way break off. */
export async function endEngine({ pid, ended }: EngineProcess, directory: string): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (!isOurs(pid, directory)) return
    process.kill(pid, signal)
    await Promise.race([ended, sleep(4000, undefined, { ref: false })])
  }
}

export const forgetEngine = (directory: string) => rm(recordFile(directory), { force: true })

/**
 * The id of a process is used again: only one that runs with our configuration is ours.
 * @param proc where the system shows its processes
 */
export function isOurs(pid: number, directory: string, proc = '/proc'): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    // It is gone, or somebody else's.
    return false
  }
  try {
    return readFileSync(join(proc, String(pid), 'cmdline'), 'utf8')
      .split('\0')
      .includes(mainFile(directory))
  } catch {
    // A service of systemd cannot see what an earlier start of it left (ProtectProc), and other systems have no /proc.
    // There is only the id to go by; who answers at the manager interface is asked next.
    return true
  }
}

async function gone(pid: number, directory: string): Promise<void> {
  while (isOurs(pid, directory)) await sleep(lookEveryMs, undefined, { ref: false })
}

async function keepSmall(path: string): Promise<void> {
  const facts = await stat(path).catch(() => undefined)
  if (facts && facts.size > largestLogBytes) await rename(path, `${path}.old`)
}

async function writeRecord(directory: string, record: { pid: number; fixed: string }): Promise<void> {
  const path = recordFile(directory)
  await writeFile(`${path}.part`, JSON.stringify(record), { mode: 0o600 })
  await rename(`${path}.part`, path)
}

async function readRecord(directory: string): Promise<{ pid: number; fixed: string } | undefined> {
  try {
    const { pid, fixed } = JSON.parse(await readFile(recordFile(directory), 'utf8')) as Record<string, unknown>
    return Number.isSafeInteger(pid) && Number(pid) > 1 ? { pid: Number(pid), fixed: String(fixed) } : undefined
  } catch {
    return undefined
  }
}
