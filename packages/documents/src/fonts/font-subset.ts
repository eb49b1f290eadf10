import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readCff } from './cff.ts'
import { type Font, tableAt } from './font.ts'
import { DocumentProblem } from '../base/problem.ts'

/** Those of the functions of HarfBuzz's subsetter that are used, by the names its WebAssembly module exports them under. */
interface Subsetter {
  memory: { buffer: ArrayBuffer }
  _initialize: () => void
  malloc: (bytes: number) => number
  free: (pointer: number) => void
  hb_blob_destroy: (blob: number) => void
  hb_face_destroy: (face: number) => void
  hb_subset_input_destroy: (input: number) => void
  hb_blob_create: (data: number, length: number, mode: number, userData: number, destroy: number) => number
  hb_blob_get_data: (blob: number, length: number) => number
  hb_blob_get_length: (blob: number) => number
  hb_face_create: (blob: number, index: number) => number
  hb_face_reference_blob: (face: number) => number
  hb_set_add: (set: number, value: number) => void
  hb_subset_input_create_or_fail: () => number
  hb_subset_input_glyph_set: (input: number) => number
  hb_subset_input_set_flags: (input: number, flags: number) => void
  hb_subset_or_fail: (face: number, input: number) => number
}

/** What a PDF reader needs of a font whose glyphs are named by their numbers (ISO 32000-1, 9.9). */
const neededTables = ['CFF ', 'cvt ', 'fpgm', 'glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp', 'prep']
/** Of hb-subset.h. */
const [readOnly, retainGlyphNumbers] = [1, 2]

/** Bytes of a font that the subsetter may have seen and be used again. */
const maxKept = 4 * 1024 * 1024

let compiled: WebAssembly.Module | undefined
let running: Subsetter | undefined

/**
 * The outlines of `glyphs` and of the glyphs they are composed of: a TrueType file, or the `CFF ` table of a font with
 * PostScript outlines (Adobe Technical Note #5176). Glyph numbers stay as they are, and are the CIDs. Throws
 * `unsupported` when the font is damaged.
 */
export function subsetFont(font: Font, glyphs: Iterable<number>): Buffer {
  try {
    const file = subset(writeFontFile(font, neededTables, new Map()), glyphs)
    return font.cff ? byGlyphNumbers(tableOf(file, 'CFF ')) : file
  } catch {
    throw new DocumentProblem(
      'unsupported',
      `The font ${font.name} on this server is damaged. Install it again, or send a PDF that has its fonts embedded.`,
    )
  }
}

/**
 * Gives the glyphs of a `CFF ` table CIDs that are their numbers, in one range, in the shortest of the formats of section
 * 13 that can say so: it fits where their own CIDs stood.
 */
function byGlyphNumbers(cff: Buffer): Buffer {
  const { charsetAt, glyphs } = readCff(cff)
  if (charsetAt === undefined) return cff
  const more = glyphs - 2
  const range = more === 0 ? [0, 0, 1] : more < 256 ? [1, 0, 1, more] : [2, 0, 1, more >> 8, more & 0xff]
  cff.set(range, charsetAt)
  return cff
}

/** A table of a font file. */
function tableOf(file: Buffer, tag: string): Buffer {
  const entries = Array.from({ length: file.readUInt16BE(4) }, (_, index) => file.subarray(12 + 16 * index))
  const entry = entries.find((each) => each.toString('latin1', 0, 4) === tag)
  if (!entry) throw new Error('The outlines of the font are damaged.')
  const start = entry.readUInt32BE(8)
  return file.subarray(start, start + entry.readUInt32BE(12))
}

function subset(file: Buffer, glyphs: Iterable<number>): Buffer {
  const hb = (running ??= startSubsetter())
  // What fails, or is large, leaves nothing behind: memory of WebAssembly only grows.
  running = undefined
  const data = hb.malloc(file.length)
  if (data === 0) throw new Error('HarfBuzz has no memory left.')
  new Uint8Array(hb.memory.buffer, data).set(file)
  const blob = hb.hb_blob_create(data, file.length, readOnly, 0, 0)
  const face = hb.hb_face_create(blob, 0)
  const input = hb.hb_subset_input_create_or_fail()
  const wanted = hb.hb_subset_input_glyph_set(input)
  for (const glyph of glyphs) hb.hb_set_add(wanted, glyph)
  hb.hb_subset_input_set_flags(input, retainGlyphNumbers)
  const subsetFace = hb.hb_subset_or_fail(face, input)
  if (subsetFace === 0) throw new Error('The font is damaged.')
  const made = hb.hb_face_reference_blob(subsetFace)
  const from = hb.hb_blob_get_data(made, 0)
  const bytes = Buffer.from(hb.memory.buffer.slice(from, from + hb.hb_blob_get_length(made)))
  for (const each of [made, blob]) hb.hb_blob_destroy(each)
  for (const each of [subsetFace, face]) hb.hb_face_destroy(each)
  hb.hb_subset_input_destroy(input)
  hb.free(data)
  if (file.length <= maxKept) running = hb
  return bytes
}

function startSubsetter(): Subsetter {
  compiled ??= new WebAssembly.Module(
    readFileSync(fileURLToPath(import.meta.resolve('harfbuzzjs/dist/harfbuzz-subset.wasm'))),
  )
  const hb = new WebAssembly.Instance(compiled, {}).exports as unknown as Subsetter
  hb._initialize()
  return hb
}

const longOffsetsAt = 50
/** Whether the loca table has offsets of four bytes. */
export const hasLongOffsets = (font: Font) => font.view.getInt16(tableAt(font, 'head') + longOffsetsAt) !== 0

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
