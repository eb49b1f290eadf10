import { type Paper, paperPoints } from './raster/paper.ts'
import type { PdfImage } from './pdf-file/write.ts'
import { readPng } from './images/png.ts'
import { chooseFonts } from './fonts/system-fonts.ts'
import { Typesetter, wrapText } from './text/typeset.ts'

/** A page as `Documents.page` draws it. */
interface Picture {
  png: Uint8Array
  /** Pixels. */
  width: number
  height: number
}

/** What a transmission report, or another list on paper, says, in words that are ready to be read. */
export interface Receipt {
  title: string
  /** How it ended, in a sentence. */
  outcome: string
  facts: readonly (readonly [label: string, value: string])[]
  /** What stands above the lines; "Attempts" when left out. */
  heading?: string
  /** One line for each attempt, oldest first. */
  attempts: readonly string[]
  /** The first page; undefined when it is no longer kept. */
  picture: Picture | undefined
}

const margin = 54
const labelWidth = 105
const lineHeight = 15
const pictureWidth = 150

/** Sets a transmission report, on as many pages as its attempts need. */
export function receiptToPdf(receipt: Receipt, paper: Paper): Uint8Array {
  const { width, height } = paperPoints[paper]
  const right = width - margin
  chooseFonts([receipt.title, receipt.outcome, ...receipt.facts.flat(), ...receipt.attempts].join(' '))
  const typesetter = new Typesetter()
  let y = height - margin - 20
  const line = (text: string, x: number, size: number, bold = false) => typesetter.write(text, { x, y, size, bold })
  const room = () => {
    if (y > margin + lineHeight) return
    typesetter.endPage(width, height)
    y = height - margin
  }

  line(receipt.title, margin, 20, true)
  y -= 12
  typesetter.bar(margin, y, right - margin, 1.5)
  const textRight = receipt.picture ? right - pictureWidth - 18 : right
  const top = y - 18
  y -= 30
  for (const words of wrapText(receipt.outcome, 12, textRight - margin)) {
    line(words, margin, 12, true)
    y -= 17
  }
  y -= 8
  for (const [label, value] of receipt.facts) {
    line(label, margin, 9.5)
    for (const words of wrapText(value, 9.5, textRight - margin - labelWidth)) {
      line(words, margin + labelWidth, 9.5)
      y -= lineHeight
    }
  }
  if (receipt.picture) y = Math.min(y, placePicture(typesetter, receipt.picture, right - pictureWidth, top) - 12)
  y -= 12
  line(receipt.heading ?? 'Attempts', margin, 12, true)
  y -= 20
  for (const words of receipt.attempts.flatMap((attempt) => wrapText(attempt, 9.5, right - margin))) {
    room()
    line(words, margin, 9.5)
    y -= lineHeight
  }
  typesetter.endPage(width, height)
  return typesetter.finish()
}

/** Puts the picture of a page, framed, with its upper left corner at `x`, `top`. Returns where it ends. */
function placePicture(typesetter: Typesetter, page: Picture, x: number, top: number): number {
  const height = (pictureWidth * page.height) / page.width
  typesetter.picture(imageOf(page), x, top - height, pictureWidth, height)
  typesetter.box(x, top - height, pictureWidth, height)
  return top - height
}

/** A PNG of ours as PDF readers take it: the same compressed rows (ISO 32000-1, 7.4.4.4, predictor 15). */
function imageOf({ png, width, height }: Picture): PdfImage {
  const { bits, data } = readPng(png)
  const parameters = `/DecodeParms<</Predictor 15/Colors 1/BitsPerComponent ${bits}/Columns ${width}>>`
  const entries = `/ColorSpace/DeviceGray/BitsPerComponent ${bits}/Filter/FlateDecode${parameters}`
  return { width, height, entries, data }
}
