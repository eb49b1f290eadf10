import { defaultLimits } from '../base/limits.ts'
import { PdfDocument } from '../pdf/document.ts'
import { startPdfium } from '../pdf/engine.ts'
import { landscape, seeded } from './drawn-pictures.ts'
import { pickOf, type Random, rgb, text, wordsOf } from './foreign-parts.ts'
import { jpegStream } from './made-pages.ts'
import { pdfOf } from './pdf-samples.ts'

const bold = '/B<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold>>'
const box = (x: number, y: number, width: number, height: number) =>
  `${x.toFixed(2)} ${y.toFixed(2)} ${width.toFixed(2)} ${height.toFixed(2)} re`
const between = (random: Random, low: number, high: number) => low + (high - low) * random()
/** A gray as PDF has it, from tones as pages have them. */
const gray = (random: Random, low = 120, high = 245) => between(random, low, high) / 255
const amount = (random: Random) => `$${Math.floor(9000 * random())}.${10 + Math.floor(90 * random())}`
const title = (random: Random) => `0 g ${text('B', 14, 54, 742, wordsOf(random, 4))}`

/** Cells of many grays with rules around them; many are empty. */
function grayCells(random: Random): string {
  const lines = [title(random)]
  const columns = 3 + Math.floor(4 * random())
  const height = between(random, 9, 20)
  const grounds = [gray(random), gray(random), 1]
  for (let y = 720; y > 80; y -= height) {
    const ground = pickOf(random)(grounds)
    for (let column = 0; column < columns; column++) {
      const [x, width] = [54 + (504 / columns) * column, 504 / columns]
      const own = random() < 0.2 ? gray(random) : ground
      lines.push(`${own.toFixed(3)} g 0.4 w 0 G ${box(x, y, width, height)} B 0 g`)
      const size = Math.min(10, height * 0.72)
      if (random() < 0.6) {
        lines.push(text('F1', size, x + 2, y + height * 0.25, wordsOf(random, Math.max(1, Math.floor(width / 60)))))
      }
    }
  }
  return lines.join('\n')
}

/** Rows that are shaded by turns, without rules. */
function zebra(random: Random): string {
  const lines = [title(random)]
  const [height, ground, every] = [between(random, 10, 22), gray(random), 2 + Math.floor(2 * random())]
  const gap = random() < 0.3 ? 1 : 0
  for (let y = 715, row = 0; y > 80; y -= height, row++) {
    if (row % every === 1) lines.push(`${ground.toFixed(3)} g ${box(54, y, 504, height - gap)} f`)
    lines.push('0 g')
    for (const x of [58, 190, 330, 470]) {
      if (random() < 0.8)
        lines.push(
          text('F1', Math.min(9, height * 0.7), x, y + height * 0.28, x === 470 ? amount(random) : wordsOf(random, 2)),
        )
    }
  }
  return lines.join('\n')
}

/** Bars with writing: dark or white on light ones, white on dark ones. */
function bars(random: Random): string {
  const lines: string[] = []
  for (let y = 750; y > 130; y -= 34) {
    const height = between(random, 14, 30)
    y -= height
    const isDark = random() < 0.4
    const ground = isDark ? gray(random, 0, 100) : gray(random, 132, 240)
    const type = isDark || (ground < 0.68 && random() < 0.4) ? 1 : 0
    lines.push(`${ground.toFixed(3)} g ${box(54, y, between(random, 300, 504), height)} f ${type} g`)
    lines.push(text('B', Math.min(13, height * 0.6), 60, y + height * 0.3, wordsOf(random, 4)), '0 g')
    for (let line = 0; line < 2; line++) lines.push(text('F1', 9, 60, y - 13 - 12 * line, wordsOf(random, 12)))
  }
  return lines.join('\n')
}

