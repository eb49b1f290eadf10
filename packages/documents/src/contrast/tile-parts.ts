import { eachBeside, type TileCounts } from '../raster/gray-tiles.ts'

type Tiles = Pick<TileCounts, 'across' | 'down'>

/**
 * The parts of a page that hang together, each from the first tile that `begins` names, by what `joins` it: tiles that
 * are `seen` belong to none. A tile may change as soon as its part is given out.
 */
export function* partsOf(
  counts: Tiles,
  begins: (index: number) => boolean,
  joins: (index: number, from: number) => boolean,
  seen = new Uint8Array(counts.across * counts.down),
): Generator<number[]> {
  for (let start = 0; start < seen.length; start++) {
    if (seen[start] === 0 && begins(start)) yield collect(counts, start, seen, joins)
  }
}

/** The tiles that hang together with `start`, step by step from one to one that `joins` it; all become `seen`. */
function collect(
  counts: Tiles,
  start: number,
  seen: Uint8Array,
  joins: (index: number, from: number) => boolean,
): number[] {
  const part = [start]
  seen[start] = 1
  // The list grows while it is walked.
  for (const from of part) {
    eachBeside(counts, from, (beside) => {
      if (beside < 0 || seen[beside] || !joins(beside, from)) return
      seen[beside] = 1
      part.push(beside)
    })
  }
  return part
}
