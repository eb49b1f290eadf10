import type { Bitmap } from '../raster/bitmap.ts'
import { encodeT6 } from '../t4-t6/t6-encode.ts'
import { ArithmeticCoder } from './arithmetic-coder.ts'
import {
  codeGeneric,
  codeRefinement,
  drawBitmap,
  genericData,
  genericHead,
  type GenericOptions,
  isBlack,
  type Point,
  refineHead,
  type RefineOptions,
} from './jbig2-regions.ts'

/** A JBIG2 image as a PDF holds it, and the pixels that it must give. */
export interface Jbig2Sample {
  name: string
  data: Buffer
  bitmap: Bitmap
}

const types = {
  symbols: 0,
  text: 6,
  patterns: 16,
  halftone: 22,
  half: 36,
  generic: 38,
  refinement: 42,
  page: 48,
  endOfStripe: 50,
}
const operators = { or: 0, and: 1, xor: 2, xnor: 3, replace: 4 }

const numbers = (...values: (readonly [value: number, bytes: number])[]) =>
  Buffer.concat(
    values.map(([value, bytes]) => {
      const buffer = Buffer.alloc(bytes)
      buffer.writeUIntBE(value >>> 0, 0, bytes)
      return buffer
    }),
  )

/** A segment with its head (T.88, 7.2); those it refers to have small numbers. */
function segment(number: number, type: number, data: Buffer, refers: readonly number[] = []): Buffer {
  const head = numbers([number, 4], [type, 1], [refers.length << 5, 1], ...refers.map((to) => [to, 1] as const), [1, 1])
  return Buffer.concat([head, numbers([data.length, 4]), data])
}

interface Area {
  x?: number
  y?: number
  operator?: keyof typeof operators
}

const region = ({ width, height }: Bitmap, { x = 0, y = 0, operator = 'or' }: Area, ...rest: Buffer[]) =>
  Buffer.concat([numbers([width, 4], [height, 4], [x, 4], [y, 4], [operators[operator], 1]), ...rest])

/** Flags: the page ends up as the segments make it, black where `ground` is 1; other operators than "or" may come. */
const page = ({ width, height }: Bitmap, ground = 0, striping = 0) =>
  segment(0, types.page, numbers([width, 4], [height, 4], [0, 4], [0, 4], [(ground << 2) | 0x40, 1], [striping, 2]))

const part = (bitmap: Bitmap, x: number, y: number, width: number, height: number) =>
  drawBitmap(width, height, (across, down) => isBlack(bitmap, x + across, y + down))

function generic(name: string, bitmap: Bitmap, options: GenericOptions | 'MMR'): Jbig2Sample {
  return {
    name,
    bitmap,
    data: Buffer.concat([page(bitmap), segment(1, types.generic, region(bitmap, {}, genericData(bitmap, options)))]),
  }
}

/** The bitmap refined from a copy with errors; of a region, or of the page itself. */
function refined(
  name: string,
  bitmap: Bitmap,
  options: RefineOptions,
  from: 'region' | 'page' = 'region',
): Jbig2Sample {
  const rough = drawBitmap(
    bitmap.width,
    bitmap.height,
    (x, y) => isBlack(bitmap, x, y) ^ (x % 7 === 3 && y % 5 === 2 ? 1 : 0),
  )
  const coder = new ArithmeticCoder()
  codeRefinement(coder, bitmap, rough, options)
  const first = segment(1, from === 'page' ? types.generic : types.half, region(rough, {}, genericData(rough, {})))
  const data = region(bitmap, { operator: 'replace' }, refineHead(options), coder.finish())
  return {
    name,
    bitmap,
    data: Buffer.concat([page(bitmap), first, segment(2, types.refinement, data, from === 'page' ? [] : [1])]),
  }
}

/** Quarters laid on a page by an operator each, on what makes the result the bitmap. */
function composed(
  name: string,
  bitmap: Bitmap,
  ground: number,
  order: readonly (keyof typeof operators)[],
): Jbig2Sample {
  const half = bitmap.height / order.length
  const segments = order.map((operator, index) => {
    const wanted = part(bitmap, 0, index * half, bitmap.width, half)
    const laid = drawBitmap(bitmap.width, half, (x, y) => {
      const ink = isBlack(wanted, x, y)
      if (operator === 'xor') return ink ^ ground
      return operator === 'xnor' ? 1 ^ ink ^ ground : ink
    })
    return segment(index + 1, types.generic, region(laid, { y: index * half, operator }, genericData(laid, {})))
  })
  return { name, bitmap, data: Buffer.concat([page(bitmap, ground), ...segments]) }
}