/** An invoice: gray columns of amounts, some of them empty, and a box for the total. */
function invoice(random: Random): string {
  const [head, column, total] = [gray(random, 30, 110), gray(random, 140, 235), gray(random, 150, 230)]
  const lines = [
    `${head.toFixed(3)} g ${box(54, 700, 504, 36)} f 1 g ${text('B', 18, 64, 712, wordsOf(random, 2))} 0 g`,
  ]
  for (let row = 0; row < 14; row++) {
    const y = 640 - 24 * row
    if (row % 2 === 1) lines.push(`0.9 g ${box(54, y, 400, 24)} f`)
    lines.push(`${column.toFixed(3)} g ${box(454, y, 104, 24)} f 0.5 G 0.6 w ${box(54, y, 504, 24)} S 0 g`)
    lines.push(`454 ${y} m 454 ${y + 24} l S`)
    if (row < 9) lines.push(text('F1', 10, 60, y + 8, wordsOf(random, 4)))
    if (row < 9 && random() < 0.7) lines.push(text('F1', 10, 490, y + 8, amount(random)))
  }
  for (let row = 0; row < 4; row++) {
    const y = 290 - 24 * row
    lines.push(
      `0 g ${text('B', 10, 360, y + 8, wordsOf(random, 1))} ${total.toFixed(3)} g 0.5 G ${box(454, y, 104, 24)} ${row % 2 ? 'B' : 'f'}`,
    )
  }
  lines.push('0 g', ...[0, 1, 2].map((line) => text('F1', 8, 54, 150 - 12 * line, wordsOf(random, 16))))
  return lines.join('\n')
}

/** Areas of pastel colors with borders, cities and rivers. */
function map(random: Random): string {
  const lines = [title(random)]
  const corners = Array.from({ length: 7 * 9 }, (_, at) => [
    54 + (at % 7) * 84 + (at % 7 === 0 || at % 7 === 6 ? 0 : between(random, -25, 25)),
    80 + Math.floor(at / 7) * 80 + (at < 7 || at >= 56 ? 0 : between(random, -25, 25)),
  ])
  for (let at = 0; at < 56; at++) {
    if (at % 7 === 6) continue
    const light = () => between(random, 0.66, 0.97)
    const path = [at, at + 1, at + 8, at + 7].map(
      (corner, place) => `${corners[corner]!.map((value) => value.toFixed(1)).join(' ')} ${place === 0 ? 'm' : 'l'}`,
    )
    lines.push(`${rgb(light(), light(), light())} 0.3 G 0.7 w ${path.join(' ')} h B`)
  }
  for (let city = 0; city < 34; city++) {
    const [x, y] = [between(random, 60, 480), between(random, 90, 700)]
    lines.push(`0.2 g ${box(x, y, 4, 4)} f 0 g ${text('F1', between(random, 7, 10), x + 7, y - 1, wordsOf(random, 1))}`)
  }
  return lines.join('\n')
}

/** A table of thin gray rules. */
function grayRules(random: Random): string {
  const [tone, width, height] = [gray(random, 90, 220), between(random, 0.25, 1.2), between(random, 11, 20)]
  const lines = [title(random), `${tone.toFixed(3)} G ${width.toFixed(2)} w`]
  for (let y = 720; y > 90; y -= height) {
    lines.push(`54 ${y.toFixed(2)} m 558 ${y.toFixed(2)} l S 0 g`)
    for (const x of [58, 180, 310, 440])
      lines.push(text('F1', Math.min(9, height * 0.6), x, y + height * 0.3, wordsOf(random, 2)))
  }
  lines.push(...[54, 176, 306, 436, 558].map((x) => `${x} 90 m ${x} 730 l S`))
  return lines.join('\n')
}

/** Rows with a photo in the first cell, some of them on a gray ground. */
function photos(random: Random): string {
  const lines = [title(random)]
  for (let row = 0; row < 6; row++) {
    const y = 620 - 102 * row
    const ground = row % 2 === 0 ? 1 : gray(random, 180, 240)
    lines.push(`${ground.toFixed(3)} g 0 G 0.5 w ${box(54, y, 504, 102)} B q 120 0 0 80 64 ${y + 11} cm /X Do Q 0 g`)
    for (let line = 0; line < 5; line++) lines.push(text('F1', 9, 200, y + 78 - 15 * line, wordsOf(random, 9)))
  }
  return lines.join('\n')
}

