import { statfs } from 'node:fs/promises'
import { diskFull, fileFault, type Finding } from '@faxdeck/provider-kit'
import type { Probe } from '../../base/checks.ts'

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
export interface Room {
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
export function diskSpace(directory: string, largestBytes: number): Probe {
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
