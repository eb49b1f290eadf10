import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rm, stat, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Finding } from '@faxdeck/provider-kit'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Group, Probe } from './probe.ts'

const run = promisify(execFile)
const gigabyte = 1024 ** 3
/** Clocks of machines that keep time are closer than this. */
const mostSkewMs = 5000

/** Writes a file, and removes it whatever happened. */
async function tryToWrite(directory: string): Promise<Finding> {
  const path = join(directory, `diag_${randomBytes(8).toString('hex')}`)
  try {
    await writeFile(path, 'x', { flag: 'wx', mode: 0o600 })
    return { passed: true }
  } catch (error) {
    return { passed: false, detail: error instanceof Error ? error.message : 'The file system refused.' }
  } finally {
    await rm(path, { force: true })
  }
}

const ghostscript: Probe = {
  name: 'ghostscript',
  severity: 'info',
  hint: 'Ghostscript is not installed, and Faxdeck does not need it.',
  run: async (signal) => {
    const found = await run('gs', ['--version'], { signal }).catch(() => undefined)
    const detail = found ? `version ${found.stdout.trim()}, not needed` : 'not installed, not needed'
    return { passed: true, detail }
  },
}

function diskProbes(directory: string): Probe[] {
  return [
    {
      name: 'fax_data_dir',
      severity: 'critical',
      hint: 'The data directory is gone: create it, or name another one in FAX_DATA_DIR, and restart.',
      run: async () => {
        const found = await stat(directory).catch(() => undefined)
        return { passed: found?.isDirectory() === true, detail: directory }
      },
    },
    {
      name: 'fax_data_writable',
      severity: 'critical',
      hint: 'The data directory cannot be written: make it writable for the user that Faxdeck runs as.',
      run: () => tryToWrite(directory),
    },
    {
      name: 'disk_space',
      severity: 'warning',
      hint: 'The disk of the data directory is nearly full: free some space, or keep documents for a shorter time.',
      setting: 'artifact_ttl_days',
      run: async () => {
        const { bavail, bsize } = await statfs(directory)
        return { passed: bavail * bsize >= gigabyte, detail: `${((bavail * bsize) / gigabyte).toFixed(1)} GB free` }
      },
    },
    {
      name: 'temp_dir_writable',
      severity: 'warning',
      hint: 'The system’s folder for temporary files cannot be written: make it writable, or point TMPDIR elsewhere.',
      run: () => tryToWrite(tmpdir()),
    },
  ]
}

/** Milliseconds by which the clock here is behind, seen from the database or the newest event. */
async function lagOf({ db, engine }: Database, now: () => Date): Promise<number> {
  const newest = await db.selectFrom('audit_events').select('ts').orderBy('seq', 'desc').limit(1).executeTakeFirst()
  const behindEvents = newest ? Date.parse(newest.ts) - now().getTime() : 0
  if (engine === 'sqlite') return Math.max(0, behindEvents)
  const { rows } = await sql<{ ms: string }>`select extract(epoch from clock_timestamp()) * 1000 as ms`.execute(db)
  return Math.max(behindEvents, Math.abs(Number(rows[0]?.ms) - now().getTime()))
}

/** Whether the database answers, and the clock agrees with it and with what has already happened. */
export function databaseProbes(database: Database, now: () => Date): Probe[] {
  return [
    {
      name: 'database_connected',
      severity: 'critical',
      hint: 'The database does not answer: check that it runs, and the database URL.',
      setting: 'database_url',
      run: async () => {
        await sql`select 1`.execute(database.db)
        return { passed: true, detail: database.shownUrl }
      },
    },
    {
      name: 'clock',
      severity: 'warning',
      hint: 'The clock of this machine disagrees with the database or with what was already recorded: set it, and keep it set by NTP.',
      run: async () => {
        const lag = await lagOf(database, now)
        if (lag <= mostSkewMs) return { passed: true }
        return { passed: false, detail: `The difference is ${Math.round(lag / 1000)} seconds.` }
      },
    },
  ]
}

/** The machine: disk, database, clock. */
export function systemGroup(directory: string, database: Database, now: () => Date): Group {
  return { name: 'system', probes: [...diskProbes(directory), ...databaseProbes(database, now), ghostscript] }
}
