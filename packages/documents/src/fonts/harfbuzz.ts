import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type KernelMemory, makeRoom } from '../raster/kernel.ts'
import { writeFontFile } from './font-subset.ts'
import type { Font } from './font.ts'

/** A glyph as HarfBuzz places it, in font units from where the pen stands, which it moves on by `advance`. */
export interface ShapedGlyph {
  glyph: number
  /** Where the characters that it stands for begin in the text, in UTF-16 code units. */
  start: number
  advance: number
  x: number
  y: number
}

/** Those of HarfBuzz's functions that are used, by the names its WebAssembly module exports them under. */
interface HarfBuzz {
  memory: KernelMemory
  __wasm_call_ctors: () => void
  malloc: (bytes: number) => number
  free: (pointer: number) => void
  hb_blob_create: (data: number, length: number, mode: number, userData: number, destroy: number) => number
  hb_face_create: (blob: number, index: number) => number
  hb_font_create: (face: number) => number
  hb_buffer_create: () => number
  hb_buffer_destroy: (buffer: number) => void
  hb_buffer_add_utf16: (buffer: number, text: number, length: number, start: number, count: number) => void
  hb_buffer_guess_segment_properties: (buffer: number) => void
  hb_buffer_get_glyph_infos: (buffer: number, length: number) => number
  hb_buffer_get_glyph_positions: (buffer: number, length: number) => number
  hb_font_get_glyph_extents: (font: number, glyph: number, extents: number) => number
  hb_shape: (font: number, buffer: number, features: number, count: number) => void
}

/** What is read of a font here: everything but TrueType outlines, which stay out of HarfBuzz's memory. */
const shapingTables = ['CFF ', 'GDEF', 'GPOS', 'GSUB', 'OS/2', 'cmap', 'head', 'hhea', 'hmtx', 'kern', 'maxp']
const readOnly = 1
/** Bytes of one entry of both lists that HarfBuzz answers with. */
const entryBytes = 20
/** Fonts are far smaller; a damaged one cannot take the memory of the machine. */
const maxBytes = 128 * 1024 * 1024

/** Started when a text first needs it, and started again after a fault. */
let running: { hb: HarfBuzz; fonts: WeakMap<Font, number> } | undefined

/**
 * Shapes a text of one script with a font: chooses, orders and places its glyphs, from left to right. The first call
 * starts HarfBuzz. Throws when the font makes HarfBuzz fail.
 */
export function shapeWith(font: Font, text: string): ShapedGlyph[] {
  running ??= { hb: startHarfBuzz(), fonts: new WeakMap() }
  try {
    return shape(running.hb, openedFont(running.hb, running.fonts, font), text)
  } catch (error) {
    running = undefined
    throw error
  }
}

/**
 * Whether a glyph's outline can be followed to its end: PostScript outlines are programs, which may be damaged one by
 * one.
 */
export function hasSoundOutline(font: Font, glyph: number): boolean {
  running ??= { hb: startHarfBuzz(), fonts: new WeakMap() }
  try {
    const { hb } = running
    const opened = openedFont(hb, running.fonts, font)
    const extents = allocate(hb, 16)
    const isSound = hb.hb_font_get_glyph_extents(opened, glyph, extents) !== 0
    hb.free(extents)
    return isSound
  } catch {
    running = undefined
    return false
  }
}

/** Compiled here and not by the package's own JavaScript, which can only be awaited: text is measured synchronously. */
function startHarfBuzz(): HarfBuzz {
  const file = readFileSync(fileURLToPath(import.meta.resolve('harfbuzzjs/dist/harfbuzz.wasm')))
  const stop = () => {
    throw new Error('HarfBuzz stopped.')
  }
  const nothing = () => 0
  const grow = (bytes: number) => {
    if (bytes >>> 0 > maxBytes) return 0
    makeRoom(hb.memory, bytes >>> 0)
    return 1
  }
  const instance = new WebAssembly.Instance(new WebAssembly.Module(file), {
    env: {
      _abort_js: stop,
      _emscripten_runtime_keepalive_clear: nothing,
      _setitimer_js: nothing,
      emscripten_resize_heap: grow,
    },
    wasi_snapshot_preview1: { proc_exit: stop },
  })
  const hb = instance.exports as unknown as HarfBuzz
  hb.__wasm_call_ctors()
  return hb
}

function openedFont(hb: HarfBuzz, fonts: WeakMap<Font, number>, font: Font): number {
  const known = fonts.get(font)
  if (known !== undefined) return known
  const file = writeFontFile(font, shapingTables, new Map())
  const data = allocate(hb, file.length)
  new Uint8Array(hb.memory.buffer, data).set(file)
  const opened = hb.hb_font_create(hb.hb_face_create(hb.hb_blob_create(data, file.length, readOnly, 0, 0), 0))
  fonts.set(font, opened)
  return opened
}

function shape(hb: HarfBuzz, font: number, text: string): ShapedGlyph[] {
  const units = Buffer.from(text, 'utf16le')
  const letters = allocate(hb, units.length)
  const buffer = hb.hb_buffer_create()
  const countAt = allocate(hb, 4)
  try {
    new Uint8Array(hb.memory.buffer, letters).set(units)
    hb.hb_buffer_add_utf16(buffer, letters, text.length, 0, text.length)
    hb.hb_buffer_guess_segment_properties(buffer)
    hb.hb_shape(font, buffer, 0, 0)
    const infos = hb.hb_buffer_get_glyph_infos(buffer, countAt)
    const positions = hb.hb_buffer_get_glyph_positions(buffer, 0)
    const view = new DataView(hb.memory.buffer)
    return Array.from({ length: view.getUint32(countAt, true) }, (_, index) => {
      const [info, position] = [infos + entryBytes * index, positions + entryBytes * index]
      return {
        glyph: view.getUint32(info, true),
        start: view.getUint32(info + 8, true),
        advance: view.getInt32(position, true),
        x: view.getInt32(position + 8, true),
        y: view.getInt32(position + 12, true),
      }
    })
  } finally {
    hb.hb_buffer_destroy(buffer)
    hb.free(letters)
    hb.free(countAt)
  }
}

function allocate(hb: HarfBuzz, bytes: number): number {
  const pointer = hb.malloc(bytes)
  if (pointer === 0) throw new Error('HarfBuzz has no memory left.')
  return pointer
}
