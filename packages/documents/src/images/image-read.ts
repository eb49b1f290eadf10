import sharp from 'sharp'
import type { Metadata, Sharp, SharpOptions } from 'sharp'
import { checkPixels, type Limits } from '../base/limits.ts'
import { faxWidth, type Placement } from '../raster/paper.ts'
import type { GrayImage } from '../raster/scale.ts'
import { requireMemory } from '../base/memory.ts'
import { DocumentProblem } from '../base/problem.ts'

// One image at a time and nothing kept: the worker pool is what runs in parallel, and memory is to stay small.
sharp.concurrency(1)
sharp.cache(false)

/** The library measures the time on the clock, which on a busy machine is several times that of the work. */
const patience = 5

/** An image file as the image library sees it, turned upright. */
export interface ImageFile {
  bytes: Uint8Array
  /** Page of a TIFF file, from 0. */
  page: number
  name: 'PNG' | 'JPEG' | 'TIFF' | 'GIF' | 'WebP' | 'AVIF' | 'HEIC' | 'BMP'
  limits: Limits
  /** Its colors are stored as CIE L*a*b*, which the library cannot lay on white: nothing of it shines through. */
  isLab?: boolean
}

/** What an image's header says; `width` and `height` as seen upright, `density` in dots an inch if it is given. */
export interface ImageHeader {
  width: number
  height: number
  density: number | undefined
  channels: number
  space: string
  orientation: number
  /** Pictures that the file holds. */
  pages: number
  hasAlpha: boolean
}

/** Reads the header of an image. Throws `broken`, or `too_large` when it has too many pixels. Decodes nothing. */
export async function readHeader(image: ImageFile): Promise<ImageHeader> {
  const found = await decoding(image, () => open(image, { limitInputPixels: false }).metadata())
  checkPixels(found.width, found.height, image.limits)
  requireMemory(decodingBytes(image.name, found))
  const { width, height } = found.autoOrient
  const { density, channels, space, orientation = 1, pages = 1, hasAlpha } = found
  return { width, height, density, channels, space, orientation, pages, hasAlpha }
}

/** Whether something is painted on a ground that shines through, in whatever color. Throws `broken`. */
export async function isPaintedOnNothing(image: ImageFile): Promise<boolean> {
  const { channels } = await decoding(image, async () =>
    sharp(await open(image).extractChannel('alpha').png().toBuffer()).stats(),
  )
  return channels[0]!.min === 0 && channels[0]!.max > 0
}

/** Bytes a sample takes, by libvips' names of its formats. */
const sampleBytes: Readonly<Record<string, number>> = { uchar: 1, char: 1, ushort: 2, short: 2, double: 8 }

/**
 * What decoding takes at most. An image is usually decoded row by row; as a whole where its rows do not come in order:
 * the coefficients of a progressive JPEG, all of an interlaced PNG, a strip or a picture that is turned.
 */
function decodingBytes(name: ImageFile['name'], found: Metadata): number {
  const pixels = found.width * found.height
  if (name === 'JPEG') return found.isProgressive ? pixels * (found.chromaSubsampling === '4:2:0' ? 3 : 6) : 0
  const isTurned = (found.orientation ?? 1) > 1
  if (name === 'PNG' && !found.isProgressive && !isTurned) return 0
  return pixels * found.channels * (sampleBytes[found.depth] ?? 4)
}

/** Decodes all of an image and keeps nothing of it. Throws `broken`. */
export async function checkImage(image: ImageFile): Promise<void> {
  await decoding(image, () => open(image).resize(64, 64, { fit: 'fill' }).raw().toBuffer())
}

/** What a white fax page of `rows` rows shows of an image in gray, a byte a pixel, 0 is black. Throws `broken`. */
export async function imageOnPage(image: ImageFile, place: Placement, rows: number): Promise<Uint8Array> {
  return layOnPage(image, gray(image), place, rows)
}

/**
 * The same of a gray JPEG that is a page of a PDF, where neither what it says of colors nor of its orientation counts.
 * Undefined when its size or colors are not those that the PDF says. Throws `broken`, also for a
 * picture that the library only warns of, and `too_large`.
 */
export async function scannedJpeg(
  scan: { jpeg: Uint8Array; width: number; height: number },
  place: Placement,
  rows: number,
  limits: Limits,
): Promise<Uint8Array | undefined> {
  const image: ImageFile = { bytes: scan.jpeg, page: 0, name: 'JPEG', limits }
  const { width, height, channels, orientation } = await readHeader(image)
  if (width !== scan.width || height !== scan.height || channels !== 1 || orientation !== 1) return undefined
  // As PDFium does, and quicker than what the library takes for pictures. What is turned is needed as a whole.
  const upright = open(image, { ignoreIcc: true, sequentialRead: !place.turned, failOn: 'warning' })
  return layOnPage(image, upright, place, rows, 'linear')
}

