import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const busy = 5

/**
 * Claims a directory for this process, so that two gateways do not run one line. The system gives the claim back when the
 * process ends, however it ends.
 * @returns gives the claim back
 * @throws {Error} when another running process holds the claim
 */
export async function claimDirectory(directory: string): Promise<() => void> {
  // What earlier versions claimed a directory with.
  await rm(join(directory, 'in-use-by'), { force: true })
  const claim = new DatabaseSync(join(directory, 'calls.db.lock'), { timeout: 0 })
  try {
    claim.exec('begin immediate; create table if not exists holder (pid integer); delete from holder')
    claim.prepare('insert into holder values (?)').run(process.pid)
    // The lock stays; others can read who holds it.
    claim.exec('commit; begin immediate')
    return () => claim.close()
  } catch (error) {
    const pid = isBusy(error) ? holderOf(claim) : undefined
    claim.close()
    if (pid === undefined) throw error
    throw new Error(
      `The test line of this data directory is in use by process ${pid}. Stop that gateway, or give this one a data directory of its own.`,
      { cause: error },
    )
  }
}

const isBusy = (error: unknown) => error instanceof Error && 'errcode' in error && error.errcode === busy

function holderOf(claim: DatabaseSync): string {
  try {
    return String(claim.prepare('select pid from holder').get()?.pid ?? 'unknown')
  } catch {
    return 'unknown'
  }
}
