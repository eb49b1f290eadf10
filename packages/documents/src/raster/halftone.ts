import type { Bitmap } from './bitmap.ts'
import { block, type Corner, type Gray, tileArea } from './gray-tiles.ts'
import type { Resolution } from './paper.ts'

/** Thresholds of a screen, `across` × `down` of them, that repeats over the page. */
interface Screen {
  across: number
  down: number
  levels: Uint8Array
}

/**
 * Half the diagonal of a cell in pixels: dots of 36 an inch, which take a quarter of the bits that diffused errors take
 * (T.6 codes each edge of a dot from the one above it), and of 48 an inch for finer detail.
 */
export const dotSpacing = { coarse: 4, fine: 3 } as const

const screens = new Map<string, Screen>()

/** A screen of dots at 45° that grow from black cores to white holes. Rows are twice as high at standard resolution. */
function screenOf(spacing: number, resolution: Resolution): Screen {
  const name = `${spacing}${resolution}`
  const known = screens.get(name)
  if (known) return known
  const rowHeight = resolution === 'fine' ? 1 : 2
  const [across, down] = [2 * spacing, (2 * spacing) / rowHeight]
  const turn = Math.PI / spacing
  const places = Array.from({ length: across * down }, (_, at) => {
    const [x, y] = [(at % across) + 0.5, (Math.floor(at / across) + 0.5) * rowHeight]
    const [u, v] = [turn * (x + y), turn * (y - x)]
    // Pixels as far from the core are distinguished by their direction, so that dots grow pixel by pixel.
    return { at, core: Math.cos(u) + Math.cos(v) + Math.atan2(Math.sin(v), Math.sin(u)) / 1000 }
  })
  places.sort((a, b) => b.core - a.core)
  const levels = new Uint8Array(places.length)
  places.forEach(({ at }, rank) => (levels[at] = Math.round(255 * (1 - (rank + 0.5) / places.length))))
  const screen = { across, down, levels }
  screens.set(name, screen)
  return screen
}

/** Draws one tile with dots as large as its tones are dark. */
export function screenTile(bitmap: Bitmap, gray: Gray, index: number, spacing: number, resolution: Resolution): void {
  const { across, down, levels } = screenOf(spacing, resolution)
  const { left, top, right, bottom } = tileArea(gray, bitmap.rowWords, index)
  for (let y = top; y < bottom; y++) {
    const row = (y % down) * across
    let word = 0
    for (let x = left; x < right; x++) {
      word = (word << 1) | (gray.pixels[y * gray.width + x]! < levels[row + (x % across)]! ? 1 : 0)
    }
    bitmap.words[y * bitmap.rowWords + (left >> 5)] = word
  }
}

/** Draws dots in a block, where its tones are marked in `own`. */
export function screenBlock(
  { words, rowWords }: Bitmap,
  gray: Gray,
  { left, top }: Corner,
  own: Uint8Array,
  resolution: Resolution,
): void {
  const { across, down, levels } = screenOf(dotSpacing.coarse, resolution)
  for (let y = top; y < Math.min(gray.height, top + block.height); y++) {
    const row = (y % down) * across
    let bits = 0
    for (let x = left; x < left + block.width; x++) {
      const tone = gray.pixels[y * gray.width + x]!
      bits = (bits << 1) | (own[tone] === 1 && tone < levels[row + (x % across)]! ? 1 : 0)
    }
    words[y * rowWords + (left >> 5)]! |= bits << (24 - (left & 31))
  }
}
