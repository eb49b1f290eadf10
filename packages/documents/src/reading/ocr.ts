import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { gunzipSync } from 'node:zlib'
import type { Bitmap } from '../raster/bitmap.ts'
import { packBitmap } from '../raster/bitmap.ts'
import { dotsAcross } from '../raster/paper.ts'
import type { PageWord } from '../raster/page-text.ts'

/** The part of Tesseract's interface (baseapi.h) that is used here, as emscripten gives it. */
interface TessBaseApi {
  Init(path: null, languages: string, engine: number): number
  SetVariable(name: string, value: string): void
  SetPageSegMode(mode: number): void
  SetImageFile(exif: number, angle: number, upscale: number): number
  Recognize(monitor: null): number
  GetTSVText(page: number): string
  Clear(): void
}

interface TesseractModule {
  FS: { writeFile: (path: string, bytes: Uint8Array) => void; unlink: (path: string) => void }
  TessBaseAPI: new () => TessBaseApi
}

/** OEM_LSTM_ONLY and PSM_AUTO of Tesseract's publictypes.h. */
const lstmOnly = 1
const wholePage = 3
const input = '/input'
/** Words of which Tesseract is less sure, in percent, are mostly the grain of pictures. */
const leastConfidence = 30
/** Rows that are read at most: about five letters, one below the other. */
const maxRows = 10_000

const require = createRequire(import.meta.url)

/** The file of a language's data, from its package; undefined when that is not installed. */
function dataOf(language: string): string | undefined {
  try {
    return require.resolve(`@tesseract.js-data/${language}/4.0.0_best_int/${language}.traineddata.gz`)
  } catch {
    return undefined
  }
}

/** Those of the languages (as Tesseract names them: `eng`, `deu`) whose data is installed. */
function installedLanguages(languages: readonly string[]): string[] {
  return languages.filter((language) => /^[a-z_]{3,12}$/i.test(language) && dataOf(language) !== undefined)
}

let running: { languages: string; tesseract: TesseractModule; api: TessBaseApi } | undefined

/** Nothing is fetched: program and data come from packages. The thread that runs it ends when it is idle, and with it its memory. */
async function engineFor(languages: readonly string[]) {
  const wanted = languages.join('+')
  if (running?.languages === wanted) return running
  const start = require('tesseract.js-core/tesseract-core-relaxedsimd-lstm.js') as (
    options: object,
  ) => Promise<TesseractModule>
  const silent = () => undefined
  const tesseract = running?.tesseract ?? (await start({ print: silent, printErr: silent }))
  for (const language of languages) {
    const data = dataOf(language)
    if (data) tesseract.FS.writeFile(`${language}.traineddata`, gunzipSync(readFileSync(data)))
  }
  const api = new tesseract.TessBaseAPI()
  if (api.Init(null, wanted, lstmOnly) !== 0) throw new Error(`Tesseract cannot read with the languages ${wanted}.`)
  running = { languages: wanted, tesseract, api }
  return running
}

/**
 * Recognizes the words on a fine fax page. Empty when none of the languages is installed.
 * @throws what Tesseract crashed with; the next page then gets a fresh one
 */
export async function recognizeWords(page: Bitmap, languages: readonly string[]): Promise<PageWord[]> {
  const installed = installedLanguages(languages)
  if (installed.length === 0) return []
  const height = Math.min(page.height, maxRows)
  const { tesseract, api } = await engineFor(installed)
  try {
    // A portable bitmap, which is packed as ours are.
    const head = Buffer.from(`P4\n${page.width} ${height}\n`, 'latin1')
    tesseract.FS.writeFile(input, Buffer.concat([head, packBitmap({ ...page, height })]))
    api.SetVariable('user_defined_dpi', String(dotsAcross))
    api.SetPageSegMode(wholePage)
    if (api.SetImageFile(1, 0, 0) !== 0) throw new Error('Tesseract cannot read the picture of the page.')
    if (api.Recognize(null) !== 0) throw new Error('Tesseract gave up on the page.')
    return wordsOf(api.GetTSVText(0), page)
  } catch (error) {
    running = undefined
    throw error
  } finally {
    running?.api.Clear()
    running?.tesseract.FS.unlink(input)
  }
}

/** Tesseract's table: level, page, block, paragraph, line, word, left, top, width, height, confidence, text. */
function wordsOf(table: string, page: Bitmap): PageWord[] {
  return table.split('\n').flatMap((row) => {
    const [level, , , , , , left, top, width, height, confidence, text] = row.split('\t')
    if (level !== '5' || !text || text.trim() === '' || Number(confidence) < leastConfidence) return []
    return {
      text: text.trim().normalize('NFKC'),
      left: Number(left) / page.width,
      top: Number(top) / page.height,
      width: Number(width) / page.width,
      height: Number(height) / page.height,
    }
  })
}
