import { screenBlock } from '../raster/halftone.ts'
import type { Resolution, Tones } from '../raster/paper.ts'
import type { Bitmap } from '../raster/bitmap.ts'
import { findGrounds, type Ground, isOne, withRim } from './find-grounds.ts'
import { block, type Corner, cornerOf, type Gray, type TileCounts } from '../raster/gray-tiles.ts'
import { drawLight } from './light-writing.ts'
import { inkContrast } from './shade-writing.ts'

/** From this tone on a ground is left out wherever it lies. */
const paleTone = 200
/** A ground whose marks reach over this share of it, across and down, is a row with writing, or has rules around it. */
const spreadShare = { across: 0.5, down: 0.3 }
/** Share of the box around a ground that it fills when it is a box itself. */
const boxShare = 0.9
/** Blocks around a label that have no dots. */
const clearance = 3
/** So many pixels of the ground in a row are no letter, and its edge is so near to the edge of its blocks. */
const frameRun = 4
const frameReach = 2 * block.width

/** A page without its light grounds, and those of them that dots show. */
export interface Cleared {
  gray: Gray
  shapes: { tone: number; blocks: number[] }[]
  /** Tiles in which something is lighter than a ground that was left out. */
  lighter: ReadonlySet<number>
}

/**
 * Leaves out the grounds of one tone that are lighter than middle gray: boxes and rows become white paper at once, with
 * what is written on them as dark as it is on paper, and light writing black. A box that is not written on all over, nor
 * ruled, gets a frame. Other shapes are named, to be shown by dots, unless the page is said to be text. Undefined for a
 * page without such grounds.
 */
export function clearLightGrounds(
  gray: Gray,
  counts: TileCounts,
  tones: Tones,
  resolution: Resolution,
): Cleared | undefined {
  const { grounds, kept } = findGrounds(gray, counts)
  if (grounds.length === 0) return undefined
  const page = { gray, counts, kept, cleared: new Uint8Array(gray.pixels), lighter: new Set<number>(), resolution }
  const shown = grounds.map((found) => clear(page, found))
  const boxes = new Set(shown.filter(({ isBox, marked }) => isBox && marked.length > 0).map(({ tone }) => tone))
  const shapes: Cleared['shapes'] = []
  for (const found of shown) {
    if (tones === 'text' || found.tone >= paleTone || found.isWritten) continue
    if (found.isBox && boxes.has(found.tone)) drawFrame(page, found)
    else shapes.push({ tone: found.tone, blocks: awayFrom(found, 4 * counts.across) })
  }
  return { gray: { ...gray, pixels: page.cleared }, shapes, lighter: page.lighter }
}

/** Draws the dots of shapes on a page whose tones are those of `gray`. */
export function drawShapes(bitmap: Bitmap, gray: Gray, shapes: Cleared['shapes'], resolution: Resolution): void {
  for (const { tone, blocks } of shapes) {
    const own = Uint8Array.from({ length: 256 }, (_, at) => (isOne(at, tone) ? 1 : 0))
    for (const at of blocks) screenBlock(bitmap, gray, cornerOf(at, 4 * bitmap.rowWords), own, resolution)
  }
}

interface Page {
  gray: Gray
  counts: TileCounts
  /** Tones that stay. */
  kept: Uint8Array
  cleared: Uint8Array
  /** Tiles that may have light writing. */
  lighter: Set<number>
  resolution: Resolution
}

/** A ground that was cleared, with its rim, and what it is: its marks are also the light ones. */
interface Shown extends Ground {
  rim: number[]
  isBox: boolean
  isWritten: boolean
}

