import { createInflateRaw } from 'node:zlib'
import type { LostPlace } from '../../raster/page-notes.ts'
import { decodeT6 } from '../../t4-t6/t6-decode.ts'
import type { Limits } from '../../base/limits.ts'
import { type CodedPicture, onPage } from './frail-pictures.ts'

/** Finds damaged pictures in the pages of one document; one that is on every page is read once. */
export function damagedPictures(limits: Limits) {
  const verdicts = new Map<string, Promise<boolean>>()
  return async (pictures: readonly CodedPicture[], page: { width: number; height: number }): Promise<LostPlace[]> => {
    const found: LostPlace[] = []
    for (const picture of pictures) {
      const seen = onPage(picture.place, page)
      if (!seen) continue
      const verdict = verdicts.get(picture.name) ?? isDamaged[picture.coding](picture, limits)
      verdicts.set(picture.name, verdict)
      if (await verdict) found.push({ ...seen, isDamaged: true })
    }
    return found
  }
}

/** Readers draw what there is of such a picture, and say nothing. */
const isDamaged: Readonly<Record<CodedPicture['coding'], (one: CodedPicture, limits: Limits) => Promise<boolean>>> = {
  async DCTDecode({ data }, limits) {
    const { isDamagedJpeg } = await import('../../images/image-read.ts')
    return isDamagedJpeg(data, limits)
  },
  FlateDecode: ({ data, width, height }) => isCutOff(data, width, height),
  async CCITTFaxDecode({ data, width, height }, limits) {
    // More than a picture may have is not looked at.
    if (width * height > limits.pixels) return false
    const { missing, isEnded } = decodeT6(data, width, height)
    return missing > 0 && !isEnded
  },
}

/** Of zlib's format (RFC 1950): what stands before the deflated data. The checksum behind it is missing in files that are whole. */
const headerBytes = 2
/** Of a pixel: four channels of 16 bits. */
const maxPixelBytes = 8

/**
 * Whether the deflated rows of a picture break off or are garbled. Data that was never ended and yet divides evenly into
 * rows is whole: some programs leave the end away.
 */
async function isCutOff(data: Uint8Array, width: number, height: number): Promise<boolean> {
  const inflating = createInflateRaw({ chunkSize: 2 ** 20 })
  inflating.end(data.subarray(headerBytes))
  let bytes = 0
  try {
    for await (const piece of inflating as AsyncIterable<Uint8Array>) {
      bytes += piece.length
      // More than the picture can show: what follows is not looked at.
      if (bytes > (width * maxPixelBytes + 1) * height) return false
    }
    return false
  } catch (error) {
    // Of garbled data, what was inflated last is not known.
    const isGarbled = error instanceof Error && 'code' in error && error.code === 'Z_DATA_ERROR'
    return isGarbled || bytes === 0 || bytes % height !== 0
  }
}
