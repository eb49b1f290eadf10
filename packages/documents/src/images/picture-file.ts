import { detectKind, type DocumentKind } from '../kinds/kind.ts'
import type { Limits } from '../base/limits.ts'
import type { ImageFile } from './image-read.ts'

const names: Partial<Record<DocumentKind, ImageFile['name']>> = {
  png: 'PNG',
  jpeg: 'JPEG',
  gif: 'GIF',
  webp: 'WebP',
  avif: 'AVIF',
}

/** A picture as the image library reads it, and how many its file holds where that is known. */
interface PictureFile {
  bytes: Uint8Array
  name: ImageFile['name']
  pictures?: number
}

/** A picture of any kind but TIFF for the image library, which reads nearly all as they are; undefined for anything else. Throws what reading it throws. */
export async function readPictureFile(bytes: Uint8Array, limits: Limits): Promise<PictureFile | undefined> {
  const kind = detectKind(bytes)
  if (kind === 'bmp') return { bytes: await (await import('./bmp-read.ts')).bmpToPng(bytes, limits), name: 'BMP' }
  if (kind === 'heic') {
    const { png, pictures } = await (await import('./heic-read.ts')).readHeic(bytes, limits)
    return { bytes: png, name: 'HEIC', pictures }
  }
  const name = kind && names[kind]
  return name && { bytes, name }
}
