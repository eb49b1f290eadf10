import type { Tones } from '../raster/tones.ts'
import { eachAround, eachBeside, tilePixels } from '../raster/gray-tiles.ts'
import type { Gray, TileCounts } from '../raster/gray-tiles.ts'
import type { Resolution } from '../raster/paper.ts'
import { isPicture } from './picture-parts.ts'
import { kind } from './tile-kinds.ts'
import type { TileKinds } from './tile-kinds.ts'
import { Writing } from './shade-writing.ts'
import { partsOf } from './tile-parts.ts'

/** What becomes of the ground of a tile: kept as the threshold has it, cleared, filled, or shown by a screen of dots. */
export const ground = { kept: 0, white: 1, black: 2, screened: 3 } as const

/** A page, what its tiles show, and what became of their grounds. */
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
const middleTone = 128
/** Share of the tiles of a shade that have writing on or beside them, from which on it is full of it. */
const fullShare = 0.5
/** A shade, or a picture with what hangs together with it, has at least so many tiles. */
const leastPart = 3
/** A shade whose tones lie no further apart was drawn, and is no part of a picture that it touches. */
const drawnRange = 2

/** Decides for each shade of the page what becomes of it, and writes that into `grounds`, tile by tile. */
export function decideShades(page: Judged, tones: Tones, resolution: Resolution): void {
  const { counts, found, grounds } = page
  const { kinds } = found
  const writing = new Writing(page, resolution)
  const shades = findShades(counts, found)
  const drawn: number[][] = []
  for (const tiles of shades) {
    const range = rangeOf(found.tones, tiles)
    if (tiles.length >= pageShare * kinds.length && range.within <= paperRange) {
      decidePaper(page, writing, tiles, range.middle >= middleTone ? ground.white : ground.black)
    } else if (tiles.length >= leastPart && range.whole <= drawnRange) drawn.push(tiles)
  }
  for (const tiles of drawn) {
    if (writing.shareOf(tiles).near > 0) decideTiles(page, writing, tiles, decide(page, writing, tiles, tones))
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

/** How far apart the tones of tiles lie, of all and of nine tenths of them. */
function rangeOf(tones: Uint8Array, tiles: readonly number[]): { whole: number; within: number; middle: number } {
  const sorted = Uint8Array.from(tiles, (index) => tones[index]!).sort()
  const [low, middle, high] = [0.05, 0.5, 0.95].map((share) => sorted[Math.floor(share * sorted.length)]!)
  return { whole: sorted.at(-1)! - sorted[0]!, within: high! - low!, middle: middle! }
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

/** What becomes of a shade where no writing is near. */
function decide({ found }: Judged, writing: Writing, tiles: readonly number[], tones: Tones): number {
  const tone = tiles.reduce((sum, index) => sum + found.tones[index]!, 0) / tiles.length
  const { dark, light, near } = writing.shareOf(tiles)
  if (tones === 'text' && dark + light > 0) return dark >= light ? ground.white : ground.black
  // Full of writing it is a ground; a shape with a label is to be seen.
  if (dark > 0 && light === 0 && (near >= fullShare || tone >= lightShade)) return ground.white
  if (light > 0 && dark === 0) return ground.black
  if (dark + light === 0 && tone >= lightShade) return ground.white
  if (dark + light === 0 && tone < darkShade) return ground.black
  if (tones === 'text') return tone < middleTone ? ground.black : ground.white
  return ground.screened
}

/** Gives each tile of a shade the ground on which the writing near it is seen, and the others `far`. */
function decideTiles({ grounds }: Judged, writing: Writing, tiles: readonly number[], far: number): void {
  for (const index of tiles) {
    const { dark, light } = writing.near(index)
    grounds[index] = dark + light === 0 ? far : dark >= light ? ground.white : ground.black
  }
}

/** The paper of the page has one ground, but where writing stands on it that this would erase. */
function decidePaper(page: Judged, writing: Writing, tiles: readonly number[], usual: number): void {
  const { counts, grounds } = page
  for (const index of tiles) grounds[index] = usual
  const own = new Set(tiles)
  const near = new Set<number>()
  for (const index of tiles) {
    if (!writing.has(index, usual === ground.black)) continue
    eachAround(counts, index, (around) => {
      if (own.has(around)) near.add(around)
    })
  }
  decideTiles(page, writing, [...near], usual)
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
