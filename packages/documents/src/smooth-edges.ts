import type { Bitmap } from './bitmap.ts'

/**
 * Takes single pixels off straight edges and fills single ones missing there: they come from rounding, are not seen, and
 * cost a T.6 coder about ten bits each. A pixel goes when it stands alone on three in a row (or in a column) with white
 * around it, and comes where the same holds the other way round; nothing thinner than three pixels changes.
 */
export function smoothEdges({ words, rowWords, height }: Bitmap): void {
  // The row above as it was, with a white word at both ends.
  const above = new Int32Array(rowWords + 2)
  for (let y = 0; y < height; y++) {
    const start = y * rowWords
    const toBelow = y + 1 < height ? rowWords : 0
    let before = 0
    for (let column = 0; column < rowWords; column++) {
      const at = start + column
      const own = words[at]!
      const up = above[column + 1]!
      const down = toBelow === 0 ? 0 : words[at + toBelow]!
      if (own !== up || own !== down) {
        const isLast = column + 1 === rowWords
        const west = (own >>> 1) | (before << 31)
        const east = (own << 1) | (isLast ? 0 : words[at + 1]! >>> 31)
        // Only a pixel unlike both beside it, or both above and below, can be a misfit: most words have none.
        if (((own ^ west) & (own ^ east)) !== 0 || ((own ^ up) & (own ^ down)) !== 0) {
          const downLeft = column === 0 || toBelow === 0 ? 0 : words[at + toBelow - 1]!
          const downRight = isLast || toBelow === 0 ? 0 : words[at + toBelow + 1]!
          words[at] =
            own ^
            misfits(
              (up >>> 1) | (above[column]! << 31),
              up,
              (up << 1) | (above[column + 2]! >>> 31),
              west,
              own,
              east,
              (down >>> 1) | (downLeft << 31),
              down,
              (down << 1) | (downRight >>> 31),
            )
        }
      }
      above[column] = before
      before = own
    }
    above[rowWords] = before
  }
}

/** The pixels of a word that are to change, from 32 pixels and their neighbours by the points of the compass. */
function misfits(
  nw: number,
  n: number,
  ne: number,
  w: number,
  own: number,
  e: number,
  sw: number,
  s: number,
  se: number,
): number {
  const [top, bottom, left, right] = [nw & n & ne, sw & s & se, nw & w & sw, ne & e & se]
  const [noTop, noBottom] = [~(nw | n | ne), ~(sw | s | se)]
  const [noLeft, noRight] = [~(nw | w | sw), ~(ne | e | se)]
  const acrossBump = ~(w | e) & ((noTop & bottom) | (noBottom & top))
  const downBump = ~(n | s) & ((noLeft & right) | (noRight & left))
  const acrossNotch = w & e & ((top & noBottom) | (bottom & noTop))
  const downNotch = n & s & ((left & noRight) | (right & noLeft))
  return (own & (acrossBump | downBump)) | (~own & (acrossNotch | downNotch))
}
