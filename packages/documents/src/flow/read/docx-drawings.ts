import { isPicture } from '../../kinds/kind.ts'
import type { Block, Drawing, Offset, Picture, Shape, Undrawn } from '../flow.ts'
import type { Size } from '../../raster/paper.ts'
import type { Outline, Point } from '../outlines.ts'
import type { HtmlElement } from './html-nodes.ts'
import { childOf, elementsIn, findAll, numberOf, textWithin } from './xml.ts'

/** What drawings are read with. */
export interface DrawingContext {
  media: (id: string | undefined) => Uint8Array | undefined
  /** What is written in a shape. */
  read: (content: HtmlElement) => Block[]
  leaveOut: (what: Undrawn) => void
}

/** Where the coordinates of shapes in a group begin, and how large theirs are in points. */
export interface Frame {
  x: number
  y: number
  across: number
  down: number
}

const pointsPerUnit = 1 / 12_700

/** Preset shapes (ECMA-376-1, 20.1.10.56) by the outline that they are drawn with. */
const outlines: readonly (readonly [RegExp, Outline])[] = [
  [
    /^(rect|flowChartProcess|flowChartPredefinedProcess|flowChartInternalStorage|plaque|foldedCorner|frame|cube|snip\w+)$/,
    'rectangle',
  ],
  [
    /^(roundRect|round\dRect|round2\w+Rect|flowChartAlternateProcess|flowChartTerminator|can|wedgeRoundRectCallout|wedgeRectCallout|flowChartDocument|flowChartMultidocument|flowChartPunchedTape|bevel)$/,
    'rounded',
  ],
  [
    /^(ellipse|flowChartConnector|cloud\w*|wedgeEllipseCallout|flowChartSummingJunction|flowChartOr|donut|sun|smileyFace|octagon|decagon|dodecagon)$/,
    'ellipse',
  ],
  [/^(diamond|flowChartDecision|flowChartSort)$/, 'diamond'],
  [/^(triangle|rtTriangle|flowChartExtract)$/, 'triangle'],
  [/^(parallelogram|flowChartInputOutput)$/, 'parallelogram'],
  [/^(trapezoid|flowChartManualOperation)$/, 'trapezoid'],
  [/^(hexagon|flowChartPreparation)$/, 'hexagon'],
  [/^(homePlate|flowChartOffpageConnector)$/, 'pentagon'],
  [/^chevron$/, 'chevron'],
  [/^(right|notchedRight|stripedRight|curvedRight)Arrow(Callout)?$/, 'right arrow'],
  [/^(left|curvedLeft)Arrow(Callout)?$/, 'left arrow'],
  [/^(down|curvedDown)Arrow(Callout)?$/, 'down arrow'],
  [/^(up|curvedUp|bentUp)Arrow(Callout)?$/, 'up arrow'],
  [/^(leftRight|upDown|quad)Arrow(Callout)?$/, 'left and right arrow'],
  [/^(line|straightConnector1|curvedConnector\d)$/, 'line'],
  [/^bentConnector\d$/, 'elbow line'],
]

const units = (text: string | undefined) => (numberOf(text) ?? 0) * pointsPerUnit

/** The points of a shape that a file draws itself; curves are straightened (ECMA-376-1, 20.1.9.15). */
function ownOutline(geometry: HtmlElement): Outline | undefined {
  const [path] = findAll([geometry], 'a:path')
  const [width, height] = [numberOf(path?.attribs.w) || 1, numberOf(path?.attribs.h) || 1]
  const steps = elementsIn(path)
  const points = steps.flatMap((step): Point[] => {
    const last = findAll(step.children, 'a:pt').at(-1)?.attribs
    return last ? [[(numberOf(last.x) ?? 0) / width, (numberOf(last.y) ?? 0) / height]] : []
  })
  return points.length > 1
    ? { points: points.slice(0, 2000), isOpen: !steps.some(({ name }) => name === 'a:close') }
    : undefined
}

function outlineOf(properties: HtmlElement | undefined): Outline | undefined {
  const own = childOf(properties, 'a:custGeom')
  if (own) return ownOutline(own)
  return presetOutline(childOf(properties, 'a:prstGeom')?.attribs.prst ?? 'rect')
}

