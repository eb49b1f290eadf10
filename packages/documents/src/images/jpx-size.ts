import { checkPixels, type Limits } from '../base/limits.ts'

/** The markers SOC and SIZ, with which every JPEG 2000 codestream begins (ISO 15444-1, A.4.1 and A.5.1). */
const beginning = Buffer.from([0xff, 0x4f, 0xff, 0x51])
const fixedBytes = 38
const bytesEach = 3

/**
 * Refuses a PDF with a JPEG 2000 image of more pixels than the limit allows. What the dictionary of the image claims
 * does not count: memory is taken by what the codestream says, and PDFium leaves out what it has no memory for.
 */
export function checkJpxImages(pdf: Uint8Array, limits: Limits): void {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.length)
  for (let at = bytes.indexOf(beginning); at !== -1; at = bytes.indexOf(beginning, at + beginning.length)) {
    const segment = bytes.subarray(at + beginning.length, at + beginning.length + fixedBytes)
    if (segment.length < fixedBytes) return
    const components = segment.readUInt16BE(36)
    // Anything else is four bytes that are alike by chance.
    if (segment.readUInt16BE(0) !== fixedBytes + bytesEach * components) continue
    const [right, bottom, left, top] = [4, 8, 12, 16].map((place) => segment.readUInt32BE(place)) as Corners
    checkPixels(Math.max(0, right - left), Math.max(0, bottom - top), limits)
  }
}

type Corners = [right: number, bottom: number, left: number, top: number]
