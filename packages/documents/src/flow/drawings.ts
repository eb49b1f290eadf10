import { decimal } from '../pdf-file/write.ts'
import type { Block, Drawing, Offset, Shape } from './flow.ts'
import { cornersOf, isOpen, type Point } from './outlines.ts'
import { loadPicture } from './pictures.ts'
import { drawStrips, heightOf, type Press, type Spot, type Strip } from './strip.ts'

/** Around the text of a shape, in points (ECMA-376-1, 20.1.10.16: a tenth of an inch beside it, half of that above). */
const padding = { across: 7.2, down: 3.6 }
const typeScales = [1, 0.92, 0.84, 0.76, 0.68]
const lineWidth = 0.75
const arrowLength = 7
/** Of the control points of a quarter of a circle, in shares of its radius. */
const roundness = 0.5523

interface Box {
  x: number
  top: number
  width: number
  height: number
}

function along(
  { from, at }: Offset,
  length: number,
  size: number,
  bases: Record<Offset['from'], readonly [number, number]>,
) {
  const [start, extent] = bases[from]
  const share = typeof at === 'number' ? 0 : { start: 0, center: 0.5, end: 1 }[at]
  const found = start + (typeof at === 'number' ? at : share * (extent - length))
  return Math.max(0, Math.min(found, Math.max(0, size - length)))
}

/** Where a drawing stands on its page: inside of it, whatever its document says. */
export function boxOf(
  { place, width, height }: Drawing,
  { x, top, page }: Pick<Spot, 'x' | 'top' | 'page'>,
  across: number,
): Box {
  if (!place) return { x, top, width, height }
  const { left, right, top: above, bottom } = page
  const down = page.height - top
  const vertical = { page: [0, page.height], margin: [above, page.height - above - bottom], text: [down, 0] } as const
  const horizontal = { page: [0, page.width], margin: [left, page.width - left - right], text: [x, across] } as const
  return {
    x: along(place.x, width, page.width, horizontal),
    top: page.height - along(place.y, height, page.height, vertical),
    width,
    height,
  }
}

interface SetShape {
  shape: Shape
  text: readonly Strip[]
  /** Of the kept one. */
  picture: number | undefined
}

/** Paragraphs in smaller type. */
const smaller = (blocks: readonly Block[], by: number): Block[] =>
  blocks.map((block) => {
    if (block.kind !== 'paragraph' || by === 1) return block
    const { size = 11, above = 0, below = 0, ...format } = block.format ?? {}
    return { ...block, format: { ...format, size: size * by, above: above * by, below: below * by } }
  })

/** The text of a shape, in smaller type where it would not fit. */
async function setText({ width, height, text: given = [] }: Shape, press: Press): Promise<readonly Strip[]> {
  const text = given.slice(0, given.findLastIndex((block) => block.kind !== 'paragraph' || block.pieces.length > 0) + 1)
  const across = Math.max(24, width - 2 * padding.across)
  // A shape in a shape is set once.
  const scales = text.some(({ kind }) => kind === 'drawing' || kind === 'table') ? typeScales.slice(0, 1) : typeScales
  for (const by of scales) {
    const made = await press.strips(smaller(text, by), across)
    const strips = made.slice(made.findIndex(({ isSpace }) => !isSpace))
    if (by === scales.at(-1) || height < 8 || heightOf(strips) <= height - padding.down) return strips
  }
  return []
}

async function setShape(shape: Shape, press: Press): Promise<SetShape> {
  const { width, picture } = shape
  const found = picture && (await loadPicture({ bytes: picture, size: shape }, press, Math.max(1, width)))
  return { shape, text: await setText(shape, press), picture: found && press.typesetter.keep(found.drawn) }
}

/** A drawing as a strip: of no height where it has a place of its own. */
export async function drawingStrip(drawing: Drawing, width: number, press: Press): Promise<Strip> {
  const scale = drawing.place
    ? 1
    : Math.min(1, width / Math.max(1, drawing.width), press.room / Math.max(1, drawing.height))
  const shapes: SetShape[] = []
  for (const shape of drawing.shapes) shapes.push(await setShape(scaled(shape, scale), press))
  const draw = (spot: Spot) => {
    const box = boxOf(drawing, spot, width)
    for (const set of shapes) drawShape(set, box, spot, press)
  }
  return { height: drawing.place ? 0 : drawing.height * scale, draw }
}

