import { execFileSync } from 'node:child_process'
import { accessSync, constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { onTestFinished, type TestContext } from 'vitest'
import { type Bitmap, bitmapFromPacked } from '../raster/bitmap.ts'
import { defaultLimits } from '../base/limits.ts'
import { encodeT4, type T4Options } from '../t4-t6/t4-encode.ts'
import { encodeT6 } from '../t4-t6/t6-encode.ts'
import { copyTiffToPdf } from '../tiff/pdf.ts'
import { readTiff } from '../tiff/read.ts'
import { writeTiff } from '../tiff/write.ts'

/** Programs by other authors that judge what is written here, and the Debian package each comes from. */
const packages = {
  tiffcp: 'libtiff-tools',
  tiffinfo: 'libtiff-tools',
  gs: 'ghostscript',
  pdfimages: 'poppler-utils',
  pdftotext: 'poppler-utils',
  pdffonts: 'poppler-utils',
  pdfinfo: 'poppler-utils',
  qpdf: 'qpdf',
  pdftoppm: 'poppler-utils',
  'hb-shape': 'libharfbuzz-bin',
  wat2wasm: 'wabt',
  tesseract: 'tesseract-ocr',
  zbarimg: 'zbar-tools',
  zint: 'zint',
  'heif-convert': 'libheif-examples',
}

export type Judge = keyof typeof packages

/** Skips the test with one sentence when the judge is not installed. */
export function requireJudge(context: TestContext, judge: Judge): void {
  const installed = (process.env['PATH'] ?? '').split(delimiter).some((folder) => isProgram(join(folder, judge)))
  context.skip(!installed, `${judge} is not on the PATH: install ${packages[judge]} to have this judged independently.`)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Runs a judge and returns what it prints; throws when it finds fault. */
export function runJudge(judge: Judge, ...args: string[]): string {
  return execFileSync(judge, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

/** A folder of its own for a test, removed when it is finished. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'faxdeck-documents-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Writes bitmaps as the pages of a TIFF file, coded with T.6 unless `t4` says how. */
export async function writePages(
  path: string,
  bitmaps: readonly Bitmap[],
  dotsDown = 196,
  t4?: T4Options,
): Promise<void> {
  async function* pages() {
    for (const bitmap of bitmaps) {
      const { width, height } = bitmap
      yield t4 ? { width, height, data: encodeT4(bitmap, t4), t4 } : { width, height, data: encodeT6(bitmap) }
    }
  }
  await writeTiff(path, pages(), bitmaps.length, dotsDown)
}

/** The pages of a TIFF file as libtiff decodes them. */
export function decodeByLibtiff(path: string): Bitmap[] {
  runJudge('tiffcp', '-c', 'none', '-f', 'msb2lsb', path, `${path}.plain`)
  return readPlainTiff(`${path}.plain`)
}

/** The pages of a TIFF file of CCITT data in one strip each, as Ghostscript decodes that data in a PDF. */
export function decodeByGhostscript(path: string): Bitmap[] {
  const file = readFileSync(path)
  const pdf = copyTiffToPdf(file, readTiff(file, defaultLimits))
  if (!pdf) throw new Error('The pages are not in one strip each.')
  writeFileSync(`${path}.pdf`, pdf)
  const device = ['-q', '-dNOPAUSE', '-dBATCH', '-sDEVICE=pbmraw', '-r204x196']
  runJudge('gs', ...device, `-sOutputFile=${path}.pbm`, `${path}.pdf`)
  return readPortableBitmaps(readFileSync(`${path}.pbm`))
}

/** The pages of an uncompressed bilevel TIFF file, white being 0. */
function readPlainTiff(path: string): Bitmap[] {
  const file = readFileSync(path)
  return readTiff(file, defaultLimits).map(({ strips, width, height }) => {
    const rows = strips.map(({ offset, length }) => file.subarray(offset, offset + length))
    return bitmapFromPacked(Buffer.concat(rows), width, height)
  })
}

/** The pages of a file of raw portable bitmaps (`P4`), one after the other. */
export function readPortableBitmaps(file: Buffer): Bitmap[] {
  const bitmaps: Bitmap[] = []
  for (let at = 0; at < file.length;) {
    const header = /^P4\s+(?:#.*\n)?(\d+)\s+(\d+)\s/.exec(file.toString('latin1', at, at + 200))
    if (!header) throw new Error('Not a portable bitmap.')
    const [width, height] = [Number(header[1]), Number(header[2])]
    const start = at + header[0].length
    at = start + ((width + 7) >> 3) * height
    bitmaps.push(bitmapFromPacked(file.subarray(start, at), width, height))
  }
  return bitmaps
}