/** Samples of pixels, a byte each. */
export interface Pixels extends GrayImage {
  channels: number
}

/**
 * An image file that a PDF holds, or that was put together of its data, scaled to the pixels that are shown of it, as it
 * is coded: neither a profile nor an orientation counts. Throws `broken`, also for one that the library only warns of or
 * that is not as the PDF says.
 */
export async function shrinkFile(
  bytes: Uint8Array,
  name: 'JPEG' | 'PNG' | 'TIFF',
  expected: { width: number; height: number; channels: number; shown: { width: number; height: number } },
  limits: Limits,
): Promise<Pixels> {
  const image: ImageFile = { bytes, page: 0, name, limits }
  // A TIFF is one of ours: its rows are decoded one by one.
  const { width, height, channels } = name === 'TIFF' ? expected : await readHeader(image)
  return decoding(image, async () => {
    if (width !== expected.width || height !== expected.height || channels !== expected.channels) throw new Error(name)
    const { shown } = expected
    const { data, info } = await open(image, { ignoreIcc: true, sequentialRead: true, failOn: 'warning' })
      .resize(shown.width, shown.height, { fit: 'fill', kernel: 'linear' })
      .raw()
      .toBuffer({ resolveWithObject: true })
    return { pixels: new Uint8Array(data.buffer, data.byteOffset, data.length), ...shown, channels: info.channels }
  })
}

/** What the JPEG library says of data that is not an image's any more; about other oddities it only warns. */
const damage = /Corrupt JPEG data: (?!\d+ extraneous bytes)|Inconsistent progression/
const endOfImage = Uint8Array.of(0xff, 0xd9)

/** Whether part of a JPEG's picture is missing or garbled. One that only lacks the mark of its end is whole. */
export async function isDamagedJpeg(data: Uint8Array, limits: Limits): Promise<boolean> {
  const image: ImageFile = { bytes: Buffer.concat([data, endOfImage]), page: 0, name: 'JPEG', limits }
  try {
    await readHeader(image)
  } catch (problem) {
    // One that has more pixels than pictures may have, or takes more memory, is not looked at.
    return problem instanceof DocumentProblem && problem.code === 'broken'
  }
  // A size to which the library scales while it decodes.
  const read = (failOn: 'warning' | 'error') => open(image, { failOn }).resize(16, 16, { fit: 'fill' }).raw().toBuffer()
  try {
    await read('warning')
    return false
  } catch (error) {
    if (damage.test(String(error))) return true
    return read('error').then(
      () => false,
      () => true,
    )
  }
}

function layOnPage(
  image: ImageFile,
  upright: Sharp,
  place: Placement,
  rows: number,
  kernel: 'lanczos3' | 'linear' = 'lanczos3',
): Promise<Uint8Array> {
  const { left, width, height } = place
  const [first, top] = [Math.max(0, -place.top), Math.max(0, place.top)]
  const shown = Math.min(height - first, rows - top)
  const turned = place.turned ? upright.rotate(90) : upright
  return decoding(image, () =>
    turned
      .resize(width, height, { fit: 'fill', kernel })
      .extract({ left: 0, top: first, width, height: shown })
      .extend({ left, top, right: faxWidth - left - width, bottom: rows - top - shown, background: '#fff' })
      .toColorspace('b-w')
      .raw()
      .toBuffer(),
  )
}

/** An image in gray, a byte a pixel, 0 is black, scaled down to `width` × `height` where it is larger. Throws `broken`. */
export async function grayImage(image: ImageFile, width: number, height: number) {
  const { data, info } = await decoding(image, () =>
    gray(image).resize(width, height, { fit: 'fill' }).toColorspace('b-w').raw().toBuffer({ resolveWithObject: true }),
  )
  return { pixels: new Uint8Array(data), width: info.width, height: info.height }
}

function gray(image: ImageFile): Sharp {
  const upright = open(image).autoOrient()
  return (image.isLab ? upright.removeAlpha() : upright.flatten({ background: '#fff' })).grayscale()
}

function open({ bytes, page, limits }: ImageFile, more: SharpOptions = {}): Sharp {
  const seconds = Math.ceil(limits.seconds * patience)
  return sharp(bytes, { page, failOn: 'error', limitInputPixels: limits.pixels, ...more }).timeout({ seconds })
}

/** Whatever the image library says about a file is about the file. */
async function decoding<T>(image: ImageFile, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch {
    throw new DocumentProblem(
      'broken',
      `The ${image.name} image is damaged or uses a format that cannot be read. Open it on your computer, save it again and send that file.`,
    )
  }
}
