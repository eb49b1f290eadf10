import { randomUUID } from 'node:crypto'
import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { Fault } from '../fault.ts'

const beatMs = 10_000
/** One that was not renewed for so long is of a program that was killed: on this machine it is noticed at once. */
const staleMs = 60_000

const isThere = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'EEXIST'

/** Whether a process runs here. One with our own number is of an earlier container. */
function isRunning(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Whether somebody holds the lock who still renews it. */
async function isHeld(path: string): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(path)
    const { host, pid } = JSON.parse(await readFile(path, 'utf8')) as { host: string; pid: number }
    return Date.now() - mtimeMs < staleMs && (host !== hostname() || isRunning(pid))
  } catch {
    // It is gone, or its program was killed before it had written anything.
    return false
  }
}

export interface FolderLock {
  /** @throws {Fault} when another run has taken the folder over, because this one stood still */
  check: () => Promise<void>
  release: () => Promise<void>
}

/**
 * Keeps a folder for one run at a time, also on a share of several machines. A run that was killed holds up the next one
 * for a minute at most.
 * @throws {Fault} when another run has it
 */
export async function lockFolder(folder: string, path: string): Promise<FolderLock> {
  const mine = JSON.stringify({ host: hostname(), pid: process.pid, run: randomUUID() })
  const taken = () => new Fault(`Another run saves to ${folder}. End it, or choose another folder.`)
  for (let tried = 0; ; tried++) {
    try {
      await writeFile(path, mine, { flag: 'wx', mode: 0o600 })
      break
    } catch (error) {
      if (!isThere(error)) throw error
      if (tried > 2 || (await isHeld(path))) throw taken()
      await rm(path, { force: true })
    }
  }
  const check = async () => {
    if ((await readFile(path, 'utf8').catch(() => '')) !== mine) throw taken()
  }
  const beat = setInterval(() => void utimes(path, new Date(), new Date()).catch(() => undefined), beatMs)
  beat.unref()
  const release = async () => {
    clearInterval(beat)
    await check().then(
      () => rm(path, { force: true }),
      () => undefined,
    )
  }
  return { check, release }
}
