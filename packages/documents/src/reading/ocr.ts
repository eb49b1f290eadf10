import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { gunzipSync } from 'node:zlib'
import type { Bitmap } from '../raster/bitmap.ts'
import { dotsAcross, dotsDown } from '../raster/paper.ts'
import { type GrayImage, portableGray, scaleToGray } from '../raster/scale.ts'
import { findLie, letterRows, turned } from '../tidy/orientation.ts'
import { tidyPage } from '../tidy/tidy-page.ts'
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

/** Comes along: the fast data, which takes half the time, and reads faxes as well once they are prepared as here. */
const own = 'eng'

/** The file of a language's data, that of all but English from its package; undefined when that is not installed. */
function dataOf(language: string): URL | string | undefined {
  if (language === own) return new URL(`../../ocr/${own}.traineddata.gz`, import.meta.url)
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

/** What Tesseract makes of a page that lies in some way. */
interface Reading {
  words: PageWord[]
  /** Letters of all words, and of those that it is sure of: there are few of these where it stands on its head. */
  letters: number
  sure: number
}

/** Percent from which Tesseract is sure of a word. */
const sureFrom = 70
/** A page of fewer letters is not read a second time; one with such a share of sure ones is read as it is meant. */
const good = { letters: 20, share: 0.3 }

const isGood = ({ letters, sure }: Reading) => letters < good.letters || sure >= good.share * letters

/**
 * Recognizes the words on a fine fax page, however it lies, where they stand on it. Empty when none of the languages is
 * installed.
 * @throws what Tesseract crashed with; the next page then gets a fresh one
 */
export async function recognizeWords(page: Bitmap, languages: readonly string[]): Promise<PageWord[]> {
  const installed = installedLanguages(languages)
  if (installed.length === 0) return []
  const whole = page.height <= maxRows ? page : { ...page, height: maxRows }
  const { bitmap, degrees } = tidyPage(whole, dotsDown.fine, { deskew: true, despeckle: true })
  let best: { reading: Reading; turns: number } | undefined
  for (const turns of findLie(bitmap, { across: dotsAcross, down: dotsDown.fine }).turns) {
    const reading = await readUpright(turned(bitmap, turns), installed)
    if (!best || reading.sure > best.reading.sure) best = { reading, turns }
    if (isGood(reading)) break
  }
  const { reading, turns } = best ?? { reading: { words: [] }, turns: 0 }
  const share = whole.height / page.height
  return reading.words.map((word) => {
    const { top, height, ...placed } = skewed(turnedBack(word, turns), degrees, whole)
    return { ...placed, top: top * share, height: height * share }
  })
}

/** A word on the page before it was turned so many quarters to the right. */
function turnedBack(word: PageWord, turns: number): PageWord {
  if (turns === 0) return word
  const { text, left, top, width, height } = word
  return turnedBack({ text, left: top, top: 1 - left - width, width: height, height: width }, turns - 1)
}

/** Rows of small letters below which a page that is no longer is enlarged; others are so much narrower, which is quicker and as good. */
const small = { rows: 13, larger: 1.5, longest: 4000 }
const narrower = 0.8

/** In grays, because the edges of pixels are no part of letters. */
async function readUpright(page: Bitmap, installed: readonly string[]): Promise<Reading> {
  const rows = letterRows(page, dotsDown.fine)
  const times = rows > 0 && rows < small.rows && page.height <= small.longest ? small.larger : 1
  const across = times === 1 && installed.every((language) => language === own) ? narrower : times
  const gray =
    times === 1 ? scaleToGray(page, Math.round(page.width * across), page.height) : await enlarge(page, times)
  const { tesseract, api } = await engineFor(installed)
  try {
    tesseract.FS.writeFile(input, portableGray(gray))
    api.SetVariable('user_defined_dpi', String(dotsAcross * times))
    api.SetPageSegMode(wholePage)
    if (api.SetImageFile(1, 0, 0) !== 0) throw new Error('Tesseract cannot read the picture of the page.')
    if (api.Recognize(null) !== 0) throw new Error('Tesseract gave up on the page.')
    return readingOf(api.GetTSVText(0), gray)
  } catch (error) {
    running = undefined
    throw error
  } finally {
    running?.api.Clear()
    running?.tesseract.FS.unlink(input)
  }
}

/** Smoothly: steps along the edges of small letters are taken for parts of them. */
async function enlarge(page: Bitmap, times: number): Promise<GrayImage> {
  const { pixels, width, height } = scaleToGray(page, page.width, page.height)
  const [across, down] = [Math.round(width * times), Math.round(height * times)]
  const { default: sharp } = await import('sharp')
  const larger = sharp(pixels, { raw: { width, height, channels: 1 } })
    .resize(across, down, { fit: 'fill', kernel: 'cubic' })
    .toColorspace('b-w')
  return { pixels: await larger.raw().toBuffer(), width: across, height: down }
}

/** Tesseract's table: level, page, block, paragraph, line, word, left, top, width, height, confidence, text. */
function readingOf(table: string, page: { width: number; height: number }): Reading {
  const reading: Reading = { words: [], letters: 0, sure: 0 }
  for (const row of table.split('\n')) {
    const [level, , , , , , left, top, width, height, confidence, text] = row.split('\t')
    if (level !== '5' || !text || text.trim() === '') continue
    reading.letters += text.length
    if (Number(confidence) >= sureFrom) reading.sure += text.length
    if (Number(confidence) < leastConfidence) continue
    reading.words.push({
      text: text.trim().normalize('NFKC'),
      left: Number(left) / page.width,
      top: Number(top) / page.height,
      width: Number(width) / page.width,
      height: Number(height) / page.height,
    })
  }
  return reading
}

/** A word on the page before it was leveled by `level`: first its rows went sideways, and then its columns up or down. */
function skewed(word: PageWord, degrees: number, { width, height }: Bitmap): PageWord {
  if (degrees === 0) return word
  const slope = Math.tan((degrees * Math.PI) / 180)
  const aspect = dotsDown.fine / dotsAcross
  const [x, y] = [(word.left + word.width / 2) * width, (word.top + word.height / 2) * height]
  const across = ((height / 2 - y) / aspect) * slope
  const down = (x - across - width / 2) * slope * aspect
  return { ...word, left: word.left - across / width, top: word.top - down / height }
}
