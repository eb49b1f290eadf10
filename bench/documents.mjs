// Documents: what intake, fax pages and PDF cost, beside Ghostscript, libtiff and the image library in the same run.
// Run: node bench/documents.mjs (Node 24). The others are measured where they are installed.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { createDocuments } from '../packages/documents/src/index.ts'
import { letterPdf } from '../packages/documents/src/testing/pdf-samples.ts'
import { readPages } from '../packages/documents/src/testing/samples.ts'
import { encodeT6 } from '../packages/documents/src/t6-encode.ts'
import { comparePages } from './documents/page-sizes.mjs'

const fine = { resolution: 'fine', paper: 'letter' }
const folder = mkdtempSync(join(tmpdir(), 'faxdeck-bench-'))
const at = (name) => join(folder, name)
const documents = createDocuments()
const rows = []

const text = Buffer.from(
  Array.from({ length: 50 }, (_, line) => `${line + 1}. the quick brown fox jumps over the lazy dog`).join('\n'),
)
const letter = letterPdf()
const gsOptions = [
  '-q',
  '-dNOPAUSE',
  '-dBATCH',
  '-dSAFER',
  '-sDEVICE=tiffg4',
  '-r204x196',
  '-g1728x2156',
  '-dPDFFitPage',
]
const ghostscript = (from, to) => run('gs', ...gsOptions, `-sOutputFile=${at(to)}`, at(from))

function run(program, ...args) {
  execFileSync(program, args, { stdio: 'ignore' })
}

function installed(program) {
  try {
    execFileSync('which', [program], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Median of `times` runs in milliseconds, after `warm` runs that do not count. */
async function median(work, times = 15, warm = 5) {
  const taken = []
  for (let count = 0; count < warm + times; count++) {
    const started = performance.now()
    await work()
    if (count >= warm) taken.push(performance.now() - started)
  }
  return taken.sort((a, b) => a - b)[times >> 1]
}

/** Calls a second with eight callers, each waiting for its answer. */
async function perSecond(work, calls) {
  const callers = async () => {
    for (let count = 0; count < calls / 8; count++) await work()
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: 8 }, callers))
  return (calls * 1000) / (performance.now() - started)
}

function report(what, ours, other = '', theirs = undefined) {
  const format = (value) => (typeof value === 'number' ? value.toFixed(value < 10 ? 2 : 0) : value)
  const ratio = typeof theirs === 'number' ? `${(theirs / ours).toFixed(1)}×` : ''
  rows.push({ what, ours: format(ours), other: theirs === undefined ? '' : `${other} ${format(theirs)}`, ratio })
}

async function intake() {
  await perSecond(() => documents.inspect(letter), 2000)
  report('inspect a one-page PDF, calls/s', await perSecond(() => documents.inspect(letter), 10_000))
  report('inspect a one-page text, calls/s', await perSecond(() => documents.inspect(text), 20_000))
}

async function faxPages() {
  const hasGs = installed('gs')
  for (const [pages, times] of [
    [1, 25],
    [100, 5],
  ]) {
    writeFileSync(at(`${pages}.pdf`), letterPdf(pages))
    const ours = await median(() => documents.toTiff({ path: at(`${pages}.pdf`) }, at(`${pages}.tif`), fine), times)
    const theirs = hasGs ? await median(() => ghostscript(`${pages}.pdf`, `gs${pages}.tif`), times, 1) : undefined
    report(`PDF of ${pages} to TIFF G4, ms`, ours, 'Ghostscript', theirs)
  }
  const bytes = hasGs ? statSync(at('gs100.tif')).size / 100 : undefined
  report('bytes a page', statSync(at('100.tif')).size / 100, 'Ghostscript', bytes)
  report('text of 1 to TIFF G4, ms', await median(() => documents.toTiff(text, at('text.tif'), fine)))
  const preview = () => documents.page({ path: at('100.pdf') }, 1, { ...fine, width: 480 })
  report('preview of page 1 of 100, ms', await median(preview))
}

async function coding() {
  const [page] = readPages(at('1.tif'))
  const grey = await sharp(at('1.tif')).greyscale().toColourspace('b-w').raw().toBuffer()
  const raw = { width: page.width, height: page.height, channels: 1 }
  const bySharp = () =>
    sharp(grey, { raw }).toColourspace('b-w').tiff({ compression: 'ccittfax4', bitdepth: 1 }).toBuffer()
  report('T.6 coding of one page, ms', await median(() => encodeT6(page), 50), 'sharp', await median(bySharp))
}

async function received() {
  for (const pages of [1, 100]) {
    const ours = await median(() => documents.tiffToPdf({ path: at(`${pages}.tif`) }))
    const tiff2pdf = () => run('tiff2pdf', '-o', at('out.pdf'), at(`${pages}.tif`))
    const theirs = installed('tiff2pdf') ? await median(tiff2pdf) : undefined
    report(`TIFF of ${pages} to PDF, ms`, ours, 'tiff2pdf', theirs)
  }
}

async function main() {
  await intake()
  await faxPages()
  await coding()
  await received()
  console.log(`Documents on ${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}`)
  console.table(rows)
  await comparePages(documents, folder, fine, installed('gs'))
}

try {
  await main()
} finally {
  await documents.close()
  rmSync(folder, { recursive: true })
}
