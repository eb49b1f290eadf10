import { eachBeside, tileArea, tilePixels } from './grey-tiles.ts'
import type { Grey, TileCounts } from './grey-tiles.ts'
import { isPicture } from './picture-parts.ts'
import { isGrey, kind } from './tile-kinds.ts'
import type { TileKinds } from './tile-kinds.ts'
import { partsOf } from './tile-parts.ts'

/** What becomes of the ground of a tile: kept as the threshold has it, cleared, filled, or shown by a screen of dots. */
export const ground = { kept: 0, white: 1, black: 2, screened: 3 } as const

/** Neighbouring tiles of tones no further apart show one shade. */
const sameShade = 12
/** Ink differs this much from the shade it stands on. */
const inkContrast = 48
/** Share of the pixels inside a shade from which on there is writing on it. */
const writingShare = 0.003
/** Share of all tiles from which on a shade is the paper itself. */
const pageShare = 0.5
/** … unless its tones lie further apart than unevenly lit paper has them. */
const paperRange = 72
/** A shade without writing lighter than this is left out, one darker than this is black; between them it is screened. */
const lightShade = 200
const darkShade = 64
/** Share of its outline along which a shade touches pictures, from which on it is a part of them. */
const pictureShare = 0.6
const middleTone = 128
/** A shade, or a picture with what hangs together with it, has at least so many tiles. */
const leastPart = 3

/** An area of one tone: a box, a column of a table, the paper of a scan, the sky of a photograph. */
interface Shade {
  /** Sides of tiles towards other tiles, and those towards screened ones. */
  outline: number
  screened: number
  tone: number
  /** Pixels inside that are much darker and much lighter than the shade, and all of them. */
  dark: number
  light: number
  inside: number
}

/** Decides for each shade of the page what becomes of it, and writes that into `grounds`, tile by tile. */
export function decideShades(grey: Grey, counts: TileCounts, found: TileKinds, grounds: Uint8Array): void {
  const { kinds } = found
  const shades = findShades(counts, found)
  for (const tiles of shades) {
    if (tiles.length < pageShare * kinds.length) continue
    const tones = tiles.map((index) => found.tones[index]!).sort((a, b) => a - b)
    const [low, middle, high] = [0.05, 0.5, 0.95].map((share) => tones[Math.floor(share * tones.length)]!)
    if (high! - low! > paperRange) continue
    for (const index of tiles) grounds[index] = middle! >= middleTone ? ground.white : ground.black
  }
  screenPictures(counts, found, grounds)
  for (const tiles of shades) {
    if (grounds[tiles[0]!] !== ground.kept || kinds[tiles[0]!] !== kind.flat) continue
    const shade = measure(grey, counts, found, tiles, grounds)
    const decided = shade.screened >= pictureShare * shade.outline ? ground.screened : decide(shade)
    for (const index of tiles) grounds[index] = decided
  }
  for (let index = 0; index < kinds.length; index++) {
    if (kinds[index] === kind.writing) takeGround(counts, found, grounds, index)
  }
}

/** The flat tiles in areas of one tone, which may change slowly. */
function findShades(counts: TileCounts, { kinds, tones }: TileKinds): number[][] {
  const isFlat = (index: number) => kinds[index] === kind.flat
  const joins = (index: number, from: number) => isFlat(index) && Math.abs(tones[index]! - tones[from]!) <= sameShade
  return [...partsOf(counts, isFlat, joins)]
}

/** Screens the parts that are pictures; what looks like one in a part that is none is taken for writing. */
function screenPictures(counts: TileCounts, found: TileKinds, grounds: Uint8Array): void {
  const { kinds } = found
  const isToned = (index: number) => kinds[index] === kind.flat || kinds[index] === kind.picture
  // Dark parts of a picture look like ink: they only join what is around them.
  const joins = (index: number) => isToned(index) || (kinds[index] === kind.plain && counts.toned[index] === tilePixels)
  for (const part of partsOf(counts, isToned, joins, Uint8Array.from(grounds))) {
    // Too small for a shade: what is around it decides.
    if (part.length < leastPart) for (const index of part) kinds[index] = kind.plain
    const picture = part.length >= leastPart && isPicture(counts, found, part.filter(isToned))
    for (const index of part) {
      if (picture) grounds[index] = ground.screened
      else if (kinds[index] === kind.picture) kinds[index] = kind.writing
    }
  }
}

function decide({ tone, dark, light, inside }: Shade): number {
  const least = writingShare * inside
  if (dark > least && dark >= light) return ground.white
  if (light > least) return ground.black
  if (tone >= lightShade) return ground.white
  return tone < darkShade ? ground.black : ground.screened
}

function measure(
  grey: Grey,
  counts: TileCounts,
  { kinds, tones }: TileKinds,
  tiles: number[],
  grounds: Uint8Array,
): Shade {
  const own = new Set(tiles)
  const shade: Shade = { outline: 0, screened: 0, tone: 0, dark: 0, light: 0, inside: 0 }
  for (const index of tiles) {
    shade.tone += tones[index]! / tiles.length
    let edges = 0
    eachBeside(counts, index, (beside) => {
      if (own.has(beside)) return
      shade.outline++
      if (grounds[beside] === ground.screened) shade.screened++
      // At the edge of a shade there is paper, or another shade, which is no writing.
      if (beside < 0 || (kinds[beside] !== kind.writing && !isGrey(counts, beside))) edges++
    })
    if (edges === 0) countContrast(grey, counts.across, index, tones[index]!, shade)
  }
  return shade
}

function countContrast(grey: Grey, across: number, index: number, tone: number, shade: Shade): void {
  const { left, top, right, bottom, size } = tileArea(grey, across, index)
  shade.inside += size
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const step = grey.pixels[y * grey.width + x]! - tone
      if (step < -inkContrast) shade.dark++
      else if (step > inkContrast) shade.light++
    }
  }
}

/** Writing stands on the ground that the tiles beside it have; with pictures around it, it is a part of one. */
function takeGround(
  counts: TileCounts,
  { kinds, tones }: Pick<TileKinds, 'kinds' | 'tones'>,
  grounds: Uint8Array,
  index: number,
): void {
  grounds[index] = ground.white
  let screened = 0
  eachBeside(counts, index, (beside) => {
    if (grounds[beside] === ground.screened) screened++
    if (kinds[beside] !== kind.flat || grounds[beside] === ground.screened) return
    grounds[index] = grounds[beside]!
    tones[index] = tones[beside]!
  })
  if (screened >= 3) grounds[index] = ground.screened
}
