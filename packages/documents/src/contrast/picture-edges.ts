import { eachBeside, type Gray, paperTone, tileArea, type TileCounts } from '../raster/gray-tiles.ts'
import { ground } from './shades.ts'
import { kind, type TileKinds } from './tile-kinds.ts'

/** A tile beside a picture belongs to it when less of it than this is paper … */
const paperShare = 0.5
/** … and still has the picture's edge in it when this much of it is neither paper nor ink. */
const edgeShare = 0.1
const inkTone = 24

/**
 * Has pictures shown by a screen, and lets them and screened shades take in what is beside them and not decided: tiles
 * without much paper, and the tiles that hold their edges.
 */
export function spreadPictures(gray: Gray, counts: TileCounts, { kinds }: TileKinds, grounds: Uint8Array): void {
  const waiting: number[] = []
  for (let index = 0; index < kinds.length; index++) {
    if (kinds[index] === kind.picture) grounds[index] = ground.screened
    if (grounds[index] === ground.screened) waiting.push(index)
  }
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
    eachBeside(counts, index, (beside) => {
      if (beside < 0 || kinds[beside] !== kind.plain || grounds[beside] !== ground.kept) return
      const { paper, between } = sharesOf(gray, counts.across, beside)
      if (paper >= paperShare && between < edgeShare) return
      grounds[beside] = ground.screened
      // An edge tile may also hold letters; beyond it lies paper.
      if (paper < paperShare) waiting.push(beside)
    })
  }
}

/** The shares of a tile that are paper, and that are neither paper nor ink. */
function sharesOf(gray: Gray, across: number, index: number): { paper: number; between: number } {
  const { left, top, right, bottom, size } = tileArea(gray, across, index)
  let paper = 0
  let ink = 0
  for (let y = top; y < bottom; y++) {
    for (let at = y * gray.width + left; at < y * gray.width + right; at++) {
      if (gray.pixels[at]! >= paperTone) paper++
      else if (gray.pixels[at]! < inkTone) ink++
    }
  }
  return { paper: paper / size, between: (size - paper - ink) / size }
}
