import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createDocuments } from '../../packages/documents/src/index.ts'
import type { Documents } from '../../packages/documents/src/index.ts'
import { letterPdf } from '../../packages/documents/src/testing/pdf-samples.ts'
import { fineLetter } from '../../packages/documents/src/testing/samples.ts'
import { written } from '../figures.ts'
import { judges, pdfByLibtiff, tiffByGhostscript } from './judges.ts'
import { printTable } from './print-table.ts'
import { inWords, medianOf, roundsOr, takeTurns } from './spent.ts'
import type { Spent } from './spent.ts'

/** What each run took; those of the other program are taken in turn with ours. */
interface Times {
  ours: Spent[]
  theirs: Spent[]
}

const runs = { short: roundsOr(51), long: roundsOr(9) }
const shown = { ...fineLetter, width: 480 }
const head = ['', 'Faxdeck', 'beside', 'times faster', 'less CPU time', 'goal']

/** Prints the speeds and the memory that were promised, each beside its goal. */
export async function printSpeeds(documents: Documents, folder: string): Promise<void> {
  const at = (name: string) => join(folder, name)
  const rows: string[][] = []
  for (const [pages, goal] of [[1, 2.5] as const, [100, 1.1] as const]) {
    writeFileSync(at(`${pages}.pdf`), letterPdf(pages))
    const ours = () => documents.toTiff({ path: at(`${pages}.pdf`) }, at(`${pages}.tif`), fineLetter)
    const theirs = judges.ghostscript ? () => tiffByGhostscript(at(`${pages}.pdf`), at('gs.tif')) : undefined
    const times = await inTurn(ours, theirs, pages === 1 ? runs.short : runs.long)
    rows.push(comparison(`PDF of ${pages} to TIFF G4`, times, 'Ghostscript', goal))
  }
  for (const [pages, goal] of [[1, 20] as const, [100, 1] as const]) {
    const ours = () => documents.tiffToPdf({ path: at(`${pages}.tif`) })
    const theirs = judges.libtiff ? () => pdfByLibtiff(at(`${pages}.tif`), at('libtiff.pdf')) : undefined
    rows.push(comparison(`TIFF G4 of ${pages} to PDF`, await inTurn(ours, theirs, runs.short), 'tiff2pdf', goal))
  }
  const pdf = at('100.pdf')
  const preview = await inTurn(() => documents.page({ path: pdf }, 1, shown), undefined, runs.short)
  rows.push(figure('preview of page 1 of 100', medianOf(preview.ours, 'wall'), 'ms', 60))
  rows.push(figure('the same, worker started first', await firstPreview(pdf), 'ms'))
  rows.push(figure('memory that a PDF of 100 takes', peakMegabytes(pdf, at('peak.tif')), 'MB', 200))
  const letter = letterPdf()
  rows.push(figure('measuring PDFs of 1, 8 callers', await perSecond(() => documents.inspect(letter)), '/s'))
  console.log(
    'Pages are letters of 40 lines. Medians of wall time in milliseconds, CPU time in brackets; the programs take turns, each file is a process of theirs.\n',
  )
  printTable(head, rows)
}

async function inTurn(ours: () => unknown, theirs: (() => unknown) | undefined, times: number): Promise<Times> {
  const [own = [], other = []] = await takeTurns([ours, theirs], times, Math.floor(times / 2))
  return { ours: own, theirs: other }
}

function comparison(what: string, { ours, theirs }: Times, other: string, goal: number): string[] {
  const own = inWords(ours)
  if (theirs.length === 0) return [what, own, `${other} is not installed`, '–', '–', `≥ ${goal}×`]
  const times = (of: keyof Spent) => medianOf(theirs, of) / medianOf(ours, of)
  const reached = `≥ ${goal}×, ${times('wall') >= goal ? 'reached' : 'missed'}`
  return [
    what,
    own,
    `${other} ${inWords(theirs)}`,
    `${times('wall').toFixed(2)}×`,
    `${times('cpu').toFixed(2)}×`,
    reached,
  ]
}

function figure(what: string, value: number, unit: string, max?: number): string[] {
  const goal = max === undefined ? '' : `< ${written(max, unit)}, ${value < max ? 'reached' : 'missed'}`
  return [what, written(value, unit), '', '', '', goal]
}

/** Calls a second of eight callers, each of which waits for its answer. */
async function perSecond(work: () => Promise<unknown>): Promise<number> {
  const calls = 440 * runs.long
  const started = performance.now()
  const callers = Array.from({ length: 8 }, async () => {
    for (let call = 0; call < calls / 8; call++) await work()
  })
  await Promise.all(callers)
  return (calls * 1000) / (performance.now() - started)
}

/** Milliseconds of a preview with nothing started before. */
async function firstPreview(path: string): Promise<number> {
  const fresh = createDocuments()
  const started = performance.now()
  await fresh.page({ path }, 1, shown)
  const taken = performance.now() - started
  await fresh.close()
  return taken
}

function peakMegabytes(pdf: string, tiff: string): number {
  const program = fileURLToPath(new URL('../../packages/documents/src/testing/peak-memory.ts', import.meta.url))
  return Number(execFileSync(process.execPath, [program, pdf, tiff])) / 2 ** 20
}