/** The outline that a preset shape is drawn with. */
export const presetOutline = (preset: string): Outline | undefined => outlines.find(([name]) => name.test(preset))?.[1]

/** The box around a line, and how the line runs in it. */
export const lineBetween = ([x1, y1]: Point, [x2, y2]: Point) => ({
  ...{ x: Math.min(x1, x2), y: Math.min(y1, y2), width: Math.abs(x2 - x1), height: Math.abs(y2 - y1) },
  ...{ isFlippedAcross: x2 < x1, isFlippedDown: y2 < y1 },
})

interface Placed {
  x: number
  y: number
  width: number
  height: number
}

function placeIn(xfrm: HtmlElement | undefined, frame: Frame): Placed | undefined {
  const [off, ext] = [childOf(xfrm, 'a:off')?.attribs, childOf(xfrm, 'a:ext')?.attribs]
  if (!off || !ext) return undefined
  const [width, height] = [units(ext.cx) * frame.across, units(ext.cy) * frame.down]
  const [x, y] = [(units(off.x) - frame.x) * frame.across, (units(off.y) - frame.y) * frame.down]
  const turned = Math.abs(((numberOf(xfrm?.attribs.rot) ?? 0) / 60_000) % 180)
  if (turned < 45 || turned > 135) return { x, y, width, height }
  return { x: x + (width - height) / 2, y: y + (height - width) / 2, width: height, height: width }
}

function hasLine(shape: HtmlElement, properties: HtmlElement | undefined): boolean {
  const line = childOf(properties, 'a:ln')
  // Lines in white are there to hide others.
  const color = findAll(elementsIn(childOf(line, 'a:solidFill')), 'a:srgbClr', 'a:schemeClr')[0]?.attribs.val ?? ''
  if (line && (childOf(line, 'a:noFill') || /^(ffffff|bg1)$/i.test(color))) return false
  const [reference] = findAll([childOf(shape, 'wps:style') ?? shape], 'a:lnRef')
  return (
    (line !== undefined && elementsIn(line).length > 0) || (reference !== undefined && reference.attribs.idx !== '0')
  )
}

function readShape(shape: HtmlElement, placed: Placed, context: DrawingContext): Shape[] {
  const properties = childOf(shape, 'wps:spPr')
  const content = findAll(shape.children, 'w:txbxContent')[0]
  const text = content ? context.read(content) : []
  const outline = outlineOf(properties)
  if (!outline && text.length === 0) context.leaveOut('drawing')
  const line = childOf(properties, 'a:ln')
  const isArrow = (end: string) => (childOf(line, end)?.attribs.type ?? 'none') !== 'none'
  const { flipH, flipV } = childOf(properties, 'a:xfrm')?.attribs ?? {}
  const isOn = (flag: string | undefined) => flag === '1' || flag === 'true'
  const anchor = childOf(shape, 'wps:bodyPr')?.attribs.anchor
  return [
    {
      ...placed,
      ...(hasLine(shape, properties) ? { outline: outline ?? 'rectangle' } : {}),
      isFilled: childOf(properties, 'a:noFill') === undefined,
      isFlippedAcross: isOn(flipH),
      isFlippedDown: isOn(flipV),
      arrows: { start: isArrow('a:headEnd'), end: isArrow('a:tailEnd') },
      text,
      ...(anchor === 'ctr' ? { textAt: 'middle' } : anchor === 'b' ? { textAt: 'bottom' } : {}),
    },
  ]
}

/** A picture that can be drawn; others are named. */
export function pictureOf(
  bytes: Uint8Array | undefined,
  { leaveOut }: Pick<DrawingContext, 'leaveOut'>,
): Uint8Array | undefined {
  if (bytes && isPicture(bytes)) return bytes
  leaveOut('picture')
  return undefined
}

