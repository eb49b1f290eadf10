import type { Drawing, Offset, Shape } from '../flow.ts'
import { numberedOutlines, type Outline } from '../outlines.ts'
import { type DrawingContext, type Frame, lineBetween, pictureOf } from './docx-drawings.ts'
import type { HtmlElement } from './html-nodes.ts'
import { childOf, elementsIn, findAll, numberOf, pointsPerUnit } from './xml.ts'

/** Shapes by their element (ECMA-376-4, 19.1). */
const outlines: Readonly<Record<string, Outline>> = {
  ...{ 'v:rect': 'rectangle', 'v:roundrect': 'rounded', 'v:oval': 'ellipse', 'v:line': 'line' },
}

function styleOf({ attribs }: HtmlElement): (name: string) => string | undefined {
  const pairs = (attribs.style ?? '').split(';').map((each) => each.split(':').map((part) => part.trim()))
  const values = new Map(pairs.map(([name = '', value = '']) => [name, value]))
  return (name) => values.get(name)
}

/** A length of a style: in points, or in the units of the group. */
function lengthOf(text: string | undefined, share: number): number {
  const unit = /[a-z]{2}$/.exec(text ?? '')?.[0]
  return (numberOf(text) ?? 0) * (unit === undefined ? share : (pointsPerUnit[unit] ?? 1))
}

const pair = (text: string | undefined): [number, number] => {
  const [x, y] = (text ?? '').split(',').map((each) => numberOf(each) ?? 0)
  return [x ?? 0, y ?? 0]
}

/** What a `v:line` says of itself. */
function lineBox({ attribs }: HtmlElement, frame: Frame) {
  const point = (text: string | undefined): [number, number] => {
    const [x = '', y = ''] = (text ?? '').split(',')
    return [lengthOf(x, frame.across), lengthOf(y, frame.down)]
  }
  const box = lineBetween(point(attribs.from), point(attribs.to))
  return { ...box, x: box.x - frame.x, y: box.y - frame.y }
}

function shapesOf(element: HtmlElement, frame: Frame, context: DrawingContext): Shape[] {
  if (!/^v:(shape|rect|roundrect|oval|line|group|polyline|image)$/.test(element.name)) return []
  const style = styleOf(element)
  if (style('visibility') === 'hidden') return []
  const isInner = frame.across !== 1 || frame.x !== 0 || frame.y !== 0
  const [left, top] = isInner ? [style('left'), style('top')] : [undefined, undefined]
  const box =
    element.name === 'v:line'
      ? lineBox(element, frame)
      : {
          ...{
            x: lengthOf(left, frame.across) - frame.x * (left === undefined ? 0 : 1),
            y: lengthOf(top, frame.down) - frame.y * (top === undefined ? 0 : 1),
          },
          ...{ width: lengthOf(style('width'), frame.across), height: lengthOf(style('height'), frame.down) },
          ...{ isFlippedAcross: /x/.test(style('flip') ?? ''), isFlippedDown: /y/.test(style('flip') ?? '') },
        }
  if (element.name === 'v:group') {
    const [[x, y], [width, height]] = [
      pair(element.attribs.coordorigin),
      pair(element.attribs.coordsize ?? '1000,1000'),
    ]
    const [across, down] = [box.width / (width || 1), box.height / (height || 1)]
    const inner = { x: x * across - box.x, y: y * down - box.y, across, down }
    return elementsIn(element).flatMap((each) => shapesOf(each, inner, context))
  }
  return [readShape(element, box, context)]
}

function readShape(element: HtmlElement, box: Omit<Shape, 'outline'>, context: DrawingContext): Shape {
  const { attribs, name } = element
  const content = findAll(element.children, 'w:txbxContent')[0]
  const art = childOf(element, 'v:textpath')?.attribs.string
  const text = content ? context.read(content) : []
  const image = childOf(element, 'v:imagedata')
  const picture = image && pictureOf(context.media(image.attribs['r:id'] ?? image.attribs['r:embed']), context)
  const type = /_t(\d+)$/.exec(attribs.type ?? '')?.[1] ?? ''
  const isOff = (flag: string | undefined) => /^(f|false|0)$/.test(flag ?? '')
  const stroke = childOf(element, 'v:stroke')?.attribs
  const isLined = !isOff(attribs.stroked) && !isOff(stroke?.on) && !image && art === undefined
  const outline = outlines[name] ?? numberedOutlines[type] ?? (text.length > 0 ? 'rectangle' : undefined)
  if (!outline && !picture && art === undefined && !image) context.leaveOut('drawing')
  const isArrow = (end: string | undefined) => end !== undefined && end !== 'none'
  return {
    ...box,
    ...(isLined && outline ? { outline } : {}),
    isFilled: !isOff(attribs.filled),
    arrows: { start: isArrow(stroke?.startarrow), end: isArrow(stroke?.endarrow) },
    text: art === undefined ? text : [{ kind: 'paragraph', pieces: [{ text: art }], style: 'body', indent: 0 }],
    ...(picture ? { picture } : {}),
  }
}

function offsetOf(
  style: (name: string) => string | undefined,
  axis: 'horizontal' | 'vertical',
  margin: string,
): Offset {
  const relative = style(`mso-position-${axis}-relative`)
  const from = relative === 'page' || relative === 'margin' ? relative : 'text'
  const align = style(`mso-position-${axis}`)
  if (align === 'center' || align === 'right' || align === 'bottom' || align === 'left' || align === 'top') {
    return {
      from: from === 'text' ? 'margin' : from,
      at: align === 'center' ? 'center' : /right|bottom/.test(align) ? 'end' : 'start',
    }
  }
  return { from, at: lengthOf(style(margin), 1) }
}

/** A `w:pict` or `w:object` (ECMA-376-4, 19) as shapes; undefined when there is nothing to draw. */
export function readPict(pict: HtmlElement, context: DrawingContext): Drawing | undefined {
  const [top] = elementsIn(pict).filter(({ name }) => name.startsWith('v:') && name !== 'v:shapetype')
  if (!top) return undefined
  const shapes = elementsIn(pict).flatMap((each) => shapesOf(each, { x: 0, y: 0, across: 1, down: 1 }, context))
  if (shapes.length === 0) return undefined
  const style = styleOf(top)
  const isLine = top.name === 'v:line'
  const [width, height] = [0, 1].map((axis) =>
    Math.max(...shapes.map((shape) => (axis === 0 ? shape.x + shape.width : shape.y + shape.height))),
  ) as [number, number]
  if (style('position') !== 'absolute' && !isLine) return { kind: 'drawing', width, height, shapes }
  const place = { x: offsetOf(style, 'horizontal', 'margin-left'), y: offsetOf(style, 'vertical', 'margin-top') }
  const wraps = elementsIn(top).some(({ name, attribs }) => name === 'w10:wrap' && attribs.type !== 'none')
  return { kind: 'drawing', width, height, shapes, place, wraps }
}
