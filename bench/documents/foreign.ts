import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createDocuments } from '../../packages/documents/src/index.ts'
import type { Documents } from '../../packages/documents/src/index.ts'
import { foreignClasses, foreignPdfOf } from '../../packages/documents/src/testing/foreign-pages.ts'
import type { ForeignClass } from '../../packages/documents/src/testing/foreign-pages.ts'
import { fineLetter, readPages } from '../../packages/documents/src/testing/samples.ts'
import { lostWords, visibleWords } from '../../packages/documents/src/testing/words.ts'
import { drawByMupdf, drawByPoppler, judges, tiffByGhostscript } from './judges.ts'
import { printTable } from './print-table.ts'
import { inWords, medianOf, roundsOr, takeTurns } from './spent.ts'
import type { Spent } from './spent.ts'

const pages = 10
const runs = roundsOr(5)
/** Times of Ghostscript's wall time that were promised for a class. */
const floors: Partial<Record<ForeignClass, number>> = { 'color map': 4, 'black and white scan': 0.9, 'gray scan': 0.9 }

/** Prints what pages like those of other programs take, beside what other programs take to draw them. */
export async function printForeign(documents: Documents, folder: string): Promise<void> {
  const single = createDocuments({ threads: 1 })
  const [pdf, tiff, other] = [join(folder, 'foreign.pdf'), join(folder, 'foreign.tif'), join(folder, 'other')]
  mkdirSync(other)
  const rows: string[][] = []
  for (const name of Object.keys(foreignClasses) as ForeignClass[]) {
    writeFileSync(pdf, await foreignPdfOf(name, 0, pages))
    const works = [
      () => documents.toTiff({ path: pdf }, tiff, fineLetter),
      () => single.toTiff({ path: pdf }, tiff, fineLetter),
      judges.ghostscript ? () => tiffByGhostscript(pdf, join(other, 'gs.tif')) : undefined,
      judges.poppler ? () => drawByPoppler(pdf, join(other, 'page')) : undefined,
      judges.mupdf ? () => drawByMupdf(pdf, join(other, 'page.%d.pbm')) : undefined,
    ]
    const spent = await takeTurns(works, runs, Math.min(2, runs))
    const [ours = [], alone = [], theirs = []] = spent
    const ratioOf = (one: Spent[], of: keyof Spent) =>
      judges.ghostscript ? medianOf(theirs, of) / medianOf(one, of) : undefined
    const ratio = ratioOf(ours, 'wall')
    const floor = floors[name]
    const goal =
      floor === undefined || ratio === undefined ? '' : `≥ ${floor}×, ${ratio >= floor ? 'reached' : 'missed'}`
    const words = await lostShare(name, folder)
    rows.push([
      name,
      ...spent.map(inWords),
      inTimes(ratio),
      goal,
      inTimes(ratioOf(alone, 'cpu')),
      bytesBeside(tiff, join(other, 'gs.tif')),
      words,
    ])
  }
  await single.close()
  console.log(`${pages} pages each, milliseconds of wall time and of CPU time; the programs take turns:\n`)
  const head = [
    'Faxdeck',
    'on one thread',
    'Ghostscript',
    'pdftoppm -mono',
    'mutool draw',
    'Ghostscript ÷ Faxdeck',
    'goal',
    'CPU time, one thread',
  ]
  printTable(['pages', ...head, 'of its bytes', 'words lost'], rows)
}

const inTimes = (ratio: number | undefined) => (ratio === undefined ? '–' : `${ratio.toFixed(2)}×`)

function bytesBeside(ours: string, theirs: string): string {
  if (!judges.ghostscript) return '–'
  return `${Math.round((100 * readFileSync(ours).length) / readFileSync(theirs).length)} %`
}

/** How many of the words that poppler shows on one page are not on ours, at both resolutions. */
async function lostShare(name: ForeignClass, folder: string): Promise<string> {
  if (!judges.poppler) return '–'
  const [path, tiff] = [join(folder, 'words.pdf'), join(folder, 'words.tif')]
  const pdf = await foreignPdfOf(name, 0)
  writeFileSync(path, pdf)
  const words = visibleWords(pdf, folder)
  const documents = createDocuments({ threads: 1 })
  let lost = 0
  for (const resolution of ['fine', 'standard'] as const) {
    await documents.toTiff({ path }, tiff, { ...fineLetter, resolution })
    const [page] = readPages(tiff)
    lost += page ? lostWords(page, words, resolution).length : words.length
  }
  await documents.close()
  return `${lost} of ${2 * words.length}`
}

/** Prints which bar codes zbar reads from our pages and from Ghostscript's; nothing where it is not installed. */
export async function printBarcodes(
  documents: Documents,
  folder: string,
  make: (module: number) => Buffer,
): Promise<void> {
  const [pdf, tiff] = [join(folder, 'codes.pdf'), join(folder, 'codes.tif')]
  const rows: string[][] = []
  for (const module of [0.2, 0.25, 0.33, 0.5, 0.75]) {
    writeFileSync(pdf, make(module))
    const row = [`${module.toFixed(2)} mm`]
    for (const [resolution, dots] of [
      ['fine', 196],
      ['standard', 98],
    ] as const) {
      await documents.toTiff({ path: pdf }, tiff, { ...fineLetter, resolution })
      row.push(readByZbar(tiff, dots))
      if (judges.ghostscript) tiffByGhostscript(pdf, tiff, dots)
      row.push(judges.ghostscript ? readByZbar(tiff, dots) : '–')
    }
    rows.push(row)
  }
  console.log('Bar codes that zbar reads, by the width of their narrowest bar:\n')
  printTable(
    ['narrowest bar', 'fine, Faxdeck', 'fine, Ghostscript', 'standard, Faxdeck', 'standard, Ghostscript'],
    rows,
  )
}

function readByZbar(tiff: string, dotsDown: number): string {
  const [gray, png] = [`${tiff}.plain.tif`, `${tiff}.png`]
  execFileSync('tiffcp', ['-c', 'none', tiff, gray])
  execFileSync(process.execPath, ['-e', upright, gray, png, String(196 / dotsDown)], { stdio: 'pipe' })
  try {
    const found = execFileSync('zbarimg', ['-q', '--nodbus', png], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return [...new Set(found.split('\n').flatMap((line) => line.split(':')[0] || []))].join(', ') || 'none'
  } catch {
    return 'none'
  }
}

/** Makes a page of standard resolution as high as it is printed. */
const upright =
  "const [from, to, times] = process.argv.slice(1); const sharp = require('sharp'); sharp(from).metadata().then(({ width, height }) => sharp(from).toColorspace('b-w').resize(width, Math.round(height * Number(times)), { fit: 'fill', kernel: 'nearest' }).png().toFile(to))"