function clear({ gray, counts, kept, cleared, lighter, resolution }: Page, found: Ground): Shown {
  const { tone, blocks } = found
  const across = 4 * counts.across
  const rim = withRim(counts, found)
  for (const at of rim) {
    const isEven = isOne(counts.lowest[at]!, tone) && isOne(255 - counts.lack[at]!, tone)
    lighten(cleared, gray, cornerOf(at, across), tone, kept, isEven)
  }
  const marked = [...found.marked]
  if (tone <= 255 - inkContrast) {
    for (const at of rim) {
      if (255 - counts.lack[at]! < tone + inkContrast) continue
      if (drawLight(cleared, gray, cornerOf(at, across), tone, resolution)) marked.push(at)
      lighter.add(((at % across) >> 2) + counts.across * (Math.floor(at / across) >> 1))
    }
  }
  const [all, written] = [extentOf(blocks, across), extentOf(marked, across)]
  const isBox = blocks.length >= boxShare * all.width * all.height
  const isWritten = written.width >= spreadShare.across * all.width && written.height >= spreadShare.down * all.height
  return { ...found, marked, rim, isBox, isWritten }
}

/** The box around blocks, in blocks. */
function extentOf(places: readonly number[], across: number) {
  let [left, right, top, bottom] = [across, -1, Infinity, -1]
  for (const at of places) {
    const [column, row] = [at % across, Math.floor(at / across)]
    if (column < left) left = column
    if (column > right) right = column
    if (row < top) top = row
    if (row > bottom) bottom = row
  }
  return { left, top, width: Math.max(0, right + 1 - left), height: bottom < 0 ? 0 : bottom + 1 - top }
}

/** Makes the pixels of a block lighter so that the tone of the ground is white; grounds that stay are left alone. */
function lighten(
  cleared: Uint8Array,
  { pixels, width, height }: Gray,
  { left, top }: Corner,
  tone: number,
  kept: Uint8Array,
  isEven: boolean,
) {
  const bottom = Math.min(height, top + block.height)
  if (isEven) {
    for (let y = top; y < bottom; y++) cleared.fill(255, y * width + left, y * width + left + block.width)
    return
  }
  for (let y = top; y < bottom; y++) {
    for (let at = y * width + left; at < y * width + left + block.width; at++) {
      const pixel = pixels[at]!
      if (kept[pixel] === 1 || cleared[at] === 255) continue
      const lighter = pixel > tone || isOne(pixel, tone) ? 255 : (255 * pixel) / tone
      // Where two grounds meet, what is darker than both is as dark as on the lighter one.
      if (lighter === 255 || cleared[at] === pixel || lighter < cleared[at]!) cleared[at] = lighter
    }
  }
}

/** Draws a thin frame around a box, where its tone ends in three of its rows and columns. */
function drawFrame({ gray, cleared, counts }: Page, { blocks, tone }: Ground): void {
  const { pixels, width, height } = gray
  const box = extentOf(blocks, 4 * counts.across)
  const [x0, y0] = [block.width * box.left, block.height * box.top]
  const [x1, y1] = [x0 + block.width * box.width, Math.min(height, y0 + block.height * box.height)]
  const shares = [0.25, 0.5, 0.75]
  // A frame further within would cross what is written in the box.
  const end = (from: number, on: 1 | -1, step: number, start: number) => {
    for (let at = from; at !== from + on * frameReach; at += on) {
      let run = 0
      while (run < frameRun && isOne(pixels[start + (at + run * on) * step] ?? 0, tone)) run++
      if (run === frameRun) return at
    }
    return from
  }
  const row = (share: number) => Math.floor(y0 + share * (y1 - y0)) * width
  const column = (share: number) => Math.floor(x0 + share * (x1 - x0))
  const left = Math.min(...shares.map((share) => end(x0, 1, 1, row(share))))
  const right = Math.max(...shares.map((share) => end(x1 - 1, -1, 1, row(share))))
  const top = Math.min(...shares.map((share) => end(y0, 1, width, column(share))))
  const bottom = Math.max(...shares.map((share) => end(y1 - 1, -1, width, column(share))))
  for (const y of [top, bottom]) cleared.fill(0, y * width + left, y * width + right + 1)
  for (let y = top; y <= bottom; y++) cleared[y * width + left] = cleared[y * width + right] = 0
}

/** The blocks of a ground and its rim that are not beside its marks. */
function awayFrom({ rim, marked }: Shown, across: number): number[] {
  const near = new Set<number>()
  for (const at of marked) {
    for (let row = -clearance; row <= clearance; row++) {
      for (let column = -clearance; column <= clearance; column++) near.add(at + row * across + column)
    }
  }
  return rim.filter((at) => !near.has(at))
}
