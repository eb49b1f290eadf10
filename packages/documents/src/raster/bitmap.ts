/**
 * A bilevel page. Each row is `rowWords` 32-bit words, the leftmost pixel in bit 31 of the first word; 1 is black.
 * Bits beyond `width` in the last word of a row are always 0.
 */
export interface Bitmap {
  width: number
  height: number
  rowWords: number
  words: Int32Array
}

/** A white bitmap of `width` × `height` pixels. */
export function createBitmap(width: number, height: number): Bitmap {
  const rowWords = (width + 31) >>> 5
  return { width, height, rowWords, words: new Int32Array(rowWords * height) }
}

/** How many of the 32 pixels of a word are black. */
export function bitsIn(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** Sets pixels `from` (included) to `to` (excluded) of one row to black; `rowStart` is the index of the row's first word. */
export function fillRun(words: Int32Array, rowStart: number, from: number, to: number): void {
  if (from >= to) return
  const first = rowStart + (from >>> 5)
  const last = rowStart + ((to - 1) >>> 5)
  const head = -1 >>> (from & 31)
  const tail = -1 << (31 - ((to - 1) & 31))
  if (first === last) {
    words[first]! |= head & tail
    return
  }
  words[first]! |= head
  for (let word = first + 1; word < last; word++) words[word] = -1
  words[last]! |= tail
}

/** The changing elements of a white row, with room for those of any row of this width and the marks that end them. */
export function changeRow(width: number): Int32Array {
  return new Int32Array(width + 6).fill(width)
}

/**
 * Writes the changing elements of a row into `changes`, which `changeRow` made: the pixels that differ from their left
 * neighbor, the first one being black (T.4, 4.2.1.1). Ends them with three times the width and returns their count.
 */
export function findChanges({ words, rowWords, width }: Bitmap, y: number, changes: Int32Array): number {
  const rowStart = y * rowWords
  let count = 0
  let carry = 0
  for (let index = 0; index < rowWords; index++) {
    const word = words[rowStart + index]!
    // A set bit marks a pixel that differs from its left neighbor.
    let edges = word ^ ((word >>> 1) | (carry << 31))
    carry = word & 1
    while (edges !== 0) {
      const offset = Math.clz32(edges)
      changes[count++] = (index << 5) + offset
      edges &= 0x7fffffff >>> offset
    }
  }
  // The padding after a black run that touches the edge of the page looks like one more change there.
  if (count > 0 && changes[count - 1] === width) count--
  changes[count] = changes[count + 1] = changes[count + 2] = width
  return count
}

/** Reads rows of packed bytes (8 pixels a byte, leftmost in bit 7, 1 is black, rows padded to whole bytes). */
export function bitmapFromPacked(bytes: Uint8Array, width: number, height: number): Bitmap {
  const bitmap = createBitmap(width, height)
  const rowBytes = (width + 7) >>> 3
  const lastMask = -1 << (31 - ((width - 1) & 31))
  for (let y = 0; y < height; y++) {
    const row = y * bitmap.rowWords
    for (let x = 0; x < rowBytes; x++) {
      bitmap.words[row + (x >>> 2)]! |= (bytes[y * rowBytes + x] ?? 0) << (24 - 8 * (x & 3))
    }
    bitmap.words[row + bitmap.rowWords - 1]! &= lastMask
  }
  return bitmap
}

/** The bitmap as packed bytes: 8 pixels a byte, leftmost in bit 7, 1 is black, rows padded to whole bytes. */
export function packBitmap(bitmap: Bitmap): Uint8Array {
  const rowBytes = (bitmap.width + 7) >>> 3
  const bytes = new Uint8Array(rowBytes * bitmap.height)
  let at = 0
  for (let y = 0; y < bitmap.height; y++) {
    const row = y * bitmap.rowWords
    for (let x = 0; x < rowBytes; x++) bytes[at++] = bitmap.words[row + (x >>> 2)]! >>> (24 - 8 * (x & 3))
  }
  return bytes
}

/** Whether both bitmaps have the same size and the same pixels. */
export function sameBitmap(a: Bitmap, b: Bitmap): boolean {
  return a.width === b.width && a.height === b.height && Buffer.compare(bytesOf(a.words), bytesOf(b.words)) === 0
}

/** Each row `times` times: 204×98 dpi becomes 204×196 dpi without changing what is seen. */
export function repeatRows(bitmap: Bitmap, times: number): Bitmap {
  const repeated = createBitmap(bitmap.width, bitmap.height * times)
  for (let y = 0; y < repeated.height; y++) {
    const from = Math.floor(y / times) * bitmap.rowWords
    repeated.words.set(bitmap.words.subarray(from, from + bitmap.rowWords), y * bitmap.rowWords)
  }
  return repeated
}

/** Every `count` rows become one that is black where any of them is, so that thin lines survive the coarser grid. */
export function mergeRows(bitmap: Bitmap, count: number): Bitmap {
  const merged = createBitmap(bitmap.width, Math.ceil(bitmap.height / count))
  for (let y = 0; y < bitmap.height; y++) {
    const from = y * bitmap.rowWords
    const to = Math.floor(y / count) * bitmap.rowWords
    for (let x = 0; x < bitmap.rowWords; x++) merged.words[to + x]! |= bitmap.words[from + x]!
  }
  return merged
}

function bytesOf(words: Int32Array): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength)
}
