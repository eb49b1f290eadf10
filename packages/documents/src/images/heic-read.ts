import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import makeLibheif from 'libheif-js/libheif-wasm/libheif.js'
import sharp from 'sharp'
import { checkPixels, type Limits } from '../base/limits.ts'
import { allowedMegabytes, NeedsMemory, requireMemory } from '../base/memory.ts'
import { DocumentProblem } from '../base/problem.ts'

type Libheif = ReturnType<typeof makeLibheif>

/** Bytes a pixel that decoding takes: the planes of its coding, and its colors. */
const decodingBytes = 6

/** What the decoder may take, and whether it asked for more. */
interface Allowance {
  megabytes: number
  isRefused: boolean
}

let compiled: WebAssembly.Module | undefined

/** A HEIC photo in gray as a PNG of the same pixels, upright, and how many pictures its file holds. */
export interface HeicPhoto {
  png: Uint8Array
  pictures: number
}

/**
 * Reads the main picture of a HEIC file (ISO/IEC 23008-12). Throws `broken` and `too_large`.
 * @param megabytes that the decoder may take
 */
export async function readHeic(bytes: Uint8Array, limits: Limits, megabytes = allowedMegabytes()): Promise<HeicPhoto> {
  const memory = { megabytes, isRefused: false }
  try {
    const { pictures, ...photo } = await decode(startLibheif(memory), bytes, limits)
    const { width, height, channels } = photo
    const png = await sharp(photo.pixels, { raw: { width, height, channels } })
      .flatten({ background: '#fff' })
      .grayscale()
      .png({ compressionLevel: 1 })
      .toBuffer()
    return { png, pictures }
  } catch (error) {
    if (memory.isRefused) throw new NeedsMemory(megabytes)
    // Whatever else the decoder throws is about the file.
    throw error instanceof DocumentProblem ? error : damaged()
  }
}

/** An instance for one file: its memory never shrinks. */
function startLibheif(allowance: Allowance): Libheif {
  compiled ??= new WebAssembly.Module(
    readFileSync(fileURLToPath(import.meta.resolve('libheif-js/libheif-wasm/libheif.wasm'))),
  )
  const wasm = compiled
  return makeLibheif({
    print: () => {},
    printErr: () => {},
    instantiateWasm: (imports, receive) => {
      const instance = new WebAssembly.Instance(wasm, imports)
      capMemory(instance, allowance)
      receive(instance)
      return instance.exports
    },
  })
}

const pageBytes = 65_536

/** Names in the library are shortened, so that the memory is known by what it is. */
function capMemory({ exports }: WebAssembly.Instance, allowance: Allowance): void {
  const memory = Object.values(exports).find((each) => each instanceof WebAssembly.Memory)
  if (!memory) throw new Error('The HEIC decoder has no memory to limit.')
  const grow = memory.grow.bind(memory)
  memory.grow = (pages) => {
    if (memory.buffer.byteLength + pages * pageBytes <= allowance.megabytes * 1024 * 1024) return grow(pages)
    allowance.isRefused = true
    throw new RangeError('The HEIC decoder wants more memory than a document may take.')
  }
}

async function decode(heif: Libheif, bytes: Uint8Array, limits: Limits) {
  const context = heif.heif_context_alloc()
  const { code } = heif.heif_context_read_from_memory(context, bytes)
  if (code !== heif.heif_error_code.heif_error_Ok) throw damaged()
  const handle = heif.heif_js_context_get_primary_image_handle(context)
  if ('code' in handle) throw damaged()
  const [width, height] = [heif.heif_image_handle_get_width(handle), heif.heif_image_handle_get_height(handle)]
  checkPixels(width, height, limits)
  requireMemory(decodingBytes * width * height)
  const hasAlpha = heif.heif_image_handle_has_alpha_channel(handle) !== 0
  const { heif_chroma_interleaved_RGBA: seenThrough, heif_chroma_interleaved_RGB: opaque } = heif.heif_chroma
  const image = await heif.heif_js_decode_image2(
    handle,
    heif.heif_colorspace.heif_colorspace_RGB,
    hasAlpha ? seenThrough : opaque,
  )
  const plane = 'channels' in image ? image.channels[0] : undefined
  const channels = hasAlpha ? (4 as const) : (3 as const)
  if (plane?.width !== width || plane.height !== height) throw damaged()
  const pictures = heif.heif_context_get_number_of_top_level_images(context)
  return { pixels: packRows(plane, channels * width), width, height, channels, pictures }
}

/** Rows without the gaps between them. */
function packRows({ data, stride, height }: { data: Uint8Array; stride: number; height: number }, length: number) {
  const rows = new Uint8Array(length * height)
  for (let y = 0; y < height; y++) rows.set(data.subarray(y * stride, y * stride + length), y * length)
  return rows
}

function damaged(): DocumentProblem {
  return new DocumentProblem(
    'broken',
    'The HEIC photo is damaged or uses a format that cannot be read. Save the photo as JPEG and send that.',
  )
}
