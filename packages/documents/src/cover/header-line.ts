import { type Bitmap, createBitmap } from '../raster/bitmap.ts'
import { toBilevel } from '../contrast/bilevel.ts'
import type { Limits } from '../base/limits.ts'
import type { FaxPage } from '../raster/page-notes.ts'
import { dotsAcross, dotsDown, faxWidth, type Resolution } from '../raster/paper.ts'
import { PdfDocument } from '../pdf/document.ts'
import { guardPdfium, isSound, startPdfium } from '../pdf/engine.ts'
import { chooseFonts } from '../fonts/system-fonts.ts'
import { shorten, Typesetter, widthOf } from '../text/typeset.ts'

/**
 * What stands at the top of every page beside its number: 47 CFR 68.318(d) wants date and time of the transmission, the
 * sender, and the number of the sending machine.
 */
export interface HeaderLine {
  /** Date and time as they are to be read. */
  when: string
  sender: string | null
  station: string | null
}

/** The line of each page of a document, drawn. Close it when done. */
export interface HeaderStrips {
  /** Of the page with this index. */
  draw(index: number, resolution: Resolution): Bitmap
  close(): void
  stale(): boolean
}

/** Rows of a fine page that the line takes, with white above and below. Standard pages take half. */
const stripRows = 40
const strip = { width: (faxWidth * 72) / dotsAcross, height: (stripRows * 72) / dotsDown.fine }
const type = { size: 9, baseline: 4, margin: 18, gap: 14 }

/** Sets the lines of all `total` pages. What is too long is shortened, the sender first; the number of the page never. */
export async function openHeader(header: HeaderLine, total: number, limits: Limits): Promise<HeaderStrips> {
  const pdfium = await startPdfium()
  const room = { ...limits, pages: Math.max(limits.pages, total) }
  const pdf = guardPdfium(() => new PdfDocument(pdfium, setLines(header, total), room))
  return {
    draw(index, resolution) {
      const rows = resolution === 'fine' ? stripRows : stripRows / 2
      const place = { left: 0, top: 0, width: faxWidth, height: rows, turned: false }
      return guardPdfium(() =>
        pdf.render(
          index,
          place,
          rows,
          ({ pixels, width, height }) => toBilevel(pixels, width, height, { resolution, tones: 'text' }),
          resolution,
        ),
      )
    },
    close: () => guardPdfium(() => pdf.close()),
    stale: () => !isSound(pdfium),
  }
}

function setLines({ when, sender, station }: HeaderLine, total: number): Uint8Array {
  chooseFonts(`${when} ${sender ?? ''}`)
  const typesetter = new Typesetter()
  const { size, baseline: y, margin, gap } = type
  for (let page = 1; page <= total; page++) {
    const count = `Page ${page} of ${total}`
    const countAt = strip.width - margin - widthOf(count, size)
    typesetter.write(count, { x: countAt, y, size })
    typesetter.write(when, { x: margin, y, size })
    const senderAt = margin + widthOf(when, size) + gap
    const number = station === null ? '' : shorten(station, size, countAt - senderAt - gap)
    const numberWidth = number === '' ? 0 : widthOf(number, size) + gap
    const name = shorten(sender ?? '', size, countAt - gap - numberWidth - senderAt)
    typesetter.write(name, { x: senderAt, y, size })
    typesetter.write(number, { x: countAt - numberWidth, y, size })
    typesetter.endPage(strip.width, strip.height)
  }
  return typesetter.finish()
}

/**
 * Puts the line on top of a page. Nothing of the page is cut, covered or scaled: the line takes the place of rows that
 * are white, those at the top first, then the page moves down into those at the bottom. Only a page that has not enough
 * white rows becomes longer, by what is missing: every fax machine takes such a page, and many of them keep a few
 * millimetres of margin anyway.
 */
export function addHeader(page: FaxPage, line: Bitmap): FaxPage {
  const { top, bottom } = whiteRows(page)
  const down = Math.max(0, line.height - top)
  const headed = createBitmap(page.width, Math.max(page.height, page.height + down - bottom))
  const from = Math.min(top, page.height) * page.rowWords
  const inked = page.words.subarray(from, (page.height - bottom) * page.rowWords)
  headed.words.set(inked, (top + down) * headed.rowWords)
  for (let y = 0; y < line.height; y++) {
    headed.words.set(line.words.subarray(y * line.rowWords, (y + 1) * line.rowWords), y * headed.rowWords)
  }
  const lost = page.lost?.map((place) => ({ ...place, top: place.top + down }))
  return { ...headed, ...(lost && { lost }), ...(page.isBlank && { isBlank: true }) }
}

/** White rows above and below the ink; of a page without any, all are above. */
function whiteRows({ words, rowWords, height }: Bitmap): { top: number; bottom: number } {
  const first = words.findIndex((word) => word !== 0)
  if (first === -1) return { top: height, bottom: 0 }
  const last = words.findLastIndex((word) => word !== 0)
  return { top: Math.floor(first / rowWords), bottom: height - 1 - Math.floor(last / rowWords) }
}
