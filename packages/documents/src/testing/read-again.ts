import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { type Bitmap, packBitmap } from '../raster/bitmap.ts'
import { dotsAcross, dotsDown, type Resolution } from '../raster/paper.ts'
import { pdfOf, streamOf } from './pdf-samples.ts'

export type Typeface = 'Times-Roman' | 'Helvetica'

/** Mean width of a letter, as a share of the size of the type. */
const letterWidth: Record<Typeface, number> = { 'Times-Roman': 0.43, Helvetica: 0.49 }
const [column, top, lead] = [468, 730, 1.2]
/** What a page is scaled to for reading, in dots an inch: tesseract is made for scans of books. */
const readingDots = 300

/**
 * Prose of some three thousand letters that may be shipped: the license of the bundled fonts, without its paragraphs in
 * capitals, whose lines would be wider than the page.
 */
const prose = readFileSync(new URL('../../fonts/LICENSE', import.meta.url), 'utf8')
  .split(/\n\s*\n/)
  .filter((paragraph) => !paragraph.includes('---') && !/([A-Z]{3,} ){4}/.test(paragraph))
  .join(' ')
  .replace(/[^\x20-\x7e]+/g, ' ')
  .replace(/\s+/g, ' ')
  .trim()

/** How a page of prose is laid out. */
export interface Prose {
  /** From 0 (black) to 1 (white). */
  gray?: number
  /** Lines at most. */
  max?: number
  /** Points by which everything lies lower, so that the lines fall on other places of the grid. */
  down?: number
}

/** Lines of prose in one size, and what they say. */
export function pageOfProse(face: Typeface, size: number, options: Prose = {}): { pdf: Buffer; text: string } {
  const { gray = 0, max = 50, down = 0 } = options
  const letters = Math.floor(column / (letterWidth[face] * size))
  const lines = ['']
  for (const word of prose.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`.trim()
    if (longer.length > letters) lines.push(word)
    else lines[lines.length - 1] = longer
  }
  lines.splice(max)
  const shown = lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj T*`).join('\n')
  const content = `${gray} g BT /F1 ${size} Tf ${(size * lead).toFixed(2)} TL 72 ${(top - down).toFixed(2)} Td\n${shown}\nET`
  const font = `<</Type/Font/Subtype/Type1/BaseFont/${face}>>`
  const form = `/Type/XObject/Subtype/Form/BBox[0 0 612 792]/Resources<</Font<</F1${font}>>>>`
  return { pdf: pdfOf([{ content: '/X Do' }], [streamOf(content, form)]), text: lines.join(' ') }
}

/**
 * Percent of the letters of `text` that tesseract does not read on a fax page, or reads where there are none.
 * @param language a code of tesseract's language data
 */
export async function misread(page: Bitmap, resolution: Resolution, text: string, language = 'eng'): Promise<number> {
  const shown = await readByTesseract(await pictureOf(page, resolution), '6', language)
  return (100 * distance(plain(shown), plain(text))) / plain(text).length
}

/** The words of small letters that tesseract reads on a fax page. */
export async function wordsRead(page: Bitmap, resolution: Resolution): Promise<Set<string>> {
  return new Set((await readByTesseract(await pictureOf(page, resolution), '3')).match(/[a-z]+/g))
}

/** A fax page, white below its last row, as tesseract reads best. */
async function pictureOf(page: Bitmap, resolution: Resolution): Promise<Buffer> {
  const height = Math.ceil((page.words.findLastIndex((word) => word !== 0) + 1) / page.rowWords) + 40
  const packed = packBitmap({ ...page, height }).map((byte) => ~byte)
  const width = Math.ceil(page.width / 8) * 8
  const gray = new Uint8Array(width * height)
  for (let at = 0; at < gray.length; at++) gray[at] = (packed[at >> 3]! >> (7 - (at & 7))) & 1 ? 255 : 0
  const [across, down] = [readingDots / dotsAcross, readingDots / dotsDown[resolution]]
  return sharp(gray, { raw: { width, height, channels: 1 } })
    .resize(Math.round(width * across), Math.round(height * down), { fit: 'fill', kernel: 'cubic' })
    .png()
    .toBuffer()
}

/** `layout` is tesseract's page segmentation: 3 finds columns, 6 takes one block of lines. */
async function readByTesseract(png: Buffer, layout: '3' | '6', language = 'eng'): Promise<string> {
  const options = ['-', '-', '-l', language, '--psm', layout, '--dpi', String(readingDots)]
  const running = promisify(execFile)('tesseract', options, { env: { ...process.env, OMP_THREAD_LIMIT: '1' } })
  running.child.stdin?.end(png)
  return (await running).stdout
}

const plain = (text: string) =>
  text
    // The language data for Tamil puts it behind every pulli.
    .replaceAll('\u200c', '')
    .replace(/[‘’´`]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[–—]/g, '-')
    .replace(/\s+/g, ' ')
    .trim()

/** Letters to put in, take out or change until one text is the other. */
function distance(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row++) {
    const own = [row]
    for (let at = 1; at <= to.length; at++) {
      const change = above[at - 1]! + (from[row - 1] === to[at - 1] ? 0 : 1)
      own.push(Math.min(change, above[at]! + 1, own[at - 1]! + 1))
    }
    above = own
  }
  return above[to.length]!
}
