import { tableAt } from './font.ts'
import type { Font } from './font.ts'

/** What a PDF reader needs of a TrueType font whose glyphs are named by their numbers (ISO 32000-1, 9.9). */
const neededTables = ['cvt ', 'fpgm', 'glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp', 'prep']

const componentFlags = { words: 0x0001, scale: 0x0008, more: 0x0020, twoScales: 0x0040, matrix: 0x0080 }

/**
 * A TrueType file with the outlines of `glyphs` and of the glyphs they are composed of. Glyph numbers stay as they
 * are; the others have no outline.
 */
export function subsetFont(font: Font, glyphs: Iterable<number>): Buffer {
  const kept = withComponents(font, glyphs)
  const outlines: Buffer[] = []
  const loca = Buffer.alloc(4 * (font.glyphCount + 1))
  let length = 0
  for (let glyph = 0; glyph < font.glyphCount; glyph++) {
    loca.writeUInt32BE(length, 4 * glyph)
    if (!kept.has(glyph)) continue
    const { start, end } = outlineOf(font, glyph)
    outlines.push(bytesAt(font, start, end - start))
    length += end - start
  }
  loca.writeUInt32BE(length, 4 * font.glyphCount)
  const replaced = new Map<string, Buffer>([
    ['glyf', Buffer.concat(outlines)],
    ['loca', loca],
    ['head', headWithLongOffsets(font)],
  ])
  return writeFontFile(font, neededTables, replaced)
}

function withComponents(font: Font, glyphs: Iterable<number>): Set<number> {
  const kept = new Set([0])
  const waiting = [...glyphs]
  for (let glyph = waiting.pop(); glyph !== undefined; glyph = waiting.pop()) {
    if (kept.has(glyph)) continue
    kept.add(glyph)
    waiting.push(...componentsOf(font, glyph))
  }
  return kept
}

/** The glyphs a composite glyph is made of (the glyf table's component records). */
function componentsOf(font: Font, glyph: number): number[] {
  const { start, end } = outlineOf(font, glyph)
  const components: number[] = []
  if (end === start || font.view.getInt16(start) >= 0) return components
  for (let at = start + 10, flags = componentFlags.more; flags & componentFlags.more && at + 4 <= end;) {
    flags = font.view.getUint16(at)
    components.push(font.view.getUint16(at + 2))
    at += flags & componentFlags.words ? 8 : 6
    if (flags & componentFlags.matrix) at += 8
    else if (flags & componentFlags.twoScales) at += 4
    else if (flags & componentFlags.scale) at += 2
  }
  return components
}

/** Where a glyph's outline lies in the file; nowhere when the font does not say so soundly. */
function outlineOf(font: Font, glyph: number): { start: number; end: number } {
  const glyf = tableAt(font, 'glyf')
  if (glyph >= font.glyphCount) return { start: glyf, end: glyf }
  const loca = tableAt(font, 'loca')
  const offsetOf = hasLongOffsets(font)
    ? (index: number) => font.view.getUint32(loca + 4 * index)
    : (index: number) => 2 * font.view.getUint16(loca + 2 * index)
  const [start, end] = [offsetOf(glyph), offsetOf(glyph + 1)]
  const isSound = end - start >= 10 && end <= (font.tables.get('glyf')?.length ?? 0)
  return isSound ? { start: glyf + start, end: glyf + end } : { start: glyf, end: glyf }
}

const longOffsetsAt = 50
/** Whether the loca table has offsets of four bytes. */
export const hasLongOffsets = (font: Font) => font.view.getInt16(tableAt(font, 'head') + longOffsetsAt) !== 0

/** The head table of a font with a long loca table, as the subset has it. */
function headWithLongOffsets(font: Font): Buffer {
  const head = Buffer.from(bytesAt(font, tableAt(font, 'head'), font.tables.get('head')?.length ?? 0))
  head.writeInt16BE(1, longOffsetsAt)
  return head
}

function bytesAt(font: Font, offset: number, length: number): Buffer {
  return Buffer.from(font.view.buffer, font.view.byteOffset + offset, length)
}

/**
 * A font file of those tables of a font that are asked for, some of them replaced. Their checksums stay 0: PDF readers do
 * not check them.
 */
export function writeFontFile(font: Font, tags: readonly string[], replaced: ReadonlyMap<string, Buffer>): Buffer {
  const kept = tags.filter((tag) => font.tables.has(tag))
  const header = Buffer.alloc(12 + 16 * kept.length)
  if (font.cff && kept.includes('CFF ')) header.write('OTTO', 'latin1')
  else header.writeUInt32BE(0x00010000, 0)
  header.writeUInt16BE(kept.length, 4)
  const parts: Uint8Array[] = [header]
  let offset = header.length
  kept.forEach((tag, index) => {
    const table = font.tables.get(tag)
    const bytes = replaced.get(tag) ?? bytesAt(font, tableAt(font, tag), table?.length ?? 0)
    const at = 12 + 16 * index
    header.write(tag, at, 'latin1')
    header.writeUInt32BE(offset, at + 8)
    header.writeUInt32BE(bytes.length, at + 12)
    const padding = Buffer.alloc(-bytes.length & 3)
    parts.push(bytes, padding)
    offset += bytes.length + padding.length
  })
  return Buffer.concat(parts)
}
