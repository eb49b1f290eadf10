/** Pages are judged in tiles, one word of the bitmap wide. */
export const tile = { width: 32, height: 16 }
export const tilePixels = tile.width * tile.height

/** Blocks of 8 × 8 pixels: four across and two down in each tile. */
export const block = { width: 8, height: 8 }
export const blocksATile = tilePixels / (block.width * block.height)

/** From this tone on a pixel is paper. */
export const paperTone = 240

/** Gray pixels of a page: a byte each, 0 is black, `width` a multiple of 32. */
export interface Gray {
  pixels: Uint8Array
  width: number
  height: number
}

/** What the pixels of each tile are, row by row: darker than paper, ink, and of a middle tone (64–191). */
export interface TileCounts {
  across: number
  down: number
  toned: Uint16Array
  ink: Uint16Array
  middle: Uint16Array
  /** Of each block, row of blocks by row: its lowest tone, and what its highest one lacks of 255. */
  lowest: Uint8Array
  lack: Uint8Array
}

/** The pixels of a tile: columns `left` to `right`, rows `top` to `bottom`, ends excluded. */
export function tileArea({ width, height }: Gray, across: number, index: number) {
  const left = (index % across) * tile.width
  const top = Math.floor(index / across) * tile.height
  const [right, bottom] = [Math.min(width, left + tile.width), Math.min(height, top + tile.height)]
  return { left, top, right, bottom, size: (right - left) * (bottom - top) }
}

/** Where the block that holds a pixel stands in `lowest` and `lack`. */
export function blockAt({ across }: Pick<TileCounts, 'across'>, x: number, y: number): number {
  return (y >> 3) * 4 * across + (x >> 3)
}

/** Calls `see` with the tiles left, right, above and below a tile; -1 beyond the page. */
export function eachBeside(
  { across, down }: Pick<TileCounts, 'across' | 'down'>,
  index: number,
  see: (beside: number) => void,
): void {
  const column = index % across
  see(column > 0 ? index - 1 : -1)
  see(column < across - 1 ? index + 1 : -1)
  see(index - across)
  see(index + across < across * down ? index + across : -1)
}

/** Calls `see` with a tile and those around it, corners included. */
export function eachAround(
  { across, down }: Pick<TileCounts, 'across' | 'down'>,
  index: number,
  see: (around: number) => void,
): void {
  const [column, row] = [index % across, Math.floor(index / across)]
  for (let y = Math.max(0, row - 1); y <= Math.min(down - 1, row + 1); y++) {
    for (let x = Math.max(0, column - 1); x <= Math.min(across - 1, column + 1); x++) see(y * across + x)
  }
}
