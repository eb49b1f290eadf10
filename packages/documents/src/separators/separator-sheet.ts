import { chooseFonts } from '../fonts/system-fonts.ts'
import { type Paper, paperPoints } from '../raster/paper.ts'
import { DocumentProblem } from '../base/problem.ts'
import { namesOf } from '../text/layout.ts'
import { missingShapes, Typesetter, wrapText } from '../text/typeset.ts'
import { qrCode } from './qr-code.ts'

/** A sheet that stands before the pages of one fax in a pile of paper. */
export interface SeparatorSheet {
  /** The number that the pages after it go to, as people read it. */
  number: string
  reference: string | null
  /** What its QR codes say. */
  code: string
}

const margin = 54
/** 64 mm: a module is about 1 mm wide, which any scanner shows. */
const codeSize = 181
/** Four modules of white around a code, and more (ISO/IEC 18004, 5.3.8). */
const quiet = 24

/** One line for people who find the sheet in a pile. */
const explanation =
  'Put this sheet before the pages of one fax, scan the pile, and send it with “Split at separator sheets”. The sheet itself is not sent.'

/**
 * Sets a separator sheet. It has its code twice, so that a fold or a stain that spoils one leaves the other.
 * @throws {DocumentProblem} `unsupported` when the reference has characters without a shape
 */
export async function separatorSheetToPdf(sheet: SeparatorSheet, paper: Paper): Promise<Uint8Array> {
  const { number, reference, code } = sheet
  const words = `${number} ${reference ?? ''}`
  chooseFonts(words)
  const missing = missingShapes(words)
  if (missing.length > 0) {
    throw new DocumentProblem('unsupported', `The reference has ${namesOf(new Set(missing), 'write them another way')}`)
  }
  const image = await qrCode(code)
  const { width, height } = paperPoints[paper]
  const typesetter = new Typesetter()
  let y = height - margin - 12
  const line = (text: string, size: number, bold = false) => {
    for (const part of wrapText(text, size, width - 2 * margin)) {
      y -= size * 1.35
      typesetter.write(part, { x: margin, y, size, bold })
    }
  }
  typesetter.bar(margin, height - margin, width - 2 * margin, 6)
  line('Separator sheet', 26, true)
  y -= 12
  line('The pages after this sheet go to', 13)
  y -= 8
  line(number, 30, true)
  if (reference !== null) line(reference, 18)
  y -= 6
  line(explanation, 10)
  typesetter.picture(image, margin + quiet, margin + quiet, codeSize, codeSize)
  typesetter.picture(image, width - margin - quiet - codeSize, margin + quiet + codeSize / 2, codeSize, codeSize)
  typesetter.bar(margin, margin - 18, width - 2 * margin, 6)
  typesetter.endPage(width, height)
  return typesetter.finish()
}
