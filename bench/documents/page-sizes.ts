import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Documents } from '../../packages/documents/src/index.ts'
import { defaultLimits } from '../../packages/documents/src/base/limits.ts'
import { madePages } from '../../packages/documents/src/testing/made-pages.ts'
import { fineLetter } from '../../packages/documents/src/testing/samples.ts'
import { readTiff } from '../../packages/documents/src/tiff/read.ts'
import { judges, recodeByLibtiff, tiffByGhostscript } from './judges.ts'
import { printTable } from './print-table.ts'

/** Bits a second of V.17 and V.34, the rates of most calls. */
const rates = [14_400, 33_600]

const whole = (bytes: number) => bytes.toLocaleString('en-US')
const seconds = (bytes: number) => rates.map((rate) => ((bytes * 8) / rate).toFixed(1))
const none = ['–', ...rates.map(() => '–')]
const head = (whose: string) => [`${whose}, bytes`, ...rates.map((rate) => `s at ${whole(rate)}`)]

/**
 * Prints what each made page takes on the line: as Faxdeck codes it, as Ghostscript does at the same resolution, and our
 * pixels as libtiff codes them.
 */
export async function printPageSizes(documents: Documents, folder: string): Promise<void> {
  const [pdf, tiff, other] = [join(folder, 'page.pdf'), join(folder, 'page.tif'), join(folder, 'other.tif')]
  const rows: string[][] = []
  for (const [name, make] of Object.entries(madePages)) {
    writeFileSync(pdf, await make())
    await documents.toTiff({ path: pdf }, tiff, fineLetter)
    const ours = codedBytes(tiff)
    if (judges.ghostscript) tiffByGhostscript(pdf, other)
    const theirs = judges.ghostscript ? codedBytes(other) : undefined
    if (judges.libtiff) recodeByLibtiff(tiff, other)
    const recoded = judges.libtiff ? codedBytes(other) : undefined
    rows.push([
      name,
      whole(ours),
      ...seconds(ours),
      ...(theirs ? [whole(theirs), ...seconds(theirs)] : none),
      theirs ? `${Math.round((100 * ours) / theirs)} %` : '–',
      recoded ? whole(recoded) : '–',
    ])
  }
  console.log('Each made page on letter paper at 204 × 196 dots an inch, coded with T.6:\n')
  const columns = [...head('Faxdeck'), ...head('Ghostscript'), 'of its bytes', 'our pixels by libtiff, bytes']
  printTable(['page', ...columns], rows)
}

/** Bytes of the first page's data: what the line carries. */
function codedBytes(path: string): number {
  const [page] = readTiff(readFileSync(path), defaultLimits)
  return page?.strips.reduce((sum, { length }) => sum + length, 0) ?? 0
}
