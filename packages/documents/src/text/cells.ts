import { advanceOf, eachCharacter, type Font, type FontName, openFont, unitsPerEm } from '../fonts/font.ts'
import { systemGlyph } from '../fonts/system-fonts.ts'

/** Fonts in the order they are asked for a character. */
export const textFonts: readonly FontName[] = ['DejaVuSansMono', 'DejaVuSans']

/** Advance width of every glyph of the monospaced font, in font units: one cell. */
export const cellUnits = 1233

/** The type of text files is so large that a glyph of the monospaced font takes one cell. */
export const cellsInEm = unitsPerEm / cellUnits

const highest = 0x20000
/** A glyph up to this much wider than a cell is narrowed to fit one; a wider one takes two. */
const maxNarrowing = 1.25
const invisible = /\p{Default_Ignorable_Code_Point}/u
const combining = /\p{Mn}|\p{Me}/u

let table: Uint8Array | undefined

/**
 * How many cells of the text grid a character takes: 1 or 2, 0 for combining and invisible characters, and undefined
 * when none of the fonts, nor of those of the system where they are in use, has a shape for it. Characters below U+007F take 1 without opening a font.
 */
export function cellsOf(codePoint: number): number | undefined {
  if (codePoint >= 0x20 && codePoint < 0x7f) return 1
  table ??= measureFonts()
  const entry = codePoint < highest ? table[codePoint]! : 0
  if (entry > 0) return entry - 1
  const character = String.fromCodePoint(codePoint)
  if (invisible.test(character)) return 0
  const found = systemGlyph(codePoint)
  return found && cellsOfAdvance(character, found.advance)
}

/** Cells plus one for each code point, 0 where no font has a glyph. */
function measureFonts(): Uint8Array {
  const cells = new Uint8Array(highest)
  for (const name of textFonts) {
    const font = openFont(name)
    eachCharacter(font, (codePoint, glyph) => {
      if (codePoint < highest && cells[codePoint] === 0) cells[codePoint] = 1 + cellsOfGlyph(font, codePoint, glyph)
    })
  }
  return cells
}

function cellsOfGlyph(font: Font, codePoint: number, glyph: number): number {
  return cellsOfAdvance(String.fromCodePoint(codePoint), advanceOf(font, glyph))
}

function cellsOfAdvance(character: string, advance: number): number {
  if (combining.test(character) || invisible.test(character)) return 0
  return advance > maxNarrowing * cellUnits ? 2 : 1
}

/** What follows a shaped stretch stands on the grid again. */
export function wholeCells(cells: number): number {
  return Math.ceil(cells - 0.01)
}
