import { type Bitmap, createBitmap } from '../raster/bitmap.ts'
import { encodeT6 } from '../t4-t6/t6-encode.ts'
import { ArithmeticCoder } from './arithmetic-coder.ts'

export type Point = readonly [number, number]
type Template = 0 | 1 | 2 | 3

export const isBlack = ({ width, height, rowWords, words }: Bitmap, x: number, y: number): number =>
  x < 0 || y < 0 || x >= width || y >= height ? 0 : (words[y * rowWords + (x >> 5)]! >>> (31 - (x & 31))) & 1

/** A bitmap of the pixels that `ink` tells. */
export function drawBitmap(width: number, height: number, ink: (x: number, y: number) => boolean | number): Bitmap {
  const bitmap = createBitmap(width, height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (ink(x, y)) bitmap.words[y * bitmap.rowWords + (x >> 5)]! |= 1 << (31 - (x & 31))
    }
  }
  return bitmap
}

const row = (y: number, from: number, to: number): Point[] =>
  Array.from({ length: Math.abs(to - from) + 1 }, (_, step) => [from + Math.sign(to - from) * step, y])

/** Neighbors by template (T.88, figures 3 to 6), the lowest bit of the context first; a number is an adaptive one. */
const neighbors: Record<Template, readonly (Point | number)[]> = {
  0: [...row(0, -1, -4), 0, ...row(-1, 2, -2), 1, 2, ...row(-2, 1, -1), 3],
  1: [...row(0, -1, -3), 0, ...row(-1, 2, -2), ...row(-2, 2, -1)],
  2: [...row(0, -1, -2), 0, ...row(-1, 1, -2), ...row(-2, 1, -1)],
  3: [...row(0, -1, -4), 0, ...row(-1, 1, -3)],
}
const usualAdaptive: Record<Template, readonly Point[]> = {
  0: [
    [3, -1],
    [-3, -1],
    [2, -2],
    [-2, -2],
  ],
  1: [[3, -1]],
  2: [[2, -1]],
  3: [[2, -1]],
}
const typicalContext: Record<Template, number> = { 0: 0x9b25, 1: 0x0795, 2: 0x00e5, 3: 0x0195 }

export interface GenericOptions {
  template?: Template
  adaptive?: readonly Point[]
  typical?: boolean
  /** Pixels that are not coded. */
  skip?: Bitmap
}

/** Flags and places of the adaptive pixels of a generic region. */
export function genericHead({ template = 0, adaptive = usualAdaptive[template], typical = false }: GenericOptions) {
  return Buffer.from([(template << 1) | (typical ? 8 : 0), ...adaptive.flat().map((place) => place & 255)])
}

/** Codes a bitmap by the generic region procedure (T.88, 6.2). */
export function codeGeneric(coder: ArithmeticCoder, bitmap: Bitmap, options: GenericOptions): void {
  const { template = 0, adaptive = usualAdaptive[template], typical = false, skip } = options
  const places = neighbors[template].map((place) => (typeof place === 'number' ? adaptive[place]! : place))
  let wasSame = 0
  for (let y = 0; y < bitmap.height; y++) {
    if (typical) {
      const same = row(0, 0, bitmap.width - 1).every(([x]) => isBlack(bitmap, x, y) === isBlack(bitmap, x, y - 1))
        ? 1
        : 0
      coder.bit('generic', typicalContext[template], same ^ wasSame)
      wasSame = same
      if (same) continue
    }
    for (let x = 0; x < bitmap.width; x++) {
      if (skip && isBlack(skip, x, y)) continue
      const context = places.reduce((sum, [dx, dy], bit) => sum | (isBlack(bitmap, x + dx, y + dy) << bit), 0)
      coder.bit('generic', context, isBlack(bitmap, x, y))
    }
  }
}

/** A generic region's data, with its head. */
export function genericData(bitmap: Bitmap, options: GenericOptions | 'MMR'): Buffer {
  if (options === 'MMR') return Buffer.concat([Buffer.from([1]), encodeT6(bitmap)])
  const coder = new ArithmeticCoder()
  codeGeneric(coder, bitmap, options)
  return Buffer.concat([genericHead(options), coder.finish()])
}

/** Neighbors in the bitmap and in the one it refines (T.88, figures 12 and 13), the lowest bit first. */
const refining = {
  0: {
    own: [[-1, 0], [1, -1], [0, -1], 0],
    other: [[1, 1], [0, 1], [-1, 1], [1, 0], [0, 0], [-1, 0], [1, -1], [0, -1], 1],
  },
  1: {
    own: [
      [-1, 0],
      [1, -1],
      [0, -1],
      [-1, -1],
    ],
    other: [
      [1, 1],
      [0, 1],
      [1, 0],
      [0, 0],
      [-1, 0],
      [0, -1],
    ],
  },
} as const

export interface RefineOptions {
  template?: 0 | 1
  adaptive?: readonly [Point, Point]
  typical?: boolean
  /** Where the other bitmap's corner lies. */
  offset?: Point
}

export function refineHead({
  template = 0,
  adaptive = [
    [-1, -1],
    [-1, -1],
  ],
  typical = false,
}: RefineOptions): Buffer {
  const places = template === 0 ? adaptive.flat() : []
  return Buffer.from([template | (typical ? 2 : 0), ...places.map((place) => place & 255)])
}

/** Codes a bitmap by what differs from another (T.88, 6.3). */
export function codeRefinement(coder: ArithmeticCoder, bitmap: Bitmap, other: Bitmap, options: RefineOptions): void {
  const {
    template = 0,
    adaptive = [
      [-1, -1],
      [-1, -1],
    ],
    typical = false,
    offset = [0, 0],
  } = options
  const find = (place: Point | 0 | 1): Point => (typeof place === 'number' ? adaptive[place] : place)
  const own = refining[template].own.map(find)
  const theirs = refining[template].other.map(find)
  const below = (x: number, y: number) => isBlack(other, x - offset[0], y - offset[1])
  const around = (x: number, y: number) =>
    row(0, -1, 1).flatMap(([dx]) => row(0, -1, 1).map(([dy]) => below(x + dx, y + dy)))
  const isFlat = (x: number, y: number) => new Set(around(x, y)).size === 1
  let wasTypical = 0
  for (let y = 0; y < bitmap.height; y++) {
    const columns = row(0, 0, bitmap.width - 1)
    const lineTypical = columns.every(([x]) => !isFlat(x, y) || isBlack(bitmap, x, y) === below(x, y)) ? 1 : 0
    if (typical) coder.bit('refinement', template === 0 ? 0x100 : 0x80, lineTypical ^ wasTypical)
    wasTypical = lineTypical
    for (const [x] of columns) {
      if (typical && lineTypical && isFlat(x, y)) continue
      const bits = [
        ...own.map(([dx, dy]) => isBlack(bitmap, x + dx, y + dy)),
        ...theirs.map(([dx, dy]) => below(x + dx, y + dy)),
      ]
      coder.bit(
        'refinement',
        bits.reduce((sum, bit, place) => sum | (bit << place), 0),
        isBlack(bitmap, x, y),
      )
    }
  }
}
