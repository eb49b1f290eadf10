import { unzipSync } from 'fflate'
import { DocumentProblem } from './problem.ts'

/** Bytes that the parts of one file may take when they are unpacked. */
const maxUnpacked = 200 * 1024 * 1024
const maxParts = 10_000

/** Names as they are compared: some programs write them with the other slash. */
const plainName = (name: string) => name.replaceAll('\\', '/').replace(/^\//, '')

/**
 * The parts of a zip file that are wanted, by their names.
 * @throws {DocumentProblem} `broken`; `too_large` when they are made to fill the memory
 */
export function readZip(bytes: Uint8Array, isWanted: (name: string) => boolean): ReadonlyMap<string, Uint8Array> {
  let unpacked = 0
  const parts = visit(bytes, (name, size) => {
    if (!isWanted(name)) return false
    unpacked += size
    if (unpacked > maxUnpacked) throw tooLarge()
    return true
  })
  return new Map(Object.entries(parts).map(([name, part]) => [plainName(name), part]))
}

/**
 * The names of all parts of a zip file, by the directory at its end.
 * @throws {DocumentProblem} `broken`; `too_large` when they unpack to more than can be handled
 */
export function listZip(bytes: Uint8Array): ReadonlySet<string> {
  const names = new Set<string>()
  let unpacked = 0
  visit(bytes, (name, size) => {
    names.add(name)
    unpacked += size
    if (unpacked > maxUnpacked) throw tooLarge()
    return false
  })
  return names
}

/**
 * Whether the end of a zip file is there: the record that points to its directory (APPNOTE, 4.3.16). That of a zip file
 * inside points elsewhere.
 */
function hasEnd(file: Buffer): boolean {
  const at = file.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  if (at < 0 || at + 22 > file.length) return false
  const directory = file.readUInt32LE(at + 16)
  // Larger ones are pointed to by another record.
  return directory === 0xffff_ffff || file.toString('latin1', directory, directory + 4) === 'PK\x01\x02'
}

/** The parts that `isWanted` is told of and wants. The directory counts: what stands before each part may say anything. */
function visit(bytes: Uint8Array, isWanted: (name: string, size: number) => boolean): Record<string, Uint8Array> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (!hasEnd(file)) throw incomplete()
  let parts = 0
  const filter = ({ name, originalSize }: { name: string; originalSize: number }) => {
    if (++parts > maxParts) throw tooLarge()
    return isWanted(plainName(name), originalSize)
  }
  try {
    return unzipSync(bytes, { filter })
  } catch (error) {
    if (error instanceof DocumentProblem) throw error
    throw damaged()
  }
}

const incomplete = () =>
  new DocumentProblem(
    'broken',
    'The file is incomplete: part of it is missing. Copy or save it again and send that file.',
  )

const tooLarge = () =>
  new DocumentProblem('too_large', 'The file is too large when unpacked. Save or print it as PDF and send that.')

export const damaged = () =>
  new DocumentProblem('broken', 'The file is damaged. Open it on your computer, save it again and send that file.')
