/** What stands in a gray PNG that this room wrote: bits of a pixel, and its compressed rows, which are one chunk. */
export function readPng(png: Uint8Array): { bits: number; data: Uint8Array } {
  const file = Buffer.from(png.buffer, png.byteOffset, png.length)
  // The signature, then IHDR with its 13 bytes, of which the ninth is the bit depth (ISO/IEC 15948, 11.2.2).
  const dataAt = 8 + 12 + 13
  const length = file.readUInt32BE(dataAt)
  return { bits: file.readUInt8(24), data: file.subarray(dataAt + 8, dataAt + 8 + length) }
}
