import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodeByLibtiff } from '../../packages/documents/src/testing/judges.ts'
import { findProgram } from '../../scripts/find-browser.mjs'
import { pngSize, rowsOf } from '../harness/png.ts'

/** Whether pixels can be judged by libtiff, which is nobody's of us. */
export const canJudgePixels = findProgram('tiffcp') !== undefined

/** What the carrier has of one number. */
export interface AtNumber {
  /** Calls, by its call detail records. */
  calls: number
  /** Of each fax that left at least one page there, the digest of each page. */
  faxes: string[][]
}

/**
 * What the carrier's Asterisk itself knows of every number that was called: its call detail records, and the pages that
 * its fax machines stored, as libtiff decodes them. No code of Faxdeck has a part in it but the reading of an
 * uncompressed TIFF.
 * @param directory of the carrier
 * @param height of the pages as the console shows them, which repeats lines to look like paper
 */
export function readWitness(directory: string, height: number): Map<string, AtNumber> {
  const seen = new Map<string, AtNumber>()
  const at = (number: string) => {
    const known = seen.get(number) ?? { calls: 0, faxes: [] }
    seen.set(number, known)
    return known
  }
  const records = join(directory, 'log/cdr-csv/Master.csv')
  const rows = existsSync(records) ? readFileSync(records, 'utf8').split('\n') : []
  // accountcode, src, dst: of calls that came in from the customer.
  for (const row of rows) {
    const [, , dst, context] = row.split(',').map((cell) => cell.replaceAll('"', ''))
    if (dst !== undefined && ['customer', 'machine'].includes(context ?? '')) at(dst).calls += 1
  }
  const folder = join(directory, 'received')
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.tif'))) {
    const pages = digestsOf(join(folder, name), height)
    if (pages.length > 0) at(`+${name.split('_')[0]}`).faxes.push(pages)
  }
  return seen
}

/** A file whose call was cut while it was being written may be none. */
function digestsOf(path: string, height: number): string[] {
  try {
    return decodeByLibtiff(path).map(({ width, height: lines, rowWords, words }) => {
      const packed = Buffer.alloc(words.length * 4)
      for (const [index, word] of words.entries()) packed.writeInt32BE(word, index * 4)
      const row = (y: number) => packed.subarray(y * rowWords * 4, y * rowWords * 4 + width / 8)
      return digest(Array.from({ length: height }, (_, y) => row(Math.floor((y * lines) / height))))
    })
  } catch {
    return []
  }
}

/** The digest of a page as the console shows it. */
export const digestOfPng = (png: Buffer): string => digest(rowsOf(png))
export const heightOf = (png: Buffer): number => pngSize(png).height

function digest(rows: readonly Uint8Array[]): string {
  const hash = createHash('sha256')
  for (const row of rows) hash.update(row)
  return hash.digest('hex')
}