function striped(name: string, bitmap: Bitmap): Jbig2Sample {
  const rows = bitmap.height / 4
  const unknown = { ...bitmap, height: 0xffffffff }
  const stripes = [0, 1, 2, 3].flatMap((index) => {
    const stripe = part(bitmap, 0, index * rows, bitmap.width, rows)
    return [
      segment(2 * index + 1, types.generic, region(stripe, { y: index * rows }, genericData(stripe, {}))),
      segment(2 * index + 2, types.endOfStripe, numbers([(index + 1) * rows - 1, 4])),
    ]
  })
  return { name, bitmap, data: Buffer.concat([page(unknown, 0, 0x8000 | rows), ...stripes]) }
}

const cell = 8

/** The bitmap cut into cells, each of them a symbol (T.88, 6.5), and put together again as text (6.4). */
function symbols(name: string, bitmap: Bitmap, refine = false): Jbig2Sample {
  const across = bitmap.width / cell
  const count = across * (bitmap.height / cell)
  const at = (index: number) => part(bitmap, (index % across) * cell, Math.floor(index / across) * cell, cell, cell)
  const dictionary = new ArithmeticCoder()
  dictionary.integer('IADH', cell)
  for (let index = 0; index < count; index++) {
    dictionary.integer('IADW', index === 0 ? cell : 0)
    codeGeneric(dictionary, at(index), {})
  }
  dictionary.integer('IADW', 'none')
  dictionary.integer('IAEX', 0)
  dictionary.integer('IAEX', count)
  const head = Buffer.concat([Buffer.from([0, 0]), genericHead({}).subarray(1), numbers([count, 4], [count, 4])])
  const text = Buffer.concat([textHead(count, refine), textOf(at, across, count, refine)])
  return {
    name,
    bitmap,
    data: Buffer.concat([
      page(bitmap),
      segment(1, types.symbols, Buffer.concat([head, dictionary.finish()])),
      segment(2, types.text, region(bitmap, {}, text), [1]),
    ]),
  }
}

/** Flags of a text region: places name the upper left corner of a symbol. */
const textHead = (count: number, refine: boolean) =>
  Buffer.concat([
    numbers([(refine ? 2 : 0) | (1 << 4), 2]),
    refine ? Buffer.alloc(4, 255) : Buffer.alloc(0),
    numbers([count, 4]),
  ])

function textOf(at: (index: number) => Bitmap, across: number, count: number, refine: boolean): Buffer {
  const text = new ArithmeticCoder()
  const bits = Math.ceil(Math.log2(count))
  text.integer('IADT', 0)
  for (let index = 0; index < count; index++) {
    const column = index % across
    if (column === 0) {
      if (index > 0) text.integer('IADS', 'none')
      text.integer('IADT', index === 0 ? 0 : cell)
      text.integer('IAFS', 0)
    } else text.integer('IADS', 1)
    text.symbol('IAID', index, bits)
    if (!refine) continue
    text.integer('IARI', index % 2)
    if (index % 2 === 0) continue
    for (const family of ['IARDW', 'IARDH', 'IARDX', 'IARDY']) text.integer(family, 0)
    codeRefinement(text, at(index), at(index), {})
  }
  text.integer('IADS', 'none')
  return text.finish()
}

const dots = { size: 4, planes: 4 }
const tone = (x: number, y: number) => (x + y) % 16
const isDot = (pattern: number, x: number, y: number) => (x * 5 + y * 3) % 16 < pattern

