import { deflateSync } from 'node:zlib'
import type { PdfUpdate } from '../pdf-file/update.ts'
import { archiveMetadata, grayProfile } from './archive.ts'
import { advance, glyphlessFont, type LayerCodes } from './glyphless-font.ts'

export const deflated = '/Filter/FlateDecode'

/** Writes the font of empty glyphs, as object `number`. */
export function addFont(update: PdfUpdate, codes: LayerCodes, number: number): void {
  const file = glyphlessFont(codes.size)
  const program = update.add(`${deflated}/Length1 ${file.length}`, deflateSync(file))
  const descriptor = update.add(
    '/Type/FontDescriptor/FontName/AAAAAA+Glyphless/Flags 4/FontBBox[0 -200 500 800]/ItalicAngle 0/Ascent 800' +
      `/Descent -200/CapHeight 800/StemV 80/FontFile2 ${program} 0 R`,
  )
  const descendant = update.add(
    '/Type/Font/Subtype/CIDFontType2/BaseFont/AAAAAA+Glyphless/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)' +
      `/Supplement 0>>/FontDescriptor ${descriptor} 0 R/DW ${advance}/CIDToGIDMap/Identity`,
  )
  const unicode = update.add(deflated, codes.toUnicode())
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
