import { type Font, tableAt } from './font.ts'
import { hasLongOffsets, writeFontFile } from './font-subset.ts'

const drawnTables = [
  ...['CFF ', 'GSUB', 'OS/2', 'cmap', 'cvt ', 'fpgm', 'glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp', 'name', 'post'],
  ...['prep', 'vhea', 'vmtx'],
]
const endCharacter = 14

/**
 * A font as a file of its own, also one of a collection. Its glyph for what it lacks is blank: whoever draws with it can
 * tell by that.
 */
export function fileOf(font: Font): Buffer {
  const tag = font.cff ? 'CFF ' : 'loca'
  const table = Buffer.from(bytesOf(font, tag))
  if (font.cff) table[font.cff.missingAt] = endCharacter
  else table.copy(table, 0, hasLongOffsets(font) ? 4 : 2, hasLongOffsets(font) ? 8 : 4)
  return writeFontFile(font, drawnTables, new Map([[tag, table]]))
}

function bytesOf(font: Font, tag: string): Buffer {
  return Buffer.from(font.view.buffer, font.view.byteOffset + tableAt(font, tag), font.tables.get(tag)?.length ?? 0)
}
