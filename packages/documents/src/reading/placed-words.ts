import { join, type Matrix } from '../pdf/matrix.ts'
import type { Pdfium } from '../pdf/pdfium.ts'
import { faxWidth, type Placement } from '../raster/paper.ts'
import { decimal } from '../pdf-file/write.ts'
import { advance, ascent, type LayerCodes } from './layer-font.ts'
import type { PageWord } from '../raster/page-text.ts'

/** Words and the way from shares of the width and height of a fax page to points of the page they are put on. */
export interface PlacedWords {
  words: readonly PageWord[]
  toPage: Matrix
}

/** Content operators that put words where they stand, as text that cannot be seen, in the font `font`. */
export function layerOf(placed: readonly PlacedWords[], codes: LayerCodes, font: string): Buffer {
  const shown = placed.flatMap(({ words, toPage }) =>
    words.flatMap((word) => {
      const { hex, length } = codes.encode(`${word.text} `)
      // The space behind a word is as wide as any letter, and not part of the place.
      const matrix = join(emOf(word, length - 1), toPage)
      const isFlat = !matrix.every(Number.isFinite) || Math.hypot(matrix[2], matrix[3]) < 0.5
      return length < 2 || isFlat ? [] : `${matrix.map(decimal).join(' ')} Tm<${hex}>Tj`
    }),
  )
  return Buffer.from(['q BT 3 Tr', `/${font} 1 Tf`, ...shown, 'ET Q'].join('\n'), 'latin1')
}

/** From the em of the font, of which a word has so many letters, to shares of the fax page. */
const emOf = ({ left, top, width, height }: PageWord, letters: number): Matrix => {
  const across = (width * 1000) / (letters * advance)
  return [across, 0, 0, -height, left, top + (height * ascent) / 1000]
}

/** Points so far apart that rounding does not count. */
const far = 10_000

/** From shares of a fax page of `rows` rows to points of the page that is placed on it. Call it inside `guardPdfium`. */
export function fromFaxPage(pdfium: Pdfium, page: number, place: Placement, rows: number): Matrix {
  const { left, top, width, height, turned } = place
  const { room } = pdfium
  const ask = (x: number, y: number): [number, number] => {
    pdfium.FPDF_DeviceToPage(page, left, top, width, height, turned ? 1 : 0, x, y, room, room + 8)
    const [across = NaN, up = NaN] = new Float64Array(pdfium.pdfium.HEAPU8.buffer.slice(room, room + 16))
    return [across, up]
  }
  const [[x, y], [xAcross, yAcross], [xDown, yDown]] = [ask(0, 0), ask(far, 0), ask(0, far)]
  const [across, down] = [faxWidth / far, rows / far]
  return [(xAcross - x) * across, (yAcross - y) * across, (xDown - x) * down, (yDown - y) * down, x, y]
}

/** The same for a page whose edges are shifted. */
export const shifted = ([a, b, c, d, e, f]: Matrix, across: number, up: number): Matrix => [
  a,
  b,
  c,
  d,
  e + across,
  f + up,
]
