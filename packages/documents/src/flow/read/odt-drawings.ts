import type { Block, Drawing, Offset, Picture, Shape, Undrawn } from '../flow.ts'
import { lineBetween, pictureOf, presetOutline } from './docx-drawings.ts'
import type { HtmlElement } from './html-nodes.ts'
import { lengthOf, type OdtStyles } from './odt-styles.ts'
import { childOf, elementsIn, findAll, textWithin } from './xml.ts'

/** What drawings are read with. */
export interface OdtDrawingContext {
  styles: OdtStyles
  file: (name: string) => Uint8Array | undefined
  /** What an embedded object is. */
  objectAt: (name: string) => Undrawn
  read: (content: HtmlElement) => Block[]
  leaveOut: (what: Undrawn) => void
}

/** Names of LibreOffice for preset shapes, by those of Word. */
const presets: Readonly<Record<string, string>> = {
  ...{
    rectangle: 'rect',
    'round-rectangle': 'roundRect',
    'isosceles-triangle': 'triangle',
    'right-triangle': 'rtTriangle',
  },
  ...{ 'right-arrow': 'rightArrow', 'left-arrow': 'leftArrow', 'up-arrow': 'upArrow', 'down-arrow': 'downArrow' },
  ...{ 'left-right-arrow': 'leftRightArrow', 'pentagon-right': 'homePlate' },
}

const wordName = (type: string) =>
  presets[type] ??
  type
    .replace(/^ooxml-/, '')
    .replace(/^flowchart/, 'flowChart')
    .replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

const holds =
  /^draw:(frame|rect|custom-shape|line|connector|ellipse|circle|g|polyline|polygon|path|a|regular-polygon|caption|measure)$/
export const isDrawing = ({ name }: HtmlElement): boolean => holds.test(name)

function outlineOf({ name, attribs, children }: HtmlElement) {
  if (name === 'draw:rect') return attribs['draw:corner-radius'] ? ('rounded' as const) : ('rectangle' as const)
  if (name === 'draw:ellipse' || name === 'draw:circle') return 'ellipse' as const
  if (name === 'draw:line' || name === 'draw:measure') return 'line' as const
  if (name === 'draw:connector')
    return /^(line|curve)$/.test(attribs['draw:type'] ?? '') ? ('line' as const) : ('elbow line' as const)
  if (name === 'draw:polyline' || name === 'draw:polygon') {
    const [, , width = 1, height = 1] = (attribs['svg:viewBox'] ?? '').split(/\s+/).map(Number)
    const points = (attribs['draw:points'] ?? '').split(/\s+/).map((each) => each.split(',').map(Number))
    return {
      points: points.slice(0, 2000).map(([x = 0, y = 0]) => [x / (width || 1) || 0, y / (height || 1) || 0] as const),
      isOpen: name === 'draw:polyline',
    }
  }
  const [geometry] = findAll(children, 'draw:enhanced-geometry')
  return geometry && presetOutline(wordName(geometry.attribs['draw:type'] ?? ''))
}

function boxOf({ attribs, name }: HtmlElement) {
  const at = (which: string) => lengthOf(attribs[`svg:${which}`]) ?? 0
  if (!/line$|connector|measure/.test(name) || name === 'draw:polyline') {
    // A turned shape says where it is by a transformation.
    const [, x, y] = /translate\s*\(\s*(\S+?)[\s,]+(\S+?)\s*\)/.exec(attribs['draw:transform'] ?? '') ?? []
    return { x: lengthOf(x) ?? at('x'), y: lengthOf(y) ?? at('y'), width: at('width'), height: at('height') }
  }
  return lineBetween([at('x1'), at('y1')], [at('x2'), at('y2')])
}

/** The first picture of a frame that can be drawn: programs add others for those that cannot read the first. */
function pictureIn(frame: HtmlElement, context: OdtDrawingContext): Uint8Array | undefined {
  const images = elementsIn(frame).filter(({ name }) => name === 'draw:image')
  if (images.length === 0) return undefined
  const object = elementsIn(frame).find(({ name }) => name === 'draw:object' || name === 'draw:object-ole')
  const found = images
    .map((image) => {
      const data = childOf(image, 'office:binary-data')
      const bytes = data ? Buffer.from(textWithin(data), 'base64') : context.file(image.attribs['xlink:href'] ?? '')
      return pictureOf(bytes, { leaveOut: () => {} })
    })
    .find((each) => each !== undefined)
  if (!found) context.leaveOut(object ? context.objectAt(object.attribs['xlink:href'] ?? '') : 'picture')
  return found
}

