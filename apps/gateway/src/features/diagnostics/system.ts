import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rm, stat, writeFile, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { fileFault, type Finding, notRun, diskFull } from '@faxdeck/provider-kit'
import { sql } from 'kysely'
import type { Database } from '../../base/db/database.ts'
import { DatabaseMoved } from '../../base/db/watch-place.ts'
import type { BackupState } from '../../base/backups/last-backup.ts'
import type { Group, Probe } from '../../base/checks.ts'

const megabyte = 1024 ** 2
const gigabyte = 1024 ** 3
/** A larger disk is nearly full at 1 GB, a smaller one at a tenth of its size. */
const usualReserve = gigabyte
const share = 0.1
/** What the database needs beside the documents: its log alone grows to 64 MB. */
const databaseNeeds = 100 * megabyte

const noFiles = 'The disk has reached its maximum number of files. Remove files that are not needed.'
const noRoom = 'The disk has no room for a fax of the largest size. Free some space, or shorten document retention.'

/** The room of a disk. */
interface Room {
  freeBytes: number
  totalBytes: number
  /** Files that can still be made; undefined where that is not counted. */
  freeFiles: number | undefined
}

const sizeOf = (bytes: number) =>
  bytes >= gigabyte ? `${(bytes / gigabyte).toFixed(1)} GB` : `${Math.floor(bytes / megabyte)} MB`

/**
 * Judges the room of a disk by what a fax needs.
 * @param largestBytes the largest document that may arrive
 */
export function judgeRoom({ freeBytes, totalBytes, freeFiles }: Room, largestBytes: number): Finding {
  const percent = Math.floor((100 * freeBytes) / Math.max(1, totalBytes))
  const detail = `${sizeOf(freeBytes)} of ${sizeOf(totalBytes)} free (${percent} %)`
  const critical = (hint: string): Finding => ({
    passed: false,
    detail: `${detail}.`,
    instead: { hint, severity: 'critical' },
  })
  // A document comes with its pages.
  const forOneFax = 2 * largestBytes
  if (freeBytes < megabyte) return critical(diskFull)
  if (freeFiles === 0) return critical(noFiles)
  if (freeBytes < forOneFax) return critical(noRoom)
  const reserve = Math.max(forOneFax + databaseNeeds, Math.min(usualReserve, share * totalBytes))
  return freeBytes < reserve ? { passed: false, detail: `${detail}.` } : { passed: true, detail }
}

async function roomOf(directory: string): Promise<Room> {
  const { bavail, blocks, bsize, ffree, files } = await statfs(directory)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize, freeFiles: files > 0 ? ffree : undefined }
}

/** Whether the disk of a folder has room for the faxes to come. */
function diskSpace(directory: string, largestBytes: number): Probe {
  return {
    name: 'disk_space',
    severity: 'warning',
    hint: 'The disk of the data directory is nearly full. Free some space, or shorten document retention.',
    setting: 'artifact_ttl_days',
    run: async () => {
      try {
        return judgeRoom(await roomOf(directory), largestBytes)
      } catch (error) {
        const fault = fileFault(error, 'The data directory')
        if (!fault) throw error
        return { ...fault, untried: 'Not run: the data directory cannot be used.' }
      }
    },
  }
}

const run = promisify(execFile)

const temporaryFull =
  'The disk of the system’s folder for temporary files is full: free some space, or point TMPDIR elsewhere.'

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found?.isDirectory() === true
}

async function tryToWrite(directory: string, place: string, whenFull?: string): Promise<Finding> {
  const path = join(directory, `diag_${randomBytes(8).toString('hex')}`)
  try {
    await writeFile(path, 'x', { flag: 'wx', mode: 0o600 })
    return { passed: true }
  } catch (error) {
    return (
      fileFault(error, place, whenFull) ?? {
        passed: false,
        detail: error instanceof Error ? error.message : String(error),
      }
    )
  } finally {
    // Where nothing could be written, nothing can be removed either.
    await rm(path, { force: true }).catch(() => undefined)
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

function diskProbes(directory: string, largestBytes: number): Probe[] {
  return [
    {
      name: 'fax_data_dir',
      severity: 'critical',
      hint: 'The data directory is gone. Create it, or set FAX_DATA_DIR to another one, and restart.',
      run: async () => {
        return { passed: await isFolder(directory), detail: directory }
      },
    },
    {
      name: 'fax_data_writable',
      severity: 'critical',
      hint: 'The data directory is not writable. Make it writable for the user that Faxdeck runs as.',
      run: async () => {
        if (!(await isFolder(directory))) return notRun('Not run: there is no data directory.')
        return tryToWrite(directory, 'The data directory')
      },
    },
    diskSpace(directory, largestBytes),
    {
      name: 'temp_dir_writable',
      severity: 'warning',
      hint: 'The system’s folder for temporary files cannot be written: make it writable, or point TMPDIR elsewhere.',
      run: () => tryToWrite(tmpdir(), 'The system’s folder for temporary files', temporaryFull),
    },
  ]
}

const moved =
  'The database file was moved, removed or replaced while the gateway runs, so nothing is written: put it back or mount its volume, then restart.'

function databaseProbe(database: Database): Probe {
  return {
    name: 'database_connected',
    severity: 'critical',
    hint: 'The database does not respond. Check that it is running, and check the database URL.',
    setting: 'database_url',
    holdsInSilence: true,
    run: async () => {
      try {
        // A file that was moved away would still answer.
        database.checkPlace()
      } catch (error) {
        if (error instanceof DatabaseMoved) return { passed: false, detail: error.message, instead: { hint: moved } }
        const fault = fileFault(error, 'The folder of the database')
        if (!fault) throw error
        return fault
      }
      await sql`select 1`.execute(database.db)
      return { passed: true, detail: database.shownUrl }
    },
  }
}

function backupProbe(read: () => Promise<BackupState>): Probe {
  return {
    name: 'backup',
    severity: 'warning',
    hint: 'There is no backup of late.',
    run: async () => {
      const { last, problem } = await read()
      const size = last && `${last.files} files, ${(last.bytes / 1e6).toFixed(1)} MB`
      const part = last?.left_out.includes('s3') ? ', without the documents in S3' : ''
      const detail = last ? `${last.made_at}, in ${last.folder} (${size}${part})` : 'none known'
      return { passed: problem === undefined, detail, ...(problem !== undefined && { instead: { hint: problem } }) }
    },
  }
}

interface SystemParts {
  directory: string
  database: Database
  /** The largest document that has to fit on the disk. */
  largestBytes: number
  clock: Probe
  backup: () => Promise<BackupState>
}

/** The machine: disk, database, clock. */
export function systemGroup({ directory, database, largestBytes, clock, backup }: SystemParts): Group {
  const disk = diskProbes(directory, largestBytes)
  const probes = [...disk, databaseProbe(database), backupProbe(backup), clock, ghostscript]
  return { name: 'system', probes }
}
