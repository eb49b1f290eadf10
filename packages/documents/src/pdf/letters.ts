import type { PageNote } from '../raster/page-notes.ts'
import type { Pdfium } from './pdfium.ts'
import { nameOf } from '../text/decode.ts'

/** Of fpdf_edit.h: text that is there to be searched, as in scans. */
const invisibleText = 3
const anySize = 12
const maxNamed = 12
const everyFontHas = 0x7e
const lastCharacter = 0x10ffff
const unseen = /[\s\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}]/u

/** How a PDF says that a font has letters beyond those of the usual encodings, or that it may say so where it is packed. */
const rareLetters = ['/Differences', '/CIDFontType', '/ObjStm']

/** Whether a PDF may have letters that PDFium's built-in fonts lack. Most have none, and looking at pages takes a while. */
export function mayHaveRareLetters(file: Uint8Array): boolean {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length)
  return rareLetters.some((word) => bytes.includes(word))
}

/**
 * The letters of an open page that no font has, where its own fonts are not embedded: PDFium leaves them out. Letters of
 * annotations and forms are not looked at.
 */
export function missingLetters(pdfium: Pdfium, page: number): PageNote[] {
  const text = pdfium.FPDFText_LoadPage(page)
  if (text === 0) return []
  const missing = new Set<string>()
  const drawn = new Set<string>()
  for (const [index, code] of rareCharacters(pdfium, text)) {
    const object = pdfium.FPDFText_GetTextObject(text, index)
    const font = object === 0 ? 0 : pdfium.FPDFTextObj_GetFont(object)
    const character = String.fromCodePoint(code)
    const known = `${font} ${character}`
    if (font === 0 || drawn.has(known) || missing.has(character)) continue
    if (pdfium.FPDFTextObj_GetTextRenderMode(object) === invisibleText) continue
    if (hasShape(pdfium, font, code)) drawn.add(known)
    else missing.add(character)
  }
  pdfium.FPDFText_ClosePage(text)
  return missing.size === 0 ? [] : [noteOn([...missing])]
}

/** The characters of a page that not every font has, with their places. */
function* rareCharacters(pdfium: Pdfium, text: number): Generator<[index: number, code: number]> {
  const count = pdfium.FPDFText_CountChars(text)
  for (let index = 0; index < count; index++) {
    const code = pdfium.FPDFText_GetUnicode(text, index)
    if (code <= everyFontHas || code > lastCharacter || unseen.test(String.fromCodePoint(code))) continue
    yield [index, code]
  }
}

function hasShape(pdfium: Pdfium, font: number, code: number): boolean {
  if (pdfium.FPDFFont_GetIsEmbedded(font) !== 0) return true
  const path = pdfium.FPDFFont_GetGlyphPath(font, code, anySize)
  return path !== 0 && pdfium.FPDFGlyphPath_CountGlyphSegments(path) > 0
}

function noteOn(letters: readonly string[]): PageNote {
  const more = letters.length - maxNamed
  const named = letters.slice(0, maxNamed).map(nameOf).join(', ')
  return {
    kind: 'missing_letters',
    text:
      `The PDF does not contain its fonts, and no font on this server has ${named}${more > 0 ? ` and ${more} more` : ''}. ` +
      'The fax leaves these characters out. Save the PDF with its fonts embedded, or install a font that has them.',
  }
}
