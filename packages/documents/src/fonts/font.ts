import { readFileSync } from 'node:fs'
import { type CffFont, readCff } from './cff.ts'

/** An open TrueType or OpenType font: the tables that measuring and embedding need (ISO/IEC 14496-22). */
export interface Font {
  name: string
  view: DataView
  tables: Map<string, { offset: number; length: number }>
  unitsPerEm: number
  glyphCount: number
  /** What is known of the outlines when they are PostScript ones; otherwise they lie in the glyf table. */
  cff?: CffFont | undefined
}

/** A font with the glyph of each of its characters. */
export interface MappedFont extends Font {
  glyphs: ReadonlyMap<number, number>
}

/** A font with its character map. Throws when that is damaged. */
export function mapped(font: Font): MappedFont {
  const glyphs = new Map<number, number>()
  eachCharacter(font, (codePoint, glyph) => {
    if (glyph > 0 && glyph < font.glyphCount) glyphs.set(codePoint, glyph)
  })
  return { ...font, glyphs }
}

const highestCharacter = 0x10ffff
const neededTables = ['cmap', 'head', 'hhea', 'hmtx', 'maxp']
const outlineTables = { trueType: ['glyf', 'loca'], postScript: ['CFF '] }

/** Units of an em in the bundled fonts. */
export const unitsPerEm = 2048

export type FontName = 'DejaVuSansMono' | 'DejaVuSans'

/** Opens a bundled font. */
export function openFont(name: FontName): Font {
  return readFont(name, readFileSync(new URL(`../../fonts/${name}.ttf`, import.meta.url)))
}

/** How many fonts a file has: one, or those of a collection. */
export function countFaces(bytes: Buffer): number {
  return isCollection(bytes) ? bytes.readUInt32BE(8) : 1
}

const isCollection = (bytes: Buffer) => bytes.toString('latin1', 0, 4) === 'ttcf'

/**
 * Reads the tables of a TrueType or OpenType file, or of one font of a collection. Throws when it is none, when a
 * table lies outside the file, or when the outlines are neither TrueType nor CFF ones.
 */
export function readFont(name: string, bytes: Buffer, face = 0): Font {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const start = isCollection(bytes) ? view.getUint32(12 + 4 * face) : 0
  const tables: Font['tables'] = new Map()
  for (let index = 0; index < view.getUint16(start + 4); index++) {
    const at = start + 12 + 16 * index
    const [offset, length] = [view.getUint32(at + 8), view.getUint32(at + 12)]
    if (offset + length > bytes.length) throw new Error(`The font ${name} is cut off.`)
    tables.set(bytes.toString('latin1', at, at + 4), { offset, length })
  }
  const font: Font = { name, view, tables, unitsPerEm: 0, glyphCount: 0 }
  const outlines = tables.has('CFF ') ? outlineTables.postScript : outlineTables.trueType
  for (const tag of [...neededTables, ...outlines]) tableAt(font, tag)
  font.unitsPerEm = view.getUint16(tableAt(font, 'head') + 18)
  font.glyphCount = view.getUint16(tableAt(font, 'maxp') + 4)
  if (font.unitsPerEm === 0) throw new Error(`The font ${name} has no size.`)
  const cff = tables.get('CFF ')
  if (cff) {
    font.cff = readCff(bytes.subarray(cff.offset, cff.offset + cff.length))
    font.glyphCount = Math.min(font.glyphCount, font.cff.glyphs)
  }
  return font
}

/** Offset of a table in the font file. */
export function tableAt(font: Font, tag: string): number {
  const table = font.tables.get(tag)
  if (!table) throw new Error(`The font ${font.name} has no ${tag} table.`)
  return table.offset
}

const windowsEnglish = [3, 1, 0x409]
const familyName = 1

/** The name of a font's family in English, as its name table has it; empty when it has none. */
export function familyOf(font: Font): string {
  const table = font.tables.get('name')
  if (!table) return ''
  const { view } = font
  const strings = table.offset + view.getUint16(table.offset + 4)
  for (let record = 0; record < view.getUint16(table.offset + 2); record++) {
    const at = table.offset + 6 + 12 * record
    const [platform, encoding, language, name, bytes = 0, offset = 0] = [0, 2, 4, 6, 8, 10].map((field) =>
      view.getUint16(at + field),
    )
    if (name !== familyName || ![platform, encoding, language].every((id, index) => id === windowsEnglish[index]))
      continue
    const letters = Array.from({ length: bytes >> 1 }, (_, index) => view.getUint16(strings + offset + 2 * index))
    return String.fromCharCode(...letters)
  }
  return ''
}

/** Calls `visit` with every code point of the font's character map (format 12, else 4) and its glyph. */
export function eachCharacter(font: Font, visit: (codePoint: number, glyph: number) => void): void {
  const groups = characterMap(font, 12)
  if (groups !== undefined) eachOfGroups(font.view, groups, visit)
  else eachOfSegments(font.view, characterMap(font, 4), visit)
}

function eachOfGroups(view: DataView, at: number, visit: (codePoint: number, glyph: number) => void): void {
  let before = -1
  for (let group = 0; group < view.getUint32(at + 12); group++) {
    const entry = at + 16 + 12 * group
    const [first, last, glyph] = [view.getUint32(entry), view.getUint32(entry + 4), view.getUint32(entry + 8)]
    if (first <= before || last > highestCharacter) throw new Error('A character map is damaged.')
    before = last
    for (let codePoint = first; codePoint <= last; codePoint++) visit(codePoint, glyph + codePoint - first)
  }
}

/** Format 4: segments of the first plane, each with a step to its glyphs or a list of them. */
function eachOfSegments(
  view: DataView,
  at: number | undefined,
  visit: (codePoint: number, glyph: number) => void,
): void {
  if (at === undefined) throw new Error('A font has no character map that is known.')
  const bytes = view.getUint16(at + 6)
  let before = -1
  for (let segment = 0; segment < bytes; segment += 2) {
    const last = view.getUint16(at + 14 + segment)
    const first = view.getUint16(at + 16 + bytes + segment)
    const step = view.getUint16(at + 16 + 2 * bytes + segment)
    if (first <= before) throw new Error('A character map is damaged.')
    before = last
    const rangeAt = at + 16 + 3 * bytes + segment
    const range = view.getUint16(rangeAt)
    for (let codePoint = first; codePoint <= last && codePoint < 0xffff; codePoint++) {
      const listed = range === 0 ? codePoint : view.getUint16(rangeAt + range + 2 * (codePoint - first))
      const glyph = range !== 0 && listed === 0 ? 0 : (listed + step) & 0xffff
      if (glyph !== 0) visit(codePoint, glyph)
    }
  }
}

/** Advance width of a glyph in font units. */
export function advanceOf(font: Font, glyph: number): number {
  const metrics = Math.max(1, font.view.getUint16(tableAt(font, 'hhea') + 34))
  return font.view.getUint16(tableAt(font, 'hmtx') + 4 * Math.min(glyph, metrics - 1))
}

/** Offset of the character map of a format, if the font has one. */
function characterMap(font: Font, format: number): number | undefined {
  const cmap = tableAt(font, 'cmap')
  for (let index = 0; index < font.view.getUint16(cmap + 2); index++) {
    const at = cmap + font.view.getUint32(cmap + 8 + 8 * index)
    if (font.view.getUint16(at) === format) return at
  }
  return undefined
}
