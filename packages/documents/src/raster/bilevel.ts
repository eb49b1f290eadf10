import type { Bitmap } from './bitmap.ts'
import { drawGrounds } from '../contrast/draw-grounds.ts'
import type { Gray, TileCounts } from './gray-tiles.ts'
import { bringBackLost } from '../contrast/bring-back-lost.ts'
import { dotSpacing, screenTile } from './halftone.ts'
import { drawInk } from '../contrast/local-ink.ts'
import type { Drawing } from '../contrast/local-ink.ts'
import { LowestTones } from './lowest-near.ts'
import type { Reach } from './lowest-near.ts'
import type { FaxPage } from './page-notes.ts'
import type { Resolution } from './paper.ts'
import { spreadPictures } from '../contrast/picture-edges.ts'
import { inkContrast } from '../contrast/shade-writing.ts'
import { decideShades, ground } from '../contrast/shades.ts'
import type { Judged } from '../contrast/shades.ts'
import { removeSpecks } from '../contrast/specks.ts'
import { thresholdTiles } from './tile-band.ts'
import type { Tones } from './tones.ts'
import { isGray, kind, classifyTiles } from '../contrast/tile-kinds.ts'
import type { TileKinds } from '../contrast/tile-kinds.ts'

export type { Tones }

/** A pixel darker than this is ink. Rows twice as high halve the gray of thin level strokes, so less gray is enough. */
const inkLevel: Record<Resolution, number> = { fine: 176, standard: 190 }

const reachOf: Record<Resolution, Reach> = { fine: { across: 2, down: 2 }, standard: { across: 2, down: 1 } }
/** A shade that is to have no dots and is darker than this is black. */
const shadowTone = 128

/** How a page is made black and white. */
export interface BilevelOptions {
  resolution: Resolution
  tones: Tones
}

/**
 * Makes a bilevel page of gray `pixels` (`width` × `height` bytes, 0 is black, `width` a multiple of 32). White areas cost
 * almost nothing, and pages of black text little more. The page is then compared with what it was made of: writing that
 * is gone is brought back, and what still is not seen is named.
 */
export function toBilevel(pixels: Uint8Array, width: number, height: number, options: BilevelOptions): FaxPage {
  const gray = { pixels, width, height }
  const { bitmap, counts } = thresholdTiles(gray, inkLevel[options.resolution])
  const found = draw(bitmap, gray, counts, options)
  if (isWhite(bitmap)) drawPale(bitmap, gray, counts, found)
  const isGrained = (index: number) => found?.grain[index] === 1
  return { ...bitmap, lost: bringBackLost(bitmap, { gray, counts, resolution: options.resolution, isGrained }) }
}

const isWhite = ({ words }: Bitmap) => words.every((word) => word === 0)

/** A page that came out white, and is not blank paper that was scanned, shows what is darker than its middle tone. */
function drawPale(bitmap: Bitmap, gray: Gray, counts: TileCounts, found: TileKinds | undefined): void {
  const lowest = counts.lowest.reduce((low, tone) => Math.min(low, tone), 255)
  const highest = 255 - counts.lack.reduce((lack, each) => Math.min(lack, each), 255)
  if (highest - lowest < inkContrast || found?.grain.includes(1)) return
  bitmap.words.set(thresholdTiles(gray, (lowest + highest) >> 1).bitmap.words)
}

function draw(bitmap: Bitmap, gray: Gray, counts: TileCounts, options: BilevelOptions): TileKinds | undefined {
  const { tones, resolution } = options
  if (tones === 'photo') {
    counts.toned.forEach((toned, index) => {
      if (toned > 0) screenTile(bitmap, gray, index, dotSpacing.fine, resolution)
    })
    return undefined
  }
  const reach = reachOf[resolution]
  const drawing = { bitmap, gray, counts, reach, lowest: new LowestTones(gray, reach) }
  if (!anyGray(counts)) {
    drawFaint(drawing, undefined)
    return undefined
  }
  const grounds = new Uint8Array(counts.toned.length)
  const found = classifyTiles(gray, counts)
  decideGrounds({ gray, counts, found, grounds }, options)
  drawFaint(drawing, found)
  drawGrounds(drawing, { gray, counts, found, grounds })
  removeSpecks(bitmap, (index) => found.grain[index] === 1 && grounds[index] === ground.white)
  grounds.forEach((decided, index) => {
    if (decided === ground.screened) screenTile(bitmap, gray, index, dotSpacing.coarse, resolution)
  })
  return found
}

/** Pages of text have no tile that is gray: they need no more than the threshold. */
function anyGray(counts: TileCounts): boolean {
  for (let index = 0; index < counts.toned.length; index++) if (isGray(counts, index)) return true
  return false
}

function decideGrounds(page: Judged, { tones, resolution }: BilevelOptions): void {
  const { gray, counts, found, grounds } = page
  decideShades(page, tones, resolution)
  if (tones === 'auto') {
    spreadPictures(gray, counts, found, grounds)
    return
  }
  for (let index = 0; index < grounds.length; index++) {
    if (grounds[index] === ground.screened) {
      grounds[index] = found.tones[index]! < shadowTone ? ground.black : ground.white
    }
  }
}

/** Letters of a light gray: tiles in which more is pale than black. */
function drawFaint(drawing: Drawing, found: TileKinds | undefined): void {
  const { toned, ink } = drawing.counts
  for (let index = 0; index < toned.length; index++) {
    if (toned[index]! - ink[index]! <= ink[index]! || (found && found.kinds[index] !== kind.plain)) continue
    drawInk(drawing, index, 255)
  }
}
