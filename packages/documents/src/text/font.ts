import { deflateSync } from 'node:zlib'
import { subsetFont } from '../fonts/font-subset.ts'
import { advanceOf, type Font, mapped, type MappedFont, openFont, tableAt } from '../fonts/font.ts'
import type { PdfWriter } from '../pdf-file/write.ts'
import { systemFonts, systemGlyph } from '../fonts/system-fonts.ts'
import { textFonts } from './cells.ts'

/** A character's glyph and the index of its font: in `textFonts`, and behind them in `systemFonts`. */
export interface Glyph {
  font: number
  glyph: number
  /** Advance width in units of the bundled fonts. */
  advance: number
}

/** By font: glyphs with the characters they stand for, which may be none. */
export type UsedGlyphs = Map<number, Map<number, string>>

let fonts: MappedFont[] | undefined

/** The bundled fonts, opened on first use and kept: workers that set text end when they are idle. */
export const openTextFonts = (): MappedFont[] => (fonts ??= textFonts.map((name) => mapped(openFont(name))))

/** The glyph of a character in the first font that has one. */
export function glyphOf(codePoint: number): Glyph | undefined {
  const opened = openTextFonts()
  for (let font = 0; font < opened.length; font++) {
    const glyph = opened[font]!.glyphs.get(codePoint)
    if (glyph !== undefined) return { font, glyph, advance: advanceOf(opened[font]!, glyph) }
  }
  const found = systemGlyph(codePoint)
  return found && { font: opened.length + found.index, glyph: found.glyph, advance: found.advance }
}

/** Notes that a glyph is used, and what it stood for when it first stood for anything. */
export function useGlyph(used: UsedGlyphs, font: number, glyph: number, text: string): void {
  const glyphs = used.get(font) ?? new Map<number, string>()
  used.set(font, glyphs.set(glyph, glyphs.get(glyph) || text))
}

/** Operators that show glyphs, marked with the text that they stand for together (ISO 32000-1, 14.9.4). */
export function standsFor(text: string, operators: readonly string[]): string {
  return `/Span<</ActualText<feff${utf16(text)}>>>BDC\n${operators.join('\n')}\nEMC`
}

/** Writes the fonts used, as the resources with this object number: `/F0` is the font with index 0. */
export function embedFonts(pdf: PdfWriter, used: UsedGlyphs, resources: number): void {
  const embedded = [...used].map(([font, glyphs]) => `/F${font} ${embedFont(pdf, fontAt(font), glyphs)} 0 R`)
  pdf.add(embedded.join(''), undefined, resources)
}

/** The font that `glyphOf` names by its index. */
function fontAt(index: number): Font {
  const bundled = openTextFonts()
  const font = bundled[index] ?? systemFonts()[index - bundled.length]
  if (!font) throw new Error(`There is no font ${index}.`)
  return font
}

/**
 * Writes a font with the glyphs used (by glyph number, with the character each stands for) as a composite font whose
 * codes are glyph numbers (ISO 32000-1, 9.7), with a map back to Unicode. Returns its object number.
 */
function embedFont(pdf: PdfWriter, font: Font, used: Map<number, string>): number {
  const perMille = (units: number) => Math.round((units * 1000) / font.unitsPerEm)
  const metric = (table: string, at: number) => perMille(font.view.getInt16(tableAt(font, table) + at))
  const name = `FAXTXT+${font.name}`
  const program = addProgram(pdf, font, used.keys())
  const box = [36, 38, 40, 42].map((at) => metric('head', at)).join(' ')
  const [ascent, descent] = [metric('hhea', 4), metric('hhea', 6)]
  const descriptor = pdf.add(
    `/Type/FontDescriptor/FontName/${name}/Flags 4/FontBBox[${box}]/ItalicAngle 0/Ascent ${ascent}` +
      `/Descent ${descent}/CapHeight ${ascent}/StemV 80${program.entry}`,
  )
  const widths = [...used.keys()].map((glyph) => `${glyph}[${perMille(advanceOf(font, glyph))}]`).join('')
  const descendant = pdf.add(
    `/Type/Font/Subtype/${program.subtype}/BaseFont/${name}/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>` +
      `/FontDescriptor ${descriptor} 0 R/DW 602/W[${widths}]`,
  )
  const toUnicode = pdf.add('', unicodeMap(used))
  return pdf.add(
    `/Type/Font/Subtype/Type0/BaseFont/${name}/Encoding/Identity-H/DescendantFonts[${descendant} 0 R]` +
      `/ToUnicode ${toUnicode} 0 R`,
  )
}

/** The outlines as PDF readers take them, by their kind (ISO 32000-1, 9.9): the codes are glyph numbers with both. */
function addProgram(pdf: PdfWriter, font: Font, glyphs: Iterable<number>) {
  const file = subsetFont(font, glyphs)
  if (font.cff) {
    const number = pdf.add('/Filter/FlateDecode/Subtype/CIDFontType0C', deflateSync(file))
    return { entry: `/FontFile3 ${number} 0 R`, subtype: 'CIDFontType0' }
  }
  const number = pdf.add(`/Filter/FlateDecode/Length1 ${file.length}`, deflateSync(file))
  return { entry: `/FontFile2 ${number} 0 R`, subtype: 'CIDFontType2/CIDToGIDMap/Identity' }
}

/** A ToUnicode character map (ISO 32000-1, 9.10.3), at most 100 entries a block. */
export function unicodeMap(used: Map<number, string>): Buffer {
  const entries = [...used]
    .filter(([, text]) => text !== '')
    .map(([glyph, text]) => `<${hex4(glyph)}> <${utf16(text)}>`)
  const blocks: string[] = []
  for (let start = 0; start < entries.length; start += 100) {
    const block = entries.slice(start, start + 100)
    blocks.push(`${block.length} beginbfchar\n${block.join('\n')}\nendbfchar\n`)
  }
  return Buffer.from(
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n' +
      '/CIDSystemInfo<</Registry(Adobe)/Ordering(UCS)/Supplement 0>> def\n' +
      '/CMapName/Adobe-Identity-UCS def /CMapType 2 def\n' +
      `1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n${blocks.join('')}` +
      'endcmap CMapName currentdict /CMap defineresource pop end end\n',
    'latin1',
  )
}

/** Four hexadecimal digits. */
export function hex4(value: number): string {
  return value.toString(16).padStart(4, '0')
}

function utf16(text: string): string {
  return Buffer.from(text, 'utf16le').swap16().toString('hex')
}
