import type { Bitmap } from './bitmap.ts'
import { drawGrounds } from './draw-grounds.ts'
import type { Grey, TileCounts } from './grey-tiles.ts'
import { dotSpacing, screenTile } from './halftone.ts'
import { drawInk } from './local-ink.ts'
import type { Reach } from './local-ink.ts'
import type { Resolution } from './paper.ts'
import { spreadPictures } from './picture-edges.ts'
import { decideShades, ground } from './shades.ts'
import { smoothEdges } from './smooth-edges.ts'
import { removeSpecks } from './specks.ts'
import { thresholdTiles } from './tile-band.ts'
import { isGrey, kind, tellKinds } from './tile-kinds.ts'
import type { TileKinds } from './tile-kinds.ts'

/**
 * What a page is made black and white for: `text` has every stroke black and every ground white, `photo` shows all tones
 * by dots, and `auto` decides for each part of the page.
 */
export type Tones = 'auto' | 'text' | 'photo'

/** A pixel darker than this is ink. Rows twice as high halve the grey of thin level strokes, so less grey is enough. */
export const inkLevel: Record<Resolution, number> = { fine: 176, standard: 190 }

const reachOf: Record<Resolution, Reach> = { fine: { across: 2, down: 2 }, standard: { across: 2, down: 1 } }
/** A shade that is to have no dots and is darker than this is black. */
const shadowTone = 128

/** How a page is made black and white. */
export interface BilevelOptions {
  resolution: Resolution
  tones: Tones
}

/**
 * Makes a bilevel page of grey `pixels` (`width` × `height` bytes, 0 is black, `width` a multiple of 32). White areas cost
 * almost nothing, and pages of black text little more.
 */
export function toBilevel(pixels: Uint8Array, width: number, height: number, options: BilevelOptions): Bitmap {
  const grey = { pixels, width, height }
  const { bitmap, counts } = thresholdTiles(grey, inkLevel[options.resolution])
  if (options.tones === 'photo') {
    counts.toned.forEach((toned, index) => {
      if (toned > 0) screenTile(bitmap, grey, index, dotSpacing.fine, options.resolution)
    })
    return bitmap
  }
  if (!anyGrey(counts)) {
    drawFaint(bitmap, grey, counts, undefined, options.resolution)
    smoothEdges(bitmap)
    return bitmap
  }
  const grounds = new Uint8Array(counts.toned.length)
  const found = tellKinds(grey, counts)
  decideGrounds(grey, counts, found, grounds, options.tones)
  drawFaint(bitmap, grey, counts, found, options.resolution)
  drawGrounds(bitmap, { grey, counts, found, grounds }, reachOf[options.resolution])
  removeSpecks(bitmap, (index) => found.grain[index] === 1 && grounds[index] === ground.white)
  smoothEdges(bitmap)
  grounds.forEach((decided, index) => {
    if (decided === ground.screened) screenTile(bitmap, grey, index, dotSpacing.coarse, options.resolution)
  })
  return bitmap
}

/** Pages of text have no tile that is grey: they need no more than the threshold. */
function anyGrey(counts: TileCounts): boolean {
  for (let index = 0; index < counts.toned.length; index++) if (isGrey(counts, index)) return true
  return false
}

function decideGrounds(grey: Grey, counts: TileCounts, found: TileKinds, grounds: Uint8Array, tones: Tones): void {
  decideShades(grey, counts, found, grounds)
  if (tones === 'auto') {
    spreadPictures(grey, counts, found, grounds)
    return
  }
  for (let index = 0; index < grounds.length; index++) {
    if (grounds[index] === ground.screened) {
      grounds[index] = found.tones[index]! < shadowTone ? ground.black : ground.white
    }
  }
}

/** Letters of a light grey: tiles in which more is pale than black. */
function drawFaint(
  bitmap: Bitmap,
  grey: Grey,
  { toned, ink }: TileCounts,
  found: TileKinds | undefined,
  resolution: Resolution,
): void {
  for (let index = 0; index < toned.length; index++) {
    if (toned[index]! - ink[index]! <= ink[index]! || (found && found.kinds[index] !== kind.plain)) continue
    drawInk(bitmap, grey, index, 255, reachOf[resolution])
  }
}
