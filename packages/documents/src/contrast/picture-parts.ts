import { eachBeside } from '../raster/gray-tiles.ts'
import type { TileCounts } from '../raster/gray-tiles.ts'
import { kind } from './tile-kinds.ts'
import type { TileKinds } from './tile-kinds.ts'

/** A part that hangs together shows shades, not a picture, when this share of its tiles is flat … */
const flatShare = 0.85
/** … and either these shares of them are drawn, without grain and of the very tone of the tiles beside them, … */
const drawn = { grain: 0.3, constant: 0.6, step: 1 }
/** … or a few tones, each as wide as this, make up nearly all: a scanned box, the paper of a small scan. */
const few = { tones: 2, width: 24, share: 0.85 }

/** Whether tiles that hang together, flat ones and pictures, show a picture and not boxes of even shades. */
export function isPicture(counts: TileCounts, { kinds, tones, grain }: TileKinds, part: readonly number[]): boolean {
  const flat = part.filter((index) => kinds[index] === kind.flat)
  if (flat.length < flatShare * part.length) return true
  const grained = flat.filter((index) => grain[index] === 1).length
  if (grained < drawn.grain * flat.length && constantShare(counts, { kinds, tones }, flat) >= drawn.constant)
    return false
  return shareOfFewTones(flat.map((index) => tones[index]!)) < few.share
}

function constantShare(
  counts: TileCounts,
  { kinds, tones }: Pick<TileKinds, 'kinds' | 'tones'>,
  flat: number[],
): number {
  let pairs = 0
  let same = 0
  for (const index of flat) {
    eachBeside(counts, index, (beside) => {
      if (kinds[beside] !== kind.flat) return
      pairs++
      if (Math.abs(tones[beside]! - tones[index]!) <= drawn.step) same++
    })
  }
  return pairs === 0 ? 1 : same / pairs
}

function shareOfFewTones(tones: number[]): number {
  let left = tones
  for (let round = 0; round < few.tones; round++) {
    const within = (from: number) => (tone: number) => tone >= from && tone < from + few.width
    const starts = Array.from({ length: 64 }, (_, step) => 4 * step)
    const counted = starts.map((from) => left.filter(within(from)).length)
    const best = within(starts[counted.indexOf(Math.max(...counted))]!)
    left = left.filter((tone) => !best(tone))
  }
  return 1 - left.length / Math.max(1, tones.length)
}
