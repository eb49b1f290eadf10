import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { checkPixels } from './limits.ts'
import type { Limits } from './limits.ts'
import { faxRows, faxWidth } from './paper.ts'
import type { Paper, Placement, Resolution } from './paper.ts'
import { DocumentProblem } from './problem.ts'

// One image at a time and nothing kept: the worker pool is what runs in parallel, and memory is to stay small.
sharp.concurrency(1)
sharp.cache(false)

/** An image file as the image library sees it, turned upright. */
export interface ImageFile {
  bytes: Uint8Array
  /** Page of a TIFF file, from 0. */
  page: number
  name: 'PNG' | 'JPEG' | 'TIFF'
  limits: Limits
}

/** What an image's header tells; `width` and `height` as seen upright, `density` in dots an inch if it is given. */
export interface ImageHeader {
  width: number
  height: number
  density: number | undefined
  channels: number
  space: string
  orientation: number
}

/** Reads the header of an image. Throws `broken`, or `too_large` when it has too many pixels. Decodes nothing. */
export async function readHeader(image: ImageFile): Promise<ImageHeader> {
  const found = await decoding(image, () => open(image, Number.MAX_SAFE_INTEGER).metadata())
  checkPixels(found.width, found.height, image.limits)
  const { width, height } = found.autoOrient
  const { density, channels, space, orientation = 1 } = found
  return { width, height, density, channels, space, orientation }
}

/** Decodes all of an image and keeps nothing of it. Throws `broken`. */
export async function checkImage(image: ImageFile): Promise<void> {
  await decoding(image, () => open(image).resize(64, 64, { fit: 'fill' }).raw().toBuffer())
}

/** An image in grey on a white fax page, a byte a pixel, 0 is black. Throws `broken`. */
export async function imageOnPage(
  image: ImageFile,
  place: Placement,
  paper: Paper,
  resolution: Resolution,
): Promise<Uint8Array> {
  const rows = faxRows(paper, resolution)
  const { left, top, width, height } = place
  const upright = grey(image)
  const turned = place.turned ? upright.rotate(90) : upright
  return decoding(image, () =>
    turned
      .resize(width, height, { fit: 'fill' })
      .extend({ left, top, right: faxWidth - left - width, bottom: rows - top - height, background: '#fff' })
      .toColourspace('b-w')
      .raw()
      .toBuffer(),
  )
}

/** An image in grey, a byte a pixel, 0 is black, scaled down to `width` × `height` where it is larger. Throws `broken`. */
export async function greyImage(image: ImageFile, width: number, height: number) {
  const { data, info } = await decoding(image, () =>
    grey(image).resize(width, height, { fit: 'fill' }).toColourspace('b-w').raw().toBuffer({ resolveWithObject: true }),
  )
  return { pixels: new Uint8Array(data), width: info.width, height: info.height }
}

function grey(image: ImageFile): Sharp {
  return open(image).autoOrient().flatten({ background: '#fff' }).greyscale()
}

function open({ bytes, page, limits }: ImageFile, pixels = limits.pixels): Sharp {
  const { seconds } = limits
  return sharp(bytes, { page, failOn: 'error', limitInputPixels: pixels }).timeout({ seconds: Math.ceil(seconds) })
}

/** Whatever the image library says about a file is about the file. */
async function decoding<T>(image: ImageFile, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch {
    throw new DocumentProblem(
      'broken',
      `The ${image.name} image is damaged or of an unknown variety. Open it on your computer, save it anew and send that file.`,
    )
  }
}
