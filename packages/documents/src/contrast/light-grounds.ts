import { isScreened } from '../raster/halftone.ts'
import type { Resolution } from '../raster/paper.ts'
import type { Tones } from '../raster/tones.ts'
import type { Bitmap } from '../raster/bitmap.ts'
import { block, paperTone } from './gray-tiles.ts'
import type { Gray, TileCounts } from './gray-tiles.ts'

/** A ground from this tone on is lighter than middle gray, and never black on the fax. */
const middleTone = 128
/** From this tone on a ground is left out wherever it lies. */
const paleTone = 200
/** What differs from its ground by this much is writing, or a line. */
const contrast = 48
/** Soft edges of what is drawn come so near to the tone of a ground. */
const nearly = 4
/** Tones of a block that lie no further apart are one tone: JPEG changes them a little. */
const evenRange = 6
/** A ground has at least so many blocks of the very same tone, and reaches so many blocks beyond them, between letters. */
const leastBlocks = 6
const reach = 4
/** Pixels of its tone that a block between letters has at least. */
const leastPixels = 6
/** … and one that a ground is found by. */
const leastShare = 24
/** A ground whose marks reach over this share of it, across and down, is a box or a row with writing and no shape. */
const spreadShare = { across: 0.5, down: 0.3 }
/** What lies no further from a tone, and is not that tone, is a soft change of it. */
const softRange = contrast / 2
/** Share of soft changes along its edge, from which on it is a part of a picture. */
const softShare = 0.4
/** Blocks around writing that have no dots. */
const clearance = 3

/** Pixels of light writing on a ground, which is drawn black: letters are no longer, and wider strokes have outlines. */
interface LightStroke {
  narrow: { across: number; down: number }
  long: { across: number; down: number }
}
const lightStroke: Record<Resolution, LightStroke> = {
  fine: { narrow: { across: 6, down: 6 }, long: { across: 120, down: 120 } },
  standard: { narrow: { across: 6, down: 3 }, long: { across: 120, down: 60 } },
}

/** The first pixel of a block. */
interface Corner {
  left: number
  top: number
}

/** Areas of one tone that are to be shown by dots. */
interface Shape {
  tone: number
  blocks: number[]
}

/** A page without its light grounds, and what of them is to be shown by dots; their `gray` is the page as it was. */
export interface Cleared {
  gray: Gray
  shapes: Shape[]
}

/** A ground: its blocks, which hold its tone, and those among them that have darker marks. */
interface Ground extends Shape {
  even: number
  marked: number[]
}

/** Blocks of a page, row by row: their ranges of tones and how far each is from one that is even, 0 where it is no ground. */
class Blocks {
  readonly across: number
  readonly down: number
  readonly #gray: Gray
  readonly #counts: TileCounts

  constructor(gray: Gray, counts: TileCounts) {
    this.#gray = gray
    this.#counts = counts
    this.across = counts.across * 4
    this.down = counts.down * 2
  }

  /** Whether a block may have pixels of a tone. */
  holds = (at: number, tone: number) => this.low(at) <= tone + nearly && this.high(at) >= tone - nearly
  isEven = (at: number) => this.high(at) - this.low(at) <= evenRange
  middle = (at: number) => (this.low(at) + this.high(at)) >> 1
  low = (at: number) => this.#counts.lowest[at]!
  high = (at: number) => 255 - this.#counts.lack[at]!

  /** How many pixels of a block have nearly this tone, less those that come near it, as in photographs. */
  count(at: number, tone: number): number {
    const { pixels, width, height } = this.#gray
    const { left, top } = this.corner(at)
    let count = 0
    for (let y = top; y < Math.min(height, top + block.height); y++) {
      for (let x = y * width + left; x < y * width + left + block.width; x++) {
        const away = Math.abs(pixels[x]! - tone)
        if (away <= softRange) count += away <= nearly ? 1 : -1
      }
    }
    return count
  }

  corner(at: number): Corner {
    return { left: block.width * (at % this.across), top: block.height * Math.floor(at / this.across) }
  }

  /** Calls `see` with the blocks around one, corners included. */
  around(at: number, see: (beside: number) => void, far = 1): void {
    const [column, row] = [at % this.across, Math.floor(at / this.across)]
    for (let y = Math.max(0, row - far); y <= Math.min(this.down - 1, row + far); y++) {
      for (let x = Math.max(0, column - far); x <= Math.min(this.across - 1, column + far); x++) {
        see(y * this.across + x)
      }
    }
  }
}

/**
 * Leaves the drawn grounds of a page out that are lighter than middle gray: boxes and rows of one tone become white paper
 * at once, with what is written on them as dark as it is on paper, and light writing black. Shapes that a label or
 * nothing stands on are named, to be shown by dots, unless the page is said to be text. Undefined when it has none.
 */
