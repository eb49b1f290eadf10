import { block, type Corner, cornerOf, type Gray, paperTone, type TileCounts } from '../raster/gray-tiles.ts'
import { inkContrast } from './shade-writing.ts'
import { isGray } from './tile-kinds.ts'

/** A ground from this tone on is lighter than middle gray. */
export const middleTone = 128
/** Tones so near to each other are one, and those of a block that lie no further apart: JPEG changes them a little. */
const nearly = 4
const evenRange = 6
/** What lies no further from a tone, and is not that tone, is a soft change of it. */
const softRange = inkContrast / 2
/** A ground has at least so many blocks, and reaches so many beyond those of its very tone, between letters. */
const leastBlocks = 6
const reach = 4
/** Pixels of its tone, less those that come near it, that a block between letters has, and one that a ground is found by. */
const leastPixels = 6
const firstPixels = 24
/** Pixels of soft edges that a block with letters may have beyond those of its ground. */
const softEdges = 8
/** Share of soft changes around it from which on a ground is a part of a picture. */
const softShare = 0.4
/** A ground of a document borders on so many other grounds at most, each with this share of its edge. */
const maxNeighbors = 6
const neighborShare = 0.01
/** Share of what lies beside a ground from which on it lies within a photograph that has this. */
const withinShare = 0.2
/** How often that is asked at most: photographs take two or three rounds, and a page made for it could take thousands. */
const maxRounds = 8

/** An area of one tone that may have writing on it: its blocks, and those of them that have darker marks. */
export interface Ground {
  tone: number
  blocks: number[]
  marked: number[]
}

/** Whether a pixel has the tone of a ground. */
export const isOne = (pixel: number, tone: number) => pixel - tone <= nearly && tone - pixel <= nearly

/** The light grounds of a page, and which dark tones areas of it have. */
export function findGrounds(gray: Gray, counts: TileCounts): { grounds: Ground[]; kept: Uint8Array } {
  const { lowest, lack, across } = counts
  const { drawn, kept } = tonesOf(counts)
  const grounds: Ground[] = []
  if (drawn.length === 0) return { grounds, kept }
  /** The drawn tone that each tone nearly is. */
  const names = new Uint8Array(256)
  for (const tone of drawn) names.fill(tone, tone - nearly, tone + nearly + 1)
  const distance = new Uint8Array(lowest.length)
  for (let at = 0; at < lowest.length; at++) {
    if (distance[at] !== 0 || lowest[at]! >= paperTone || lack[at]! > 255 - middleTone + nearly) continue
    const middle = names[(lowest[at]! + 255 - lack[at]!) >> 1]!
    const isFlat = middle !== 0 && 255 - lack[at]! - lowest[at]! <= evenRange
    if (!isFlat && !isGray(counts, tileOf(at, across))) continue
    const tone = isFlat ? middle : commonTone(gray, at, 4 * across, names)
    if (tone === 0) continue
    const ground = grow(gray, counts, at, tone, distance, names)
    if (ground.blocks.length >= leastBlocks) grounds.push(ground)
  }
  return { grounds: withoutPictures(gray, counts, grounds, names), kept }
}

/** Leaves out parts of photographs, and what lies within these. */
function withoutPictures(gray: Gray, counts: TileCounts, grounds: readonly Ground[], names: Uint8Array): Ground[] {
  const inPicture = new Uint8Array(counts.lowest.length)
  const leave = ({ blocks }: Ground) => blocks.forEach((at) => (inPicture[at] = 1))
  let rest = grounds.filter((ground) => {
    const isPart = isPicture(gray, counts, ground, names)
    if (isPart) leave(ground)
    return !isPart
  })
  for (let [round, before] = [0, -1]; rest.length !== before && round < maxRounds; round++) {
    before = rest.length
    rest = rest.filter((ground) => {
      const beside = withRim(counts, ground, true).slice(ground.blocks.length)
      const isWithin = beside.reduce((sum, at) => sum + inPicture[at]!, 0) > withinShare * beside.length
      if (isWithin) leave(ground)
      return !isWithin
    })
  }
  return rest
}

const tileOf = (at: number, across: number) =>
  ((at % (4 * across)) >> 2) + across * (Math.floor(at / (4 * across)) >> 1)

/** The light tones that even blocks of a page have, the most frequent first, and the dark ones. */
function tonesOf({ lowest, lack }: TileCounts): { drawn: number[]; kept: Uint8Array } {
  const counted = new Uint32Array(256)
  for (let at = 0; at < lowest.length; at++) {
    const [low, high] = [lowest[at]!, 255 - lack[at]!]
    if (high - low <= evenRange) counted[(low + high) >> 1]!++
  }
  const kept = Uint8Array.from(counted, (count, tone) => (tone < middleTone && count > 0 ? 1 : 0))
  const drawn: number[] = []
  for (;;) {
    let best = middleTone
    for (let tone = middleTone; tone < paperTone; tone++) if (counted[tone]! > counted[best]!) best = tone
    if (counted[best]! < leastBlocks) return { drawn, kept }
    drawn.push(best)
    counted.fill(0, best - nearly, best + nearly + 1)
  }
}

const seen = new Uint8Array(256)

