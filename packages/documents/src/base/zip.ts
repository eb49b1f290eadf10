import { unzipSync } from 'fflate'
import { DocumentProblem } from './problem.ts'

/** Bytes that the parts of one file may take when they are unpacked. */
const maxUnpacked = 200 * 1024 * 1024
const maxParts = 10_000

/**
 * The parts of a zip file that are wanted, by their names.
 * @throws {DocumentProblem} `broken`; `too_large` when they are made to fill the memory
 */
export function readZip(bytes: Uint8Array, isWanted: (name: string) => boolean): ReadonlyMap<string, Uint8Array> {
  let unpacked = 0
  let parts = 0
  const filter = ({ name, originalSize }: { name: string; originalSize: number }) => {
    if (++parts > maxParts) throw tooLarge()
    if (!isWanted(name)) return false
    unpacked += originalSize
    if (unpacked > maxUnpacked) throw tooLarge()
    return true
  }
  return new Map(Object.entries(guarded(() => unzipSync(bytes, { filter }))))
}

/**
 * The names of all parts of a zip file.
 * @throws {DocumentProblem} `broken`; `too_large` when they unpack to more than can be handled
 */
export function listZip(bytes: Uint8Array): ReadonlySet<string> {
  const names = new Set<string>()
  let unpacked = 0
  const filter = ({ name, originalSize }: { name: string; originalSize: number }) => {
    names.add(name)
    unpacked += originalSize
    if (unpacked > maxUnpacked || names.size > maxParts) throw tooLarge()
    return false
  }
  guarded(() => unzipSync(bytes, { filter }))
  return names
}

function guarded<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof DocumentProblem) throw error
    throw damaged()
  }
}

const tooLarge = () =>
  new DocumentProblem('too_large', 'The file is too large when unpacked. Save or print it as PDF and send that.')

export const damaged = () =>
  new DocumentProblem('broken', 'The file is damaged. Open it on your computer, save it again and send that file.')
