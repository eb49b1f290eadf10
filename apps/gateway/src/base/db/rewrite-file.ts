import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { text } from 'node:stream/consumers'

/**
 * Runs in a process of its own: a large file takes a minute, which would hold up every call, and a process can be ended
 * half-way. What it writes meanwhile is as large as the file, which the usual folder for temporary files may not be. The
 * log is emptied too: what it once held stays in it until it is written over.
 */
const program = `
const [driver, path, folder] = process.argv.slice(1)
process.env.SQLITE_TMPDIR ??= folder
try {
  const file = new (require(driver))(path, { fileMustExist: true, timeout: 30000 })
  file.exec('VACUUM')
  const [{ busy }] = file.pragma('wal_checkpoint(TRUNCATE)')
  if (busy) throw Object.assign(new Error('busy'), { code: 'SQLITE_BUSY' })
} catch (error) {
  process.stderr.write(error.code || error.message)
  process.exitCode = 1
}`

/**
 * Rewrites a SQLite file and empties its log, so that neither holds anything that was deleted or overwritten. Needs as
 * much room beside the file as the file takes, twice; others can read meanwhile, and wait to write.
 * @throws with SQLite's code, such as `SQLITE_FULL`; the file is as it was
 */
export async function rewriteFile(path: string, signal: AbortSignal): Promise<void> {
  const driver = createRequire(import.meta.url).resolve('better-sqlite3')
  const child = spawn(process.execPath, ['-e', program, driver, path, dirname(path)], {
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
    killSignal: 'SIGKILL',
  })
  const [[code], said] = await Promise.all([once(child, 'close') as Promise<[number | null]>, text(child.stderr)])
  if (code !== 0)
    throw Object.assign(new Error(`The database file could not be rewritten: ${said}.`), { code: said.trim() })
}