/** The drawn tone that a block has enough pixels of; 0 without any. */
function commonTone(gray: Gray, at: number, across: number, names: Uint8Array): number {
  const { left, top } = cornerOf(at, across)
  seen.fill(0)
  let best = 0
  for (let y = top; y < Math.min(gray.height, top + block.height); y++) {
    for (let pixel = y * gray.width + left; pixel < y * gray.width + left + block.width; pixel++) {
      const name = names[gray.pixels[pixel]!]!
      if (name !== 0 && ++seen[name]! > seen[best]!) best = name
    }
  }
  return best !== 0 && countOf(gray, at, across, best, names) >= firstPixels ? best : 0
}

/** How many pixels of a block have a tone, less those that come near it and have no drawn tone, as in photographs. */
function countOf({ pixels, width, height }: Gray, at: number, across: number, tone: number, names: Uint8Array): number {
  const { left, top } = cornerOf(at, across)
  let count = 0
  for (let y = top; y < Math.min(height, top + block.height); y++) {
    for (let pixel = y * width + left; pixel < y * width + left + block.width; pixel++) {
      const name = names[pixels[pixel]!]!
      if (name === tone) count++
      else if (name === 0 && Math.abs(pixels[pixel]! - tone) <= softRange) count--
    }
  }
  return count
}

/** Whether a block may have pixels of a tone. */
const holds = ({ lowest, lack }: TileCounts, at: number, tone: number) =>
  lowest[at]! <= tone + nearly && 255 - lack[at]! >= tone - nearly

/** The ground that hangs together with a block; `distance` is how far blocks of grounds are from an even one. */
function grow(
  gray: Gray,
  counts: TileCounts,
  from: number,
  tone: number,
  distance: Uint8Array,
  names: Uint8Array,
): Ground {
  const { lowest, lack, across } = counts
  const stride = 4 * across
  const isEven = (at: number) => 255 - lack[at]! - lowest[at]! <= evenRange
  // The edges of letters are as soft as photographs.
  const leastIn = (at: number) => (lowest[at]! <= tone - inkContrast ? -softEdges : leastPixels)
  const ground: Ground = { tone, blocks: [from], marked: [] }
  const { blocks, marked } = ground
  distance[from] = 1
  // The list grows while it is walked.
  for (let next = 0; next < blocks.length; next++) {
    const at = blocks[next]!
    if (lowest[at]! <= tone - inkContrast && !isEven(at)) marked.push(at)
    const far = distance[at]!
    const column = at % stride
    for (let beside = 0; beside < 9; beside++) {
      const side = (beside % 3) - 1
      const to = at + (Math.floor(beside / 3) - 1) * stride + side
      if (column + side < 0 || column + side >= stride || to < 0 || to >= distance.length) continue
      if (distance[to] !== 0 || !holds(counts, to, tone)) continue
      if (isEven(to)) distance[to] = 1
      else if (far > reach || countOf(gray, to, stride, tone, names) < leastIn(to)) continue
      else distance[to] = far + 1
      blocks.push(to)
    }
  }
  return ground
}

/**
 * Whether an area is a part of a photograph: tones change softly around it, or it borders on many other areas of one tone.
 * On a form there are a few.
 */
function isPicture(gray: Gray, counts: TileCounts, ground: Ground, names: Uint8Array): boolean {
  const { lowest, lack, across } = counts
  let [soft, all] = [0, 0]
  const { tone } = ground
  const beside = new Uint32Array(256)
  for (const at of withRim(counts, ground, true)) {
    const [low, high] = [lowest[at]!, 255 - lack[at]!]
    if (high - low <= evenRange) continue
    all++
    addNames(gray, cornerOf(at, 4 * across), names, beside)
    const isNear = low > tone - softRange && high < Math.min(paperTone, tone + softRange)
    if (isNear && countOf(gray, at, 4 * across, tone, names) < leastPixels) soft++
  }
  beside[0] = beside[tone] = 0
  const least = neighborShare * all * block.width * block.height
  return soft > softShare * all || beside.reduce((sum, count) => sum + (count > least ? 1 : 0), 0) > maxNeighbors
}

/** Counts the pixels of a block by the drawn tones that they nearly are. */
function addNames({ pixels, width, height }: Gray, { left, top }: Corner, names: Uint8Array, counted: Uint32Array) {
  for (let y = top; y < Math.min(height, top + block.height); y++) {
    for (let at = y * width + left; at < y * width + left + block.width; at++) counted[names[pixels[at]!]!]!++
  }
}

let stamps = new Int32Array(0)
let stamp = 0

/** The blocks of a ground and those beside it where its edge may lie, or all of them. */
export function withRim(counts: TileCounts, { blocks, tone }: Ground, isAll = false): number[] {
  const stride = 4 * counts.across
  const size = counts.lowest.length
  if (stamps.length < size) stamps = new Int32Array(size)
  stamp++
  const found = [...blocks]
  for (const at of blocks) stamps[at] = stamp
  for (const at of blocks) {
    const column = at % stride
    for (let beside = 0; beside < 9; beside++) {
      const side = (beside % 3) - 1
      const to = at + (Math.floor(beside / 3) - 1) * stride + side
      if (column + side < 0 || column + side >= stride || to < 0 || to >= size || stamps[to] === stamp) continue
      if (!isAll && !holds(counts, to, tone)) continue
      stamps[to] = stamp
      found.push(to)
    }
  }
  return found
}