/** Cells and headings of every color that black or white type can be read on. */
function colored(random: Random): string {
  const lines = [title(random)]
  for (let row = 0; row < 30; row++) {
    const y = 712 - 21 * row
    for (let column = 0; column < 4; column++) {
      const color = [random(), random(), random()].map((value) => 0.35 + 0.65 * value)
      const tone = 0.3 * color[0]! + 0.59 * color[1]! + 0.11 * color[2]!
      if (random() < 0.75) lines.push(`${rgb(...color)} ${box(54 + 126 * column, y, 126, 20)} f`)
      else lines.push('1 g')
      lines.push(
        `${tone < 0.5 ? 1 : 0} g ${random() < 0.8 ? text('F1', 9, 60 + 126 * column, y + 6, wordsOf(random, 2)) : ''}`,
      )
    }
  }
  return lines.join('\n')
}

/** Small gray writing, on paper and on light grounds. */
function grayWriting(random: Random): string {
  const lines = [title(random)]
  for (let y = 716, row = 0; y > 80; y -= 15, row++) {
    if (row % 4 === 2) lines.push(`${gray(random, 215, 245).toFixed(3)} g ${box(54, y - 4, 504, 15)} f`)
    lines.push(`${gray(random, 0, 130).toFixed(3)} g ${text('F1', between(random, 6, 8), 58, y, wordsOf(random, 14))}`)
  }
  return lines.join('\n')
}

/** A form: gray headings, fields on gray ground, hatched areas. */
function form(random: Random): string {
  const lines = [title(random)]
  for (let part = 0; part < 5; part++) {
    const y = 700 - 130 * part
    const [head, ground] = [gray(random, 150, 225), gray(random, 200, 245)]
    lines.push(
      `${ground.toFixed(3)} g ${box(54, y - 110, 504, 110)} f ${head.toFixed(3)} g ${box(54, y, 504, 16)} f 0 g`,
    )
    lines.push(text('B', 10, 58, y + 4, wordsOf(random, 5)))
    for (let field = 0; field < 4; field++) {
      const [x, top] = [62 + 250 * (field % 2), y - 48 - 48 * Math.floor(field / 2)]
      lines.push(
        `1 g 0.3 G 0.6 w ${box(x, top, 230, 22)} B 0.2 g ${text('F1', 7, x, top + 26, wordsOf(random, 3))} 0 g`,
      )
      if (random() < 0.7) lines.push(text('F1', 10, x + 5, top + 7, wordsOf(random, 3)))
      lines.push(`1 g ${box(x + 200, top + 26, 9, 9)} B 0 g`)
    }
    if (part % 2 === 0) {
      const hatch = Array.from(
        { length: 24 },
        (_, step) => `${500 + 2 * step} ${y - 110} m ${508 + 2 * step} ${y - 100} l S`,
      )
      lines.push('0.4 w 0.2 G', ...hatch)
    }
  }
  return lines.join('\n')
}

const kinds = { grayCells, zebra, bars, invoice, map, grayRules, photos, colored, grayWriting, form }
export type TableKind = keyof typeof kinds
export const tableKinds = Object.keys(kinds) as TableKind[]

/** Every so many pages of a kind one is a picture of the page. */
const pictureEvery = 5

/**
 * A page with a table, the same for the same kind and number: cells, rows and bars of every gray and color, as the
 * programs of others draw them. One in five is a JPEG picture of such a page.
 */
export async function tablePage(kind: TableKind, number: number): Promise<Buffer> {
  const random = seeded(1000 * tableKinds.indexOf(kind) + 17 * number + 1)
  const content = kinds[kind](random)
  const pictures = kind === 'photos' ? [await jpegStream(landscape(300, 200))] : []
  const pdf = pdfOf([{ content, fonts: bold }], pictures)
  return number % pictureEvery === pictureEvery - 1 ? pictureOf(pdf) : pdf
}

/** The page as a picture of 200 dots an inch. */
async function pictureOf(pdf: Buffer): Promise<Buffer> {
  const document = new PdfDocument(await startPdfium(), pdf, defaultLimits)
  const [width, height] = [1728, 2236]
  const place = { left: 0, top: 0, width, height, turned: false }
  const pixels = document.render(0, place, height, (page) => Buffer.from(page.pixels))
  document.close()
  return pdfOf([{ content: 'q 612 0 0 792 0 0 cm /X Do Q' }], [await jpegStream({ pixels, width, height }, 85)])
}
