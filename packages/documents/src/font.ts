import { readFileSync } from 'node:fs'

/** An open TrueType font: the tables that measuring and embedding need (ISO/IEC 14496-22). */
export interface Font {
  name: string
  view: DataView
  tables: Map<string, { offset: number; length: number }>
  unitsPerEm: number
  glyphCount: number
}

export type FontName = 'DejaVuSansMono' | 'DejaVuSans'

/** Opens a bundled font. The font files are ours, so their tables are trusted. */
export function openFont(name: FontName): Font {
  const bytes = readFileSync(new URL(`../fonts/${name}.ttf`, import.meta.url))
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const tables: Font['tables'] = new Map()
  for (let index = 0; index < view.getUint16(4); index++) {
    const at = 12 + 16 * index
    const tag = bytes.toString('latin1', at, at + 4)
    tables.set(tag, { offset: view.getUint32(at + 8), length: view.getUint32(at + 12) })
  }
  const font = { name, view, tables, unitsPerEm: 0, glyphCount: 0 }
  font.unitsPerEm = view.getUint16(tableAt(font, 'head') + 18)
  font.glyphCount = view.getUint16(tableAt(font, 'maxp') + 4)
  return font
}

/** Offset of a table in the font file. */
export function tableAt(font: Font, tag: string): number {
  const table = font.tables.get(tag)
  if (!table) throw new Error(`The bundled font ${font.name} has no ${tag} table.`)
  return table.offset
}

/** Calls `visit` with every code point of the font's format 12 character map and its glyph. */
export function eachCharacter(font: Font, visit: (codePoint: number, glyph: number) => void): void {
  const at = characterMap(font)
  for (let group = 0; group < font.view.getUint32(at + 12); group++) {
    const entry = at + 16 + 12 * group
    const first = font.view.getUint32(entry)
    const last = font.view.getUint32(entry + 4)
    const glyph = font.view.getUint32(entry + 8)
    for (let codePoint = first; codePoint <= last; codePoint++) visit(codePoint, glyph + codePoint - first)
  }
}

/** Advance width of a glyph in font units. */
export function advanceOf(font: Font, glyph: number): number {
  const metrics = font.view.getUint16(tableAt(font, 'hhea') + 34)
  return font.view.getUint16(tableAt(font, 'hmtx') + 4 * Math.min(glyph, metrics - 1))
}

function characterMap(font: Font): number {
  const cmap = tableAt(font, 'cmap')
  for (let index = 0; index < font.view.getUint16(cmap + 2); index++) {
    const at = cmap + font.view.getUint32(cmap + 8 + 8 * index)
    if (font.view.getUint16(at) === 12) return at
  }
  throw new Error(`The bundled font ${font.name} has no format 12 character map.`)
}
