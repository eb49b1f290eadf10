import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Documents } from '../../packages/documents/src/index.ts'
import { dotsDown } from '../../packages/documents/src/raster/paper.ts'
import { pageOfProse, misread } from '../../packages/documents/src/testing/read-again.ts'
import type { Typeface } from '../../packages/documents/src/testing/read-again.ts'
import { readPages } from '../../packages/documents/src/testing/samples.ts'
import { readTiff } from '../../packages/documents/src/tiff/read.ts'
import { defaultLimits } from '../../packages/documents/src/base/limits.ts'
import { judges, tiffByGhostscript } from './judges.ts'
import { printTable } from './print-table.ts'

const faces: Typeface[] = ['Times-Roman', 'Helvetica']
const sizes = [6, 7, 8, 9, 10]
const grays = [0.4, 0.55, 0.7, 0.8]

/** Prints how much of a page of small or of gray type is misread by tesseract, beside the same page of Ghostscript. */
export async function printReadAgain(documents: Documents, folder: string): Promise<void> {
  const [pdf, tiff] = [join(folder, 'type.pdf'), join(folder, 'type.tif')]
  const rows: string[][] = []
  const pages = [
    ...faces.flatMap((face) => sizes.map((size) => ({ face, size, gray: 0 }))),
    ...grays.map((gray) => ({ face: 'Helvetica' as const, size: 9, gray })),
  ]
  for (const { face, size, gray } of pages) {
    const made = pageOfProse(face, size, { gray })
    writeFileSync(pdf, made.pdf)
    const row = [`${face} ${size} point${gray === 0 ? '' : `, ${gray * 100} % gray`}`]
    for (const resolution of ['fine', 'standard'] as const) {
      const judge = async () => {
        const [page] = readPages(tiff)
        return page ? (await misread(page, resolution, made.text)).toFixed(2) : '–'
      }
      await documents.toTiff({ path: pdf }, tiff, { resolution, paper: 'letter' })
      row.push(await judge(), bytesOf(tiff))
      if (judges.ghostscript) tiffByGhostscript(pdf, tiff, dotsDown[resolution])
      row.push(...(judges.ghostscript ? [await judge(), bytesOf(tiff)] : ['–', '–']))
    }
    rows.push(row)
  }
  console.log('Percent of the letters that tesseract misreads, and bytes of the page coded with T.6:\n')
  const head = ['fine', 'standard'].flatMap((resolution) =>
    ['Faxdeck', 'Ghostscript'].flatMap((whose) => [`${resolution}, ${whose}`, 'bytes']),
  )
  printTable(['type', ...head], rows)
}

function bytesOf(path: string): string {
  const [page] = readTiff(readFileSync(path), defaultLimits)
  return (page?.strips.reduce((sum, { length }) => sum + length, 0) ?? 0).toLocaleString('en-US')
}
