import { deflateSync } from 'node:zlib'
import type { PdfUpdate } from '../pdf-file/update.ts'
import { archiveMetadata, grayProfile } from './archive.ts'
import { subsetFont } from '../fonts/font-subset.ts'
import { hex4, openTextFonts, unicodeMap } from '../text/font.ts'

export const deflated = '/Filter/FlateDecode'

/** The advance of every letter of the layer, in thousandths of an em: that of a space of the bundled font. */
export const advance = 602
/** How far a line of the layer reaches above its baseline. */
export const ascent = 800

/** Writes the font of the layer, whose letters are all the blank of a bundled font, as object `number`. */
export function addFont(update: PdfUpdate, codes: LayerCodes, number: number): void {
  const [font] = openTextFonts()
  const blank = font!.glyphs.get(0x20)!
  const file = subsetFont(font!, [blank])
  const program = update.add(`${deflated}/Length1 ${file.length}`, deflateSync(file))
  const descriptor = update.add(
    '/Type/FontDescriptor/FontName/AAAAAA+Glyphless/Flags 4/FontBBox[0 -200 602 800]/ItalicAngle 0' +
      `/Ascent ${ascent}/Descent -200/CapHeight ${ascent}/StemV 80/FontFile2 ${program} 0 R`,
  )
  const { texts } = codes
  const glyphs = Buffer.from(hex4(blank).repeat(texts.size + 1), 'hex')
  const descendant = update.add(
    '/Type/Font/Subtype/CIDFontType2/BaseFont/AAAAAA+Glyphless/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)' +
      `/Supplement 0>>/FontDescriptor ${descriptor} 0 R/DW ${advance}` +
      `/CIDToGIDMap ${update.add(deflated, deflateSync(glyphs))} 0 R`,
  )
  const unicode = update.add(deflated, deflateSync(unicodeMap(texts)))
  const entries = `/BaseFont/AAAAAA+Glyphless/Encoding/Identity-H/DescendantFonts[${descendant} 0 R]`
  update.add(`/Type/Font/Subtype/Type0${entries}/ToUnicode ${unicode} 0 R`, undefined, number)
}

/** Writes what a catalog needs for its file to say PDF/A-2u: true where all colors are grays. Returns the entries. */
export function addArchiveClaim(update: PdfUpdate): string {
  const metadata = update.add('/Type/Metadata/Subtype/XML', archiveMetadata)
  const profile = update.add(`/N 1${deflated}`, deflateSync(grayProfile()))
  const intent = `/Type/OutputIntent/S/GTS_PDFA1/OutputConditionIdentifier(Gray, gamma 2.2)/DestOutputProfile ${profile} 0 R`
  return `/Metadata ${metadata} 0 R/OutputIntents[<<${intent}>>]`
}

/** The characters of a document with the numbers of their codes, from 1 on. */
export class LayerCodes {
  readonly #codes = new Map<string, number>()

  /** The text in the hexadecimal codes of the font; characters beyond 65,535 different ones are left out. */
  encode(text: string): { hex: string; length: number } {
    const codes = Array.from(text, (character) => this.#codeOf(character)).filter((code) => code <= 0xffff)
    return { hex: codes.map(hex4).join(''), length: codes.length }
  }

  /** What each code stands for. */
  get texts(): Map<number, string> {
    return new Map(Array.from(this.#codes, ([character, code]) => [code, character]))
  }

  #codeOf(character: string): number {
    const code = this.#codes.get(character) ?? this.#codes.size + 1
    if (code <= 0xffff) this.#codes.set(character, code)
    return code
  }
}
