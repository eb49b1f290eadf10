import type { Resolution, Tones } from '../raster/paper.ts'
import { middleTone } from './find-grounds.ts'
import { eachBeside, type Gray, type TileCounts, tilePixels } from '../raster/gray-tiles.ts'
import { kind, type TileKinds } from './tile-kinds.ts'
import { Writing } from './shade-writing.ts'
import { partsOf } from './tile-parts.ts'

/** How the ground of a tile is drawn: kept as the threshold has it, cleared, filled, or shown by a screen of dots. */
export const ground = { kept: 0, white: 1, black: 2, screened: 3 } as const

/** A page, what its tiles show, and how their grounds are drawn. */
export interface Judged {
  gray: Gray
  counts: TileCounts
  found: TileKinds
  grounds: Uint8Array
}

/** Neighboring tiles of tones no further apart show one shade. */
const sameShade = 12
/** Share of all tiles from which on a shade is the paper itself. */
const pageShare = 0.5
/** … unless its tones lie further apart than unevenly lit paper has them. */
const paperRange = 72
/** A shade lighter than this is left out, one without writing darker than this is black; between them it is screened. */
const lightShade = 200
const darkShade = 64
/** Share of its outline along which a shade touches pictures, from which on it is a part of them. */
const pictureShare = 0.6
/** A shade, or a picture with what hangs together with it, has at least so many tiles. */
const leastPart = 3
/** A shade was drawn, and is no part of a picture that it touches, when fewer of its tiles have grain. */
const grainedShare = 0.3

/** Decides how each shade of the page is drawn, and writes that into `grounds`, tile by tile. */
export function decideShades(page: Judged, tones: Tones, resolution: Resolution): void {
  const { counts, found, grounds } = page
  const { kinds } = found
  const writing = new Writing(page, resolution)
  const shades = findShades(counts, found)
  const drawn: number[][] = []
  for (const tiles of shades) {
    const range = rangeOf(found.tones, tiles)
    if (tiles.length >= pageShare * kinds.length && range.within <= paperRange) {
      for (const index of tiles) grounds[index] = range.middle >= middleTone ? ground.white : ground.black
    } else if (tiles.length >= leastPart && !isGrained(found, tiles)) drawn.push(tiles)
  }
  for (const tiles of drawn) {
    const { dark, light } = writing.sumOf(tiles)
    if (dark + light > 0) decideTiles(page, writing, tiles, decide(page, writing, tiles, tones))
  }
  screenPictures(counts, found, grounds)
  for (const tiles of shades) {
    if (grounds[tiles[0]!] !== ground.kept || kinds[tiles[0]!] !== kind.flat) continue
    if (isPartOfPicture(page, tiles)) for (const index of tiles) grounds[index] = ground.screened
    else decideTiles(page, writing, tiles, decide(page, writing, tiles, tones))
  }
  for (let index = 0; index < kinds.length; index++) {
    if (kinds[index] === kind.writing) takeGround(counts, found, grounds, index)
  }
}

const isGrained = ({ grain }: TileKinds, tiles: readonly number[]) =>
  tiles.reduce((sum, index) => sum + grain[index]!, 0) >= grainedShare * tiles.length

/** How far apart the tones of nine tenths of some tiles lie. */
function rangeOf(tones: Uint8Array, tiles: readonly number[]): { within: number; middle: number } {
  const sorted = Uint8Array.from(tiles, (index) => tones[index]!).sort()
  const [low, middle, high] = [0.05, 0.5, 0.95].map((share) => sorted[Math.floor(share * sorted.length)]!)
  return { within: high! - low!, middle: middle! }
}

/** The flat tiles in areas of one tone, which may change slowly. */
function findShades(counts: TileCounts, { kinds, tones }: TileKinds): number[][] {
  const isFlat = (index: number) => kinds[index] === kind.flat
  const joins = (index: number, from: number) => isFlat(index) && Math.abs(tones[index]! - tones[from]!) <= sameShade
  return [...partsOf(counts, isFlat, joins)]
}

/** Screens the parts that are pictures; what looks like one in any other part is taken for writing. */
function screenPictures(counts: TileCounts, found: TileKinds, grounds: Uint8Array): void {
  const { kinds } = found
  const isToned = (index: number) => kinds[index] === kind.flat || kinds[index] === kind.picture
  // Dark parts of a picture look like ink: they only join what is around them.
  const joins = (index: number) => isToned(index) || (kinds[index] === kind.plain && counts.toned[index] === tilePixels)
  for (const part of partsOf(counts, isToned, joins, Uint8Array.from(grounds))) {
    // Too small for a shade: what is around it decides.
    if (part.length < leastPart) for (const index of part) kinds[index] = kind.plain
    const picture = part.length >= leastPart && isPicture(found, part.filter(isToned))
    for (const index of part) {
      if (picture) grounds[index] = ground.screened
      else if (kinds[index] === kind.picture) kinds[index] = kind.writing
    }
  }
}

/** How a shade is drawn where no writing is near. */
function decide({ found }: Judged, writing: Writing, tiles: readonly number[], tones: Tones): number {
  const tone = tiles.reduce((sum, index) => sum + found.tones[index]!, 0) / tiles.length
  const { dark, light } = writing.sumOf(tiles)
  if (tone >= middleTone) return tones === 'text' || dark > 0 || tone >= lightShade ? ground.white : ground.screened
  if (tones === 'text' && dark + light > 0) return dark >= light ? ground.white : ground.black
  if (light > 0 && dark === 0) return ground.black
  if (dark + light === 0 && tone < darkShade) return ground.black
  if (tones === 'text') return ground.black
  return ground.screened
}

/** Gives each tile of a shade the ground on which the writing near it is seen, and the others `far`. */
function decideTiles({ grounds, found }: Judged, writing: Writing, tiles: readonly number[], far: number): void {
  for (const index of tiles) {
    const { dark, light } = writing.near(index)
    const isLight = found.tones[index]! >= middleTone
    grounds[index] = dark + light === 0 ? far : dark >= light || isLight ? ground.white : ground.black
  }
}

function isPartOfPicture({ counts, grounds }: Judged, tiles: readonly number[]): boolean {
  const own = new Set(tiles)
  let [outline, screened] = [0, 0]
  for (const index of tiles) {
    eachBeside(counts, index, (beside) => {
      if (own.has(beside)) return
      outline++
      if (grounds[beside] === ground.screened) screened++
    })
  }
  return screened >= pictureShare * outline
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

/** A part that hangs together shows a shade, not a picture, when this share of its tiles is flat … */
const flatShare = 0.85
/** … and nearly all of them have tones within this: a scanned box, the paper of a small scan. */
const shade = { width: 32, share: 0.85 }

/** Whether tiles that hang together, flat ones and pictures, show a picture and not a box of an even shade. */
function isPicture({ kinds, tones }: TileKinds, part: readonly number[]): boolean {
  const flat = part.filter((index) => kinds[index] === kind.flat)
  if (flat.length < flatShare * part.length) return true
  const sorted = Uint8Array.from(flat, (index) => tones[index]!).sort()
  const rest = Math.floor((1 - shade.share) * sorted.length)
  return !sorted.some((tone, at) => (sorted[at + sorted.length - 1 - rest] ?? Infinity) - tone <= shade.width)
}
