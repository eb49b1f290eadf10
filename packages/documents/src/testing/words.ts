import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bitmap } from '../raster/bitmap.ts'
import { layOnPage } from '../raster/gray-page.ts'
import { faxRows, pageFit, placeOnPaper, type Resolution } from '../raster/paper.ts'
import { runJudge } from './judges.ts'

/** A word as poppler finds it on a page, in points, and whether it can be seen where poppler draws it. */
export interface Word {
  text: string
  left: number
  top: number
  right: number
  bottom: number
}

const letter = { width: 612, height: 792 }
const dots = { across: 204, down: 196 }
/** Tones of a word that can be seen lie at least so far apart. */
const visible = 56

/** The first page of a PDF of letter paper as poppler draws it in gray, where it lies on a fax page. */
export function popplerPage(pdf: Uint8Array, folder: string, resolution: Resolution): Uint8Array {
  const place = placeOnPaper(letter, 'letter', resolution, pageFit)
  const path = join(folder, 'gray')
  writeFileSync(`${path}.pdf`, pdf)
  const size = ['-scale-to-x', `${place.width}`, '-scale-to-y', `${place.height}`]
  runJudge('pdftoppm', '-gray', '-singlefile', ...size, `${path}.pdf`, path)
  const { pixels } = readPortableGray(readFileSync(`${path}.pgm`))
  return layOnPage({ ...place, pixels }, place, faxRows('letter', resolution))
}

/** The words of a page of letter paper, counted from 1, that can be seen when poppler draws it in gray. */
export function visibleWords(pdf: Uint8Array, folder: string, number = 1): Word[] {
  const path = join(folder, 'page.pdf')
  writeFileSync(path, pdf)
  runJudge(
    'pdftoppm',
    '-gray',
    '-singlefile',
    '-f',
    `${number}`,
    '-rx',
    `${dots.across}`,
    '-ry',
    `${dots.down}`,
    path,
    join(folder, 'page'),
  )
  const gray = readPortableGray(readFileSync(join(folder, 'page.pgm')))
  const boxes = /<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">(.*?)</g
  const only = ['-f', `${number}`, '-l', `${number}`]
  const words: Word[] = []
  for (const [, left, top, right, bottom, text = ''] of runJudge('pdftotext', ...only, '-bbox', path, '-').matchAll(
    boxes,
  )) {
    // Above and below letters there is room in a box, where the ground may end.
    const rim = 0.18 * (Number(bottom) - Number(top))
    const word = {
      text,
      left: Number(left),
      top: Number(top) + rim,
      right: Number(right),
      bottom: Number(bottom) - rim,
    }
    let [lowest, highest] = [255, 0]
    for (const at of pixelsOf(word, dots.across / 72, dots.down / 72, gray.width)) {
      lowest = Math.min(lowest, gray.pixels[at]!)
      highest = Math.max(highest, gray.pixels[at]!)
    }
    if (highest - lowest >= visible) words.push(word)
  }
  return words
}

/** The words of which a fax page on letter paper shows nothing: they are black or white all over. */
export function lostWords(bitmap: Bitmap, words: readonly Word[], resolution: Resolution): string[] {
  const place = placeOnPaper(letter, 'letter', resolution, pageFit)
  const [across, down] = [place.width / letter.width, place.height / letter.height]
  const stride = bitmap.rowWords * 32
  return words
    .filter((word) => {
      let [black, all] = [0, 0]
      for (const at of pixelsOf(word, across, down, stride, place.left, place.top)) {
        black += (bitmap.words[at >> 5]! >>> (31 - (at & 31))) & 1
        all++
      }
      return black < 0.015 * all || black > 0.985 * all
    })
    .map(({ text }) => text)
}

function* pixelsOf(word: Word, across: number, down: number, stride: number, left = 0, top = 0): Generator<number> {
  for (let y = Math.round(top + word.top * down); y < top + word.bottom * down; y++) {
    for (let x = Math.round(left + word.left * across); x < left + word.right * across; x++) yield y * stride + x
  }
}

/** A raw portable gray map (`P5`). */
function readPortableGray(file: Buffer): { pixels: Uint8Array; width: number } {
  const header = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(file.toString('latin1', 0, 60))
  if (!header) throw new Error('Not a portable gray map.')
  return { pixels: file.subarray(header[0].length), width: Number(header[1]) }
}
