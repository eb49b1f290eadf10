import { inflateSync } from 'node:zlib'

/** Width and height of a PNG, from its header (RFC 2083, 11.2.2). */
export function pngSize(png: Buffer): { width: number; height: number } {
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) }
}

/** The rows of one of our 1-bit PNGs, packed, 1 for black. */
export function rowsOf(png: Buffer): Uint8Array[] {
  const { width, height } = pngSize(png)
  const at = png.indexOf('IDAT')
  const data = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)))
  const length = 1 + width / 8
  return Array.from({ length: height }, (_, y) => {
    const row = data.subarray(y * length, (y + 1) * length)
    if (row[0] !== 0) throw new Error('This reader knows unfiltered rows only.')
    return row.subarray(1).map((byte) => ~byte)
  })
}