function shapesOf(element: HtmlElement, frame: Frame, whole: Placed, context: DrawingContext): Shape[] {
  const { name } = element
  const properties = elementsIn(element).find((each) => /:(spPr|grpSpPr)$/.test(each.name))
  const xfrm = childOf(properties, 'a:xfrm')
  const placed = placeIn(xfrm, frame) ?? whole
  if (name === 'wps:wsp') return readShape(element, placed, context)
  if (name === 'pic:pic') {
    const picture = pictureOf(context.media(findAll([element], 'a:blip')[0]?.attribs['r:embed']), context)
    return picture ? [{ ...placed, picture }] : []
  }
  if (/^(wpg:wgp|wpg:grpSp|wpc:wpc|wpg:graphicFrame)$/.test(name)) {
    const [off, ext] = [childOf(xfrm, 'a:chOff')?.attribs, childOf(xfrm, 'a:chExt')?.attribs]
    const [width, height] = [units(ext?.cx) || placed.width, units(ext?.cy) || placed.height]
    const [across, down] = [placed.width / (width || 1), placed.height / (height || 1)]
    const inner = { x: units(off?.x) - placed.x / across, y: units(off?.y) - placed.y / down, across, down }
    return elementsIn(element).flatMap((each) => shapesOf(each, inner, whole, context))
  }
  if (/^(c|cx):chart$/.test(name)) context.leaveOut('chart')
  else if (name === 'dgm:relIds') context.leaveOut('diagram')
  else if (name === 'w14:contentPart' || name === 'wpg:contentPart' || name === 'lc:lockedCanvas')
    context.leaveOut('drawing')
  return []
}

const bases: Readonly<Record<string, Offset['from']>> = {
  ...{ page: 'page', leftMargin: 'page', topMargin: 'page', insideMargin: 'page' },
  ...{ margin: 'margin', column: 'text', character: 'text', paragraph: 'text', line: 'text' },
}

function offsetOf(position: HtmlElement | undefined): Offset {
  const from = bases[position?.attribs.relativeFrom ?? ''] ?? 'margin'
  const align = childOf(position, 'wp:align')
  const named =
    align && ({ center: 'center', right: 'end', bottom: 'end', outside: 'end' } as const)[textWithin(align).trim()]
  if (align) return { from, at: named ?? 'start' }
  const offset = childOf(position, 'wp:posOffset')
  return { from, at: offset ? units(textWithin(offset)) : 0 }
}

/** Whatever a drawing is, what is written in it is not lost. */
function textAlone(holder: HtmlElement, size: Size, { read }: DrawingContext): Shape | undefined {
  const text = findAll([holder], 'w:txbxContent').flatMap(read)
  return text.length > 0 ? { x: 0, y: 0, ...size, text } : undefined
}

/** A `w:drawing` (ECMA-376-1, 20.4) as a picture or shapes; undefined when there is nothing to draw. */
export function readDrawing(drawing: HtmlElement, context: DrawingContext): Picture | Drawing | undefined {
  const holder = elementsIn(drawing).find(({ name }) => name === 'wp:inline' || name === 'wp:anchor')
  if (!holder || /^(1|true)$/.test(childOf(holder, 'wp:docPr')?.attribs.hidden ?? '')) return undefined
  const extent = childOf(holder, 'wp:extent')?.attribs ?? {}
  const size = { width: units(extent.cx), height: units(extent.cy) }
  const [data] = findAll(holder.children, 'a:graphicData')
  const frame = { x: 0, y: 0, across: 1, down: 1 }
  const content = elementsIn(data)
  const shapes = content.flatMap((each) => {
    const found = shapesOf(each, frame, { x: 0, y: 0, ...size }, context)
    // One alone is as large as the drawing.
    return content.length === 1 && /^(wps:wsp|pic:pic)$/.test(each.name)
      ? found.map((shape) => ({ ...shape, x: 0, y: 0, ...(size.width > 0 || size.height > 0 ? size : {}) }))
      : found
  })
  const [only = textAlone(holder, size, context)] = shapes
  if (!only) return undefined
  const isInline = holder.name === 'wp:inline'
  const description = childOf(holder, 'wp:docPr')?.attribs.descr ?? ''
  if (isInline && only.picture && shapes.length === 1)
    return { kind: 'picture', bytes: only.picture, description, size }
  if (isInline) return { kind: 'drawing', ...size, shapes: shapes.length > 0 ? shapes : [only] }
  const place = { x: offsetOf(childOf(holder, 'wp:positionH')), y: offsetOf(childOf(holder, 'wp:positionV')) }
  const wraps = elementsIn(holder).some(({ name }) => /^wp:wrap(Square|Tight|Through|TopAndBottom)$/.test(name))
  return { kind: 'drawing', ...size, shapes: shapes.length > 0 ? shapes : [only], place, wraps }
}
