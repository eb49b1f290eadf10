import { blocksATile, type Gray, paperTone, tileArea, type TileCounts, tilePixels } from '../raster/gray-tiles.ts'
import { partsOf } from './tile-parts.ts'

/** What a tile shows: paper and ink, one even tone with or without ink, ink on an uneven ground, or a picture. */
export const kind = { plain: 0, flat: 1, writing: 2, picture: 3 } as const

/** Kinds of all tiles; `tones` holds the ground of the flat ones and of writing. */
export interface TileKinds {
  kinds: Uint8Array
  tones: Uint8Array
  /** 1 for flat tiles with grain, as photographs and scanned paper have. */
  grain: Uint8Array
}

/** Share of a tile that must be of gray tones before it is looked at closely: more than soft edges of letters have. */
const grayShare = 0.35
/** Share of one tone, and its neighbors within 12, from which on a tile is of that tone. */
const flatShare = 0.4
/** Share of pixels beside one of a very different tone, from which on there is writing and no picture … */
const sharpShare = 0.1
const sharpStep = 64
/** … if this share is light enough to be the ground. */
const lightShare = 0.25
const lightTone = 150
/** Share of pixels that differ at all from the one before them, from which on a shade has grain. */
const grainShare = 0.25
/** A picture has at least so many tiles: a third of an inch square. */
const leastPicture = 12

/** Whether a tile is gray enough to be looked at. */
export function isGray({ toned, ink, middle }: TileCounts, index: number): boolean {
  const least = grayShare * tilePixels
  return middle[index]! >= least || toned[index]! - ink[index]! >= least
}

/** Tells what the gray tiles of a page show. */
export function classifyTiles(gray: Gray, counts: TileCounts): TileKinds {
  const tiles = counts.toned.length
  const [kinds, grain, tones] = [new Uint8Array(tiles), new Uint8Array(tiles), new Uint8Array(tiles).fill(255)]
  const found = { kinds, tones, grain }
  for (let index = 0; index < tiles; index++) {
    if (isGray(counts, index)) classifyTile(gray, counts, index, found)
  }
  dropSmallPictures(counts, found.kinds)
  return found
}

function classifyTile(gray: Gray, counts: TileCounts, index: number, found: TileKinds): void {
  const { kinds, tones } = found
  const even = evenTone(counts, index)
  if (even !== undefined) {
    if (even >= paperTone) return
    kinds[index] = kind.flat
    tones[index] = even
    return
  }
  const { bins, sharp, uneven, size } = countTones(gray, counts.across, index)
  const { tone, count } = commonTone(bins)
  if (count >= flatShare * size) {
    if (tone >= paperTone) return
    kinds[index] = kind.flat
    tones[index] = tone
    if (uneven >= grainShare * size) found.grain[index] = 1
    return
  }
  let light = 0
  for (let bin = lightTone >> 3; bin < 32; bin++) light += bins[bin]!
  if (sharp >= sharpShare * size && light >= lightShare * size) {
    kinds[index] = kind.writing
    tones[index] = groundTone(bins, size)
  } else if (counts.middle[index]! >= grayShare * size) {
    kinds[index] = kind.picture
  }
}

/** The middle of the bin that all pixels of a tile are in, where they have the very same tone. */
function evenTone({ across, lowest, lack }: TileCounts, index: number): number | undefined {
  const first = blocksATile * (index - (index % across)) + 4 * (index % across)
  const tone = lowest[first]!
  for (let block = 0; block < blocksATile; block++) {
    const at = first + 4 * across * (block >> 2) + (block & 3)
    if (lowest[at] !== tone || lack[at] !== 255 - tone) return undefined
  }
  return (tone & ~7) + 4
}

const bins = new Uint16Array(32)

/** Counts the tones of a tile in 32 bins, which are good until the next call. */
function countTones(gray: Gray, across: number, index: number) {
  const { pixels, width } = gray
  const { left, top, right, bottom, size } = tileArea(gray, across, index)
  bins.fill(0)
  let sharp = 0
  let uneven = 0
  for (let y = top; y < bottom; y++) {
    let before = pixels[y * width + left]!
    for (let x = left; x < right; x++) {
      const tone = pixels[y * width + x]!
      bins[tone >> 3]!++
      const step = tone - before
      // Sign bits instead of branches: in a scan no branch is foreseen, and they took most of the time.
      uneven += (step | -step) >>> 31
      sharp += (sharpStep - Math.abs(step)) >>> 31
      before = tone
    }
  }
  return { bins, sharp, uneven, size }
}

/** The middle of the three neighboring bins that hold most. */
function commonTone(bins: Uint16Array): { tone: number; count: number } {
  let best = { tone: 0, count: 0 }
  for (let bin = 0; bin < 32; bin++) {
    const [below, own, above] = [bins[bin - 1] ?? 0, bins[bin]!, bins[bin + 1] ?? 0]
    const count = below + own + above
    if (count > best.count) best = { tone: 8 * bin + 4 + Math.round((8 * (above - below)) / count), count }
  }
  return best
}

/** A tone that a tenth of the pixels reaches. */
function groundTone(bins: Uint16Array, size: number): number {
  let above = 0
  let bin = 31
  for (; bin > 0 && above + bins[bin]! < size / 10; bin--) above += bins[bin]!
  return 8 * bin + 4
}

function dropSmallPictures(counts: TileCounts, kinds: Uint8Array): void {
  const isShown = (index: number) => kinds[index] === kind.picture
  for (const part of partsOf(counts, isShown, isShown)) {
    if (part.length < leastPicture) for (const index of part) kinds[index] = kind.plain
  }
}
