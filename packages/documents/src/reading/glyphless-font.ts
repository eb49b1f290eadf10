import { deflateSync } from 'node:zlib'
import { hex4 } from '../text/font.ts'

/** Units of an em, and the advance of every glyph in them. */
const unitsPerEm = 1000
export const advance = 500
/** How far a line of the font reaches above and below its baseline. */
export const ascent = 800
const descent = -200
/** Version 1.0, as 16 bits before and 16 behind the point. */
const fixed = 0x00010000

/** A table of big-endian numbers: [bytes, value] each. */
function tableOf(fields: readonly (readonly [1 | 2 | 4 | 8, number])[]): Buffer {
  const table = Buffer.alloc(fields.reduce((sum, [bytes]) => sum + bytes, 0))
  let at = 0
  for (const [bytes, value] of fields) {
    if (bytes <= 4) table.writeUIntBE(value < 0 ? value + 2 ** (8 * bytes) : value, at, bytes)
    at += bytes
  }
  return table
}

/** The tables of a font of `count` glyphs behind the first, none of which draws anything. */
function tablesOf(count: number): [string, Buffer][] {
  const glyphs = count + 1
  const shorts = (...values: number[]) => values.map((value) => [2, value] as const)
  // Version, revision, checksum and magic; flags, units, times, bounds, style, least size, direction, formats.
  const versions = [fixed, fixed, 0, 0x5f0f3cf5].map((value) => [4, value] as const)
  const bounds = shorts(0, descent, advance, ascent, 0, 8, 2, 0, 0)
  return [
    ['glyf', Buffer.alloc(4)],
    ['head', tableOf([...versions, ...shorts(0, unitsPerEm), [8, 0], [8, 0], ...bounds])],
    ['hhea', tableOf([[4, fixed], ...shorts(ascent, descent, 0, advance, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1)])],
    ['hmtx', Buffer.concat([tableOf([[2, advance]]), Buffer.alloc(2 + 2 * count)])],
    ['loca', Buffer.alloc(2 * (glyphs + 1))],
    ['maxp', tableOf([[4, fixed], ...shorts(glyphs, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0)])],
  ]
}

/** A TrueType file of `count` glyphs behind the first, none of which draws anything. */
export function glyphlessFont(count: number): Buffer {
  const tables = tablesOf(count)
  const header = [
    [4, fixed],
    [2, tables.length],
    [2, 64],
    [2, 2],
    [2, 16 * tables.length - 64],
  ] as const
  let offset = 12 + 16 * tables.length
  const directory = tables.map(([tag, table]) => {
    const entry = Buffer.concat([
      Buffer.from(tag, 'latin1'),
      tableOf([
        [4, checksumOf(table)],
        [4, offset],
        [4, table.length],
      ]),
    ])
    offset += table.length + (-table.length & 3)
    return entry
  })
  const padded = tables.map(([, table]) => Buffer.concat([table, Buffer.alloc(-table.length & 3)]))
  return Buffer.concat([tableOf(header), ...directory, ...padded])
}

function checksumOf(table: Buffer): number {
  const padded = Buffer.concat([table, Buffer.alloc(-table.length & 3)])
  let sum = 0
  for (let at = 0; at < padded.length; at += 4) sum = (sum + padded.readUInt32BE(at)) >>> 0
  return sum
}

/** The characters of a document with the numbers of their glyphs, from 1 on. */
export class LayerCodes {
  readonly #codes = new Map<string, number>()

  /** The text in the hexadecimal codes of the font; characters beyond 65,535 different ones are left out. */
  encode(text: string): { hex: string; length: number } {
    const codes = Array.from(text, (character) => this.#codeOf(character)).filter((code) => code <= 0xffff)
    return { hex: codes.map(hex4).join(''), length: codes.length }
  }

  get size(): number {
    return this.#codes.size
  }

  /** What each code means: the ToUnicode map (ISO 32000-1, 9.10.3). */
  toUnicode(): Buffer {
    const lines = Array.from(this.#codes, ([character, code]) => {
      const units = Buffer.from(character, 'utf16le').swap16().toString('hex')
      return `<${hex4(code)}><${units}>`
    })
    const blocks = Array.from({ length: Math.ceil(lines.length / 100) }, (_, block) => {
      const some = lines.slice(block * 100, block * 100 + 100)
      return `${some.length} beginbfchar\n${some.join('\n')}\nendbfchar\n`
    })
    const head =
      '/CIDInit/ProcSet findresource begin 12 dict begin begincmap/CIDSystemInfo<</Registry(Adobe)/Ordering(UCS)/Supplement 0>>def' +
      '/CMapName/Adobe-Identity-UCS def/CMapType 2 def 1 begincodespacerange<0000><ffff>endcodespacerange\n'
    const end = 'endcmap CMapName currentdict/CMap defineresource pop end end'
    return deflateSync(head + blocks.join('') + end)
  }

  #codeOf(character: string): number {
    const known = this.#codes.get(character)
    if (known !== undefined) return known
    const code = this.#codes.size + 1
    if (code <= 0xffff) this.#codes.set(character, code)
    return code
  }
}