/** Cells of dots, more of them the darker (T.88, 6.6 and 6.7). */
function halftone(name: string, width: number, template: 0 | 1 | 2 | 3, mmr = false): Jbig2Sample {
  const { size, planes } = dots
  const across = width / size
  const bitmap = drawBitmap(width, width, (x, y) =>
    isDot(tone(Math.floor(x / size), Math.floor(y / size)), x % size, y % size),
  )
  const patterns = drawBitmap(2 ** planes * size, size, (x, y) => isDot(Math.floor(x / size), x % size, y))
  const coder = new ArithmeticCoder()
  const coded: Buffer[] = []
  for (let plane = planes - 1; plane >= 0; plane--) {
    const bits = drawBitmap(across, across, (x, y) => ((tone(x, y) >> plane) ^ (tone(x, y) >> (plane + 1))) & 1)
    if (mmr) coded.push(Buffer.from(encodeT6(bits)))
    else codeGeneric(coder, bits, { template, adaptive: halftoneAdaptive(template, [template <= 1 ? 3 : 2, -1]) })
  }
  const grid = numbers([across, 4], [across, 4], [0, 4], [0, 4], [size << 8, 2], [0, 2])
  const flags = Buffer.from([(template << 1) | (mmr ? 1 : 0)])
  const data = Buffer.concat([flags, grid, mmr ? Buffer.concat(coded) : coder.finish()])
  return {
    name,
    bitmap,
    data: Buffer.concat([
      page(bitmap),
      segment(1, types.patterns, Buffer.concat([flags, patternData(patterns, template, mmr)])),
      segment(2, types.halftone, region(bitmap, {}, data), [1]),
    ]),
  }
}

function patternData(patterns: Bitmap, template: 0 | 1 | 2 | 3, mmr: boolean): Buffer {
  const head = Buffer.concat([Buffer.from([dots.size, dots.size]), numbers([2 ** dots.planes - 1, 4])])
  if (mmr) return Buffer.concat([head, encodeT6(patterns)])
  const coder = new ArithmeticCoder()
  codeGeneric(coder, patterns, { template, adaptive: halftoneAdaptive(template, [-dots.size, 0]) })
  return Buffer.concat([head, coder.finish()])
}

const halftoneAdaptive = (template: number, first: Point): Point[] =>
  template === 0 ? [first, [-3, -1], [2, -2], [-2, -2]] : [first]

/** Images of every procedure of JBIG2 that is coded here, in each of its ways. */
export function jbig2Samples(): Jbig2Sample[] {
  const bitmap = drawBitmap(64, 56, (x, y) => (x - 30) ** 2 + (y - 28) ** 2 < 500 !== (x * y) % 11 < 3)
  const templates = [0, 1, 2, 3] as const
  const strange = {
    0: [
      [-3, -1],
      [4, -2],
      [-5, -3],
      [1, -4],
    ],
    1: [[-6, -2]],
    2: [[5, -3]],
    3: [[-7, -4]],
  } as const
  return [
    ...templates.flatMap((template) =>
      [false, true].flatMap((typical) => [
        generic(`generic ${template}${typical ? ' typical' : ''}`, bitmap, { template, typical }),
        generic(`generic ${template} adaptive${typical ? ' typical' : ''}`, bitmap, {
          template,
          typical,
          adaptive: strange[template],
        }),
      ]),
    ),
    generic('generic MMR', bitmap, 'MMR'),
    ...([0, 1] as const).flatMap((template) =>
      [false, true].flatMap((typical) => [
        refined(`refinement ${template}${typical ? ' typical' : ''}`, bitmap, { template, typical }),
        refined(
          `refinement of the page ${template}${typical ? ' typical' : ''}`,
          bitmap,
          { template, typical },
          'page',
        ),
      ]),
    ),
    refined('refinement adaptive', bitmap, {
      adaptive: [
        [-3, -2],
        [4, 3],
      ],
    }),
    refined('refinement adaptive typical', bitmap, {
      adaptive: [
        [-3, -2],
        [4, 3],
      ],
      typical: true,
    }),
    composed('or, xor, replace', bitmap, 0, ['or', 'xor', 'replace', 'xnor']),
    composed('and, xnor, replace', bitmap, 1, ['and', 'xnor', 'replace', 'xor']),
    striped('stripes', bitmap),
    symbols('symbols', bitmap),
    symbols('symbols refined', bitmap, true),
    ...templates.map((template) => halftone(`halftone ${template}`, 64, template)),
    halftone('halftone MMR', 64, 0, true),
  ]
}