function shapesOf(element: HtmlElement, context: OdtDrawingContext): Shape[] {
  const { name, attribs } = element
  if (name === 'draw:g' || name === 'draw:a')
    return elementsIn(element).flatMap((each) => (isDrawing(each) ? shapesOf(each, context) : []))
  const { properties } = context.styles.get('graphic', attribs['draw:style-name'])
  const box = boxOf(element)
  if (name === 'draw:frame') {
    const text = childOf(element, 'draw:text-box')
    if (text) {
      const isLined =
        /^(?!none|hidden)./.test(properties['fo:border'] ?? properties['fo:border-top'] ?? 'none') ||
        (properties['draw:stroke'] ?? 'none') !== 'none'
      const height = box.height || (lengthOf(text.attribs['fo:min-height']) ?? 0)
      return [
        { ...box, height, ...(isLined ? { outline: 'rectangle' } : {}), isFilled: isLined, text: context.read(text) },
      ]
    }
    const picture = pictureIn(element, context)
    if (picture) return [{ ...box, picture }]
    const object = elementsIn(element).find(({ name: each }) =>
      /^draw:(object|object-ole|plugin|applet|floating-frame)$/.test(each),
    )
    if (object && !childOf(element, 'draw:image'))
      context.leaveOut(context.objectAt(object.attribs['xlink:href'] ?? ''))
    return []
  }
  const outline = outlineOf(element)
  const text = elementsIn(element).some(({ name: each }) => /^text:(p|list)$/.test(each)) ? context.read(element) : []
  if (!outline && text.length === 0) context.leaveOut('drawing')
  const isLined = (properties['draw:stroke'] ?? 'solid') !== 'none'
  const middle = properties['draw:textarea-vertical-align']
  return [
    {
      ...box,
      ...(isLined ? { outline: outline ?? 'rectangle' } : {}),
      isFilled: (properties['draw:fill'] ?? 'solid') !== 'none',
      arrows: {
        start: (properties['draw:marker-start'] ?? '') !== '',
        end: (properties['draw:marker-end'] ?? '') !== '',
      },
      text,
      ...(middle === 'middle' || name === 'draw:custom-shape' ? { textAt: 'middle' } : {}),
    },
  ]
}

const froms: Readonly<Record<string, Offset['from']>> = {
  ...{
    page: 'page',
    'page-content': 'margin',
    paragraph: 'text',
    'paragraph-content': 'text',
    char: 'text',
    line: 'text',
  },
}

function offsetOf(
  properties: Readonly<Record<string, string>>,
  axis: 'horizontal' | 'vertical',
  at: number,
  usual: Offset['from'],
): Offset {
  const from = froms[properties[`style:${axis}-rel`] ?? ''] ?? usual
  const position = properties[`style:${axis}-pos`] ?? 'from-left'
  const named = (
    { center: 'center', middle: 'center', right: 'end', bottom: 'end', left: 'start', top: 'start' } as const
  )[position]
  return { from, at: named ?? at }
}

/** A drawing of an OpenDocument text (ISO/IEC 26300-1, 10); undefined when there is nothing to draw. */
export function readOdtDrawing(element: HtmlElement, context: OdtDrawingContext): Picture | Drawing | undefined {
  const shapes = shapesOf(element, context)
  const [only] = shapes
  if (!only) return undefined
  const { attribs } = element
  const anchor = attribs['text:anchor-type'] ?? 'paragraph'
  const [x, y] = [Math.min(...shapes.map((each) => each.x)), Math.min(...shapes.map((each) => each.y))]
  const moved = shapes.map((shape) => ({ ...shape, x: shape.x - x, y: shape.y - y }))
  const width = Math.max(...moved.map((each) => each.x + each.width))
  const height = Math.max(...moved.map((each) => each.y + each.height))
  if (anchor === 'as-char') {
    if (only.picture && shapes.length === 1) {
      const alternative = childOf(element, 'svg:desc') ?? childOf(element, 'svg:title')
      return {
        kind: 'picture',
        bytes: only.picture,
        description: alternative ? textWithin(alternative) : '',
        ...(width > 1 && height > 1 ? { size: { width, height } } : {}),
      }
    }
    return { kind: 'drawing', width, height, shapes: moved }
  }
  const { properties } = context.styles.get('graphic', attribs['draw:style-name'])
  const usual = anchor === 'page' ? 'page' : 'text'
  const place = { x: offsetOf(properties, 'horizontal', x, usual), y: offsetOf(properties, 'vertical', y, usual) }
  const isFrame = element.name === 'draw:frame'
  const wraps = (properties['style:wrap'] ?? (isFrame ? 'none' : 'run-through')) !== 'run-through'
  return { kind: 'drawing', width, height, shapes: moved, place, wraps }
}