const scaled = (shape: Shape, by: number): Shape => {
  return { ...shape, x: shape.x * by, y: shape.y * by, width: shape.width * by, height: shape.height * by }
}

function drawShape({ shape, text, picture }: SetShape, box: Box, spot: Spot, { typesetter }: Press): void {
  const [x, top] = [box.x + shape.x, box.top - shape.y]
  const needed = heightOf(text) + (text.length > 0 ? 2 * padding.down : 0)
  // A box grows with its text.
  const isBox = shape.outline === undefined || shape.outline === 'rectangle' || shape.outline === 'rounded'
  const height = isBox ? Math.max(shape.height, needed) : shape.height
  if (picture !== undefined) typesetter.picture(picture, x, top - height, shape.width, height)
  const path = pathOf(shape, { x, top, width: shape.width, height })
  if (path) typesetter.draw(`q ${lineWidth} w 1 g ${path} Q`)
  const free = height - heightOf(text)
  const inset = { top: padding.down, middle: free / 2, bottom: free - padding.down }[shape.textAt ?? 'top']
  const across = Math.min(padding.across, Math.max(0, (shape.width - 24) / 2))
  drawStrips(text, { ...spot, x: x + across, top: top - Math.max(0, inset) })
}

/** The outline of a shape as operators that draw it. */
function pathOf({ outline, isFlippedAcross, isFlippedDown, isFilled, arrows }: Shape, box: Box): string | undefined {
  if (outline === undefined) return undefined
  const at = ([across, down]: Point): Point => [
    box.x + box.width * (isFlippedAcross ? 1 - across : across),
    box.top - box.height * (isFlippedDown ? 1 - down : down),
  ]
  const paint = isOpen(outline) ? 'S' : isFilled ? 'b' : 's'
  const corners = cornersOf(outline)?.map(at)
  if (!corners) return `${curved(box, outline === 'ellipse')} ${paint}`
  const lines = corners.map((point, n) => `${pointOf(point)} ${n === 0 ? 'm' : 'l'}`)
  const heads = [
    ...(arrows?.start ? [arrowHead(corners[1]!, corners[0]!)] : []),
    ...(arrows?.end ? [arrowHead(corners.at(-2)!, corners.at(-1)!)] : []),
  ]
  return [...lines, paint, ...(isOpen(outline) ? heads : [])].join(' ')
}

const pointOf = ([x, y]: Point) => `${decimal(x)} ${decimal(y)}`

function arrowHead([fromX, fromY]: Point, [x, y]: Point): string {
  const length = Math.hypot(x - fromX, y - fromY) || 1
  const [dx, dy] = [((x - fromX) / length) * arrowLength, ((y - fromY) / length) * arrowLength]
  const [left, right]: Point[] = [
    [x - dx - dy * 0.4, y - dy + dx * 0.4],
    [x - dx + dy * 0.4, y - dy - dx * 0.4],
  ]
  return `0 g ${pointOf([x, y])} m ${pointOf(left!)} l ${pointOf(right!)} l f`
}

/** An ellipse, or a box with round corners. */
function curved({ x, top, width, height }: Box, isEllipse: boolean): string {
  const [rx, ry] = isEllipse ? [width / 2, height / 2] : Array.from({ length: 2 }, () => Math.min(width, height) / 6)
  const [right, bottom] = [x + width, top - height]
  const [cx, cy] = [rx! * (1 - roundness), ry! * (1 - roundness)]
  const curve = (...points: Point[]) => `${points.map(pointOf).join(' ')} c`
  return [
    `${pointOf([x + rx!, top])} m ${pointOf([right - rx!, top])} l`,
    curve([right - cx, top], [right, top - cy], [right, top - ry!]),
    `${pointOf([right, bottom + ry!])} l`,
    curve([right, bottom + cy], [right - cx, bottom], [right - rx!, bottom]),
    `${pointOf([x + rx!, bottom])} l`,
    curve([x + cx, bottom], [x, bottom + cy], [x, bottom + ry!]),
    `${pointOf([x, top - ry!])} l`,
    curve([x, top - cy], [x + cx, top], [x + rx!, top]),
  ].join(' ')
}
