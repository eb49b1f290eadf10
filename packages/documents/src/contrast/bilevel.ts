import type { Bitmap } from '../raster/bitmap.ts'
import { drawGrounds } from './draw-grounds.ts'
import type { Gray, TileCounts } from '../raster/gray-tiles.ts'
import { bringBackLost } from './bring-back.ts'
import { dotSpacing, screenTile } from '../raster/halftone.ts'
import { clearLightGrounds, drawShapes } from './light-grounds.ts'
import { findFilled } from './filled.ts'
import { type Drawing, drawInk, lightTones, replaceShades } from './local-ink.ts'
import { LowestTones, type Reach } from '../raster/lowest-near.ts'
import type { FaxPage } from '../raster/page-notes.ts'
import type { Resolution, Tones } from '../raster/paper.ts'
import { spreadPictures } from './picture-edges.ts'
import { inkContrast } from './shade-writing.ts'
import { decideShades, ground, type Judged } from './shades.ts'
import { removeSpecks } from './specks.ts'
import { thresholdTiles } from '../raster/tile-band.ts'
import { classifyTiles, isGray, kind, type TileKinds } from './tile-kinds.ts'

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
  const { resolution, tones } = options
  const whole = { pixels, width, height }
  const first = thresholdTiles(whole, inkLevel[resolution])
  const cleared = tones === 'photo' ? undefined : clearLightGrounds(whole, first.counts, tones, resolution)
  const gray = cleared?.gray ?? whole
  const { bitmap, counts } = cleared ? thresholdTiles(gray, inkLevel[resolution]) : first
  const found = draw(bitmap, gray, counts, options)
  if (cleared) drawShapes(bitmap, whole, cleared.shapes, resolution)
  for (const index of findFilled(bitmap, whole)) {
    if (tones === 'auto') screenTile(bitmap, whole, index, dotSpacing.coarse, resolution)
    else replaceShades(bitmap, whole, index, lightTones, false)
  }
  if (isWhite(bitmap)) drawPale(bitmap, whole, found)
  const isGrained = (index: number) => found?.grain[index] === 1
  const lost = bringBackLost(bitmap, { gray, counts, resolution, isGrained })
  if (!cleared) return { ...bitmap, lost }
  // Light letters are not on the page without its grounds.
  const source = { gray: whole, counts: first.counts, resolution, isGrained }
  return { ...bitmap, lost: [...lost, ...bringBackLost(bitmap, source, cleared.lighter)] }
}

const isWhite = ({ words }: Bitmap) => words.every((word) => word === 0)

/** A page that came out white, and is not blank paper that was scanned, shows what is darker than its middle tone. */
function drawPale(bitmap: Bitmap, gray: Gray, found: TileKinds | undefined): void {
  const [lowest, highest] = gray.pixels.reduce(
    ([low, high], tone) => [Math.min(low, tone), Math.max(high, tone)],
    [255, 0],
  )
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
