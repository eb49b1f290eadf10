import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isMissing } from './journal.ts'

/**
 * Claims a directory for this process, so that two gateways do not run one line. A claim ends with its process, however that ends.
 * @returns gives the claim back
 * @throws {Error} when another running process holds the claim
 */
export async function claimDirectory(directory: string): Promise<() => Promise<void>> {
  const path = join(directory, 'in-use-by')
  const me = await identify(process.pid)
  const holder = await readHolder(path)
  if (holder !== undefined && holder !== me && holder === (await identify(Number.parseInt(holder, 10)))) {
    throw new Error(
      `The test line of this data directory is in use by process ${Number.parseInt(holder, 10)}. Stop that gateway, or give this one a data directory of its own.`,
    )
  }
  await rm(path, { force: true })
  await writeFile(path, me, { flag: 'wx', mode: 0o600 })
  return () => rm(path, { force: true })
}

async function readHolder(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** Pid and, where the system reports it, the start of a running process: a pid that is used again is another process. */
async function identify(pid: number): Promise<string> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return 'nobody'
  }
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may hold anything; the start time is the 20th field after it.
    return `${pid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''}`
  } catch {
    return String(pid)
  }
}