export function clearLightGrounds(
  gray: Gray,
  counts: TileCounts,
  tones: Tones,
  resolution: Resolution,
): Cleared | undefined {
  const blocks = new Blocks(gray, counts)
  const [grounds, kept] = findGrounds(blocks)
  if (grounds.length === 0) return undefined
  const cleared = gray.pixels.slice()
  const shapes: Shape[] = []
  for (const found of grounds) {
    const { tone } = found
    const rim = withRim(blocks, found)
    for (const at of rim) lighten(cleared, gray, blocks.corner(at), tone, kept)
    if (tone <= 255 - contrast) {
      for (const at of rim) {
        if (blocks.high(at) < tone + contrast) continue
        if (drawLight(cleared, gray, blocks.corner(at), tone, lightStroke[resolution])) found.marked.push(at)
      }
    }
    if (tones === 'text' || tone >= paleTone || isWritten(blocks, found)) continue
    const clear = new Set<number>()
    for (const at of found.marked) blocks.around(at, (beside) => clear.add(beside), clearance)
    shapes.push({ tone, blocks: [...rim].filter((at) => !clear.has(at)) })
  }
  return { gray: { ...gray, pixels: cleared }, shapes }
}

/** Draws the dots of shapes. */
export function drawShapes(bitmap: Bitmap, gray: Gray, shapes: readonly Shape[], resolution: Resolution): void {
  const { rowWords, words } = bitmap
  for (const { tone, blocks } of shapes) {
    for (const at of blocks) {
      const [left, top] = [block.width * (at % (4 * rowWords)), block.height * Math.floor(at / (4 * rowWords))]
      for (let y = top; y < Math.min(gray.height, top + block.height); y++) {
        for (let x = left; x < left + block.width; x++) {
          if (Math.abs(gray.pixels[y * gray.width + x]! - tone) > nearly || !isScreened(x, y, tone, resolution)) continue
          words[y * rowWords + (x >> 5)]! |= 1 << (31 - (x & 31))
        }
      }
    }
  }
}

/** The light grounds of a page, and the dark tones that grounds have. */
function findGrounds(blocks: Blocks): [Ground[], Uint8Array] {
  const distance = new Uint8Array(blocks.across * blocks.down)
  const kept = new Uint8Array(256)
  const counted = new Uint32Array(256)
  for (let at = 0; at < distance.length; at++) if (blocks.isEven(at)) counted[blocks.middle(at)]!++
  for (let tone = 0; tone < middleTone; tone++) kept[tone] = counted[tone] === 0 ? 0 : 1
  const drawn: number[] = []
  for (;;) {
    let best = middleTone
    for (let tone = middleTone; tone < paperTone; tone++) if (counted[tone]! > counted[best]!) best = tone
    if (counted[best]! < leastBlocks) break
    drawn.push(best)
    counted.fill(0, best - nearly, best + nearly + 1)
  }
  if (drawn.length === 0) return [[], kept]
  const grounds: Ground[] = []
  for (let at = 0; at < distance.length; at++) {
    if (distance[at] !== 0 || blocks.low(at) >= paperTone || blocks.high(at) < middleTone) continue
    for (const tone of drawn) {
      if (!blocks.holds(at, tone) || blocks.count(at, tone) < leastShare) continue
      const ground = grow(blocks, at, tone, distance)
      if (ground.blocks.length >= leastBlocks && !isPicture(blocks, ground)) grounds.push(ground)
      break
    }
  }
  return [grounds, kept]
}

/** The ground that hangs together with a block. */
function grow(blocks: Blocks, from: number, tone: number, distance: Uint8Array): Ground {
  const ground: Ground = { tone, even: 0, blocks: [from], marked: [] }
  distance[from] = 1
  for (const at of ground.blocks) {
    const [low, high, far] = [blocks.low(at), blocks.high(at), distance[at]!]
    if (blocks.isEven(at)) ground.even++
    else if (low <= tone - contrast) ground.marked.push(at)
    blocks.around(at, (beside) => {
      if (distance[beside] !== 0 || !blocks.holds(beside, tone)) return
      const isEven = blocks.isEven(beside)
      if (!isEven && (far > reach || blocks.count(beside, tone) < leastPixels)) return
      distance[beside] = isEven ? 1 : far + 1
      ground.blocks.push(beside)
    })
  }
  return ground
}

/** Whether the tones change softly around an area, as they do in photographs. */
function isPicture(blocks: Blocks, { tone, blocks: own }: Ground): boolean {
  const inside = new Set(own)
  let [soft, all] = [0, 0]
  const see = (at: number) => {
    const [low, high] = [blocks.low(at), blocks.high(at)]
    if (inside.has(at) && blocks.isEven(at)) return
    all++
    if (low > tone - softRange && high < Math.min(paperTone, tone + softRange)) soft++
  }
  for (const at of own) blocks.around(at, see)
  return soft > softShare * all
}

