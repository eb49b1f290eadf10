import { kind, type TileKinds } from './tile-kinds.ts'

/** A part that hangs together shows a shade, not a picture, when this share of its tiles is flat … */
const flatShare = 0.85
/** … and nearly all of them have tones within this: a scanned box, the paper of a small scan. */
const shade = { width: 32, share: 0.85 }

/** Whether tiles that hang together, flat ones and pictures, show a picture and not a box of an even shade. */
export function isPicture({ kinds, tones }: TileKinds, part: readonly number[]): boolean {
  const flat = part.filter((index) => kinds[index] === kind.flat)
  if (flat.length < flatShare * part.length) return true
  const sorted = Uint8Array.from(flat, (index) => tones[index]!).sort()
  const rest = Math.floor((1 - shade.share) * sorted.length)
  return !sorted.some((tone, at) => (sorted[at + sorted.length - 1 - rest] ?? Infinity) - tone <= shade.width)
}