/** Whether a ground has marks all over it, or around it. */
function isWritten({ across }: Blocks, { blocks: own, marked }: Ground): boolean {
  const extent = (places: readonly number[]) => {
    let [left, right, top, bottom] = [Infinity, -1, Infinity, -1]
    for (const at of places) {
      const [column, row] = [at % across, Math.floor(at / across)]
      ;[left, right] = [Math.min(left, column), Math.max(right, column)]
      ;[top, bottom] = [Math.min(top, row), Math.max(bottom, row)]
    }
    return { width: right + 1 - left, height: bottom + 1 - top }
  }
  const [all, written] = [extent(own), extent(marked)]
  return written.width >= spreadShare.across * all.width && written.height >= spreadShare.down * all.height
}

/** The blocks of a ground and those beside it, where its edge may lie. */
function withRim(blocks: Blocks, { blocks: own, tone }: Ground): Set<number> {
  const all = new Set(own)
  for (const at of own) {
    blocks.around(at, (beside) => {
      if (blocks.holds(beside, tone)) all.add(beside)
    })
  }
  return all
}

/** Makes the pixels of a block lighter so that the tone of the ground is white; grounds that stay are left alone. */
function lighten(cleared: Uint8Array, { pixels, width, height }: Gray, { left, top }: Corner, tone: number, kept: Uint8Array) {
  for (let y = top; y < Math.min(height, top + block.height); y++) {
    for (let at = y * width + left; at < y * width + left + block.width; at++) {
      const pixel = pixels[at]!
      if (kept[pixel] === 1 || cleared[at] === 255) continue
      const lighter = pixel >= tone - nearly ? 255 : (255 * pixel) / tone
      // Where two grounds meet, what is darker than both is as dark as on the lighter one.
      if (lighter === 255 || cleared[at] === pixel || lighter < cleared[at]!) cleared[at] = lighter
    }
  }
}

/** Draws what is light in a block, and has the ground on both sides, black: narrow strokes, and the outlines of wide ones. */
function drawLight(cleared: Uint8Array, gray: Gray, { left, top }: Corner, tone: number, size: LightStroke): boolean {
  let drawn = 0
  const { pixels, width, height } = gray
  const from = (tone + 255) >> 1
  for (let y = top; y < Math.min(height, top + block.height); y++) {
    const row = { pixels, start: y * width, step: 1, count: width, tone, from, long: size.long.across }
    for (let x = left; x < left + block.width; x++) {
      if (pixels[y * width + x]! < from) continue
      const across = runAt(row, x)
      if (across.isLong) {
        x = across.end
        continue
      }
      const down = runAt({ ...row, start: x, step: width, count: height, long: size.long.down }, y)
      if (down.isLong) continue
      if (isStroke(across, x, size.narrow.across) || isStroke(down, y, size.narrow.down)) {
        cleared[y * width + x] = 0
        drawn++
      }
    }
  }
  return drawn >= leastPixels
}

/** A row or column of pixels, and what is light there. */
interface Track {
  pixels: Uint8Array
  start: number
  step: number
  count: number
  tone: number
  from: number
  long: number
}

interface Run {
  first: number
  end: number
  isLong: boolean
  /** The ground lies on both sides of it. */
  isOnGround: boolean
}

/** The light pixels around a place of a track. */
function runAt({ pixels, start, step, count, tone, from, long }: Track, place: number): Run {
  let [first, end] = [place, place + 1]
  const isLight = (at: number) => at >= 0 && at < count && pixels[start + at * step]! >= from
  while (end - place <= long && isLight(end)) end++
  while (end - first <= long && isLight(first - 1)) first--
  const toneAt = (at: number) => (at >= 0 && at < count ? pixels[start + at * step]! : 0)
  // Between them and the ground lies at most one soft pixel; those of dark letters only pass its tone.
  const endsOnGround = (at: number, on: number) => {
    const next = toneAt(at) > tone + nearly ? at + on : at
    return Math.abs(toneAt(next) - tone) <= nearly && toneAt(next + on) >= tone - nearly
  }
  return { first, end, isLong: end - first > long, isOnGround: endsOnGround(first - 1, -1) && endsOnGround(end, 1) }
}

/** Whether a pixel belongs to a narrow stroke, or to the edge of a wide one. */
function isStroke({ first, end, isOnGround }: Run, place: number, narrow: number): boolean {
  if (!isOnGround) return false
  const rim = narrow / 3
  return end - first <= narrow || place < first + rim || place >= end - rim
}
