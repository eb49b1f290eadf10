import type { Block, Drawing, Offset, Shape } from '../flow.ts'
import { numberedOutlines } from '../outlines.ts'

const twips = 20
const pictureFrame = 75
const white = 0xffffff
const origins: Readonly<Record<string, Offset['from']>> = {
  page: 'page',
  margin: 'margin',
  column: 'text',
  para: 'text',
}
const places = [undefined, 'start', 'center', 'end'] as const

/** What older programs call shapes. */
const old: Readonly<Record<string, string>> = { dptxbx: '202', dpline: '20', dpellipse: '3', dproundr: '2' }

/** A shape as its words describe it (RTF 1.9.1, Word 97 through Word 2007 Drawing Objects). */
export class RtfShape {
  readonly #sides: Record<string, number> = {}
  readonly #from = { x: 'text' as Offset['from'], y: 'text' as Offset['from'] }
  readonly #children: RtfShape[] = []
  readonly properties = new Map<string, string>()
  /** The name of the property whose value follows. */
  name = ''
  blocks: Block[] = []
  picture: Uint8Array | undefined
  #wraps = true
  /** Whether it shows something that is not drawn. */
  isLost = false
  /** How many texts are open around it. */
  readonly depth: number

  constructor(depth: number) {
    this.depth = depth
  }

  /** Whether a word is about the place of a shape. */
  set(word: string, number = 0): boolean {
    const [, side = ''] = /^(?:shp|dp)(left|top|right|bottom|x|y|xsize|ysize)$/.exec(word) ?? []
    const [, axis, origin = ''] = /^shpb(x|y)(page|margin|column|para)$/.exec(word) ?? []
    if (side !== '') this.#sides[side] = number / twips
    else if (axis) this.#from[axis as 'x' | 'y'] = origins[origin]!
    else if (Object.hasOwn(old, word)) this.properties.set('shapeType', old[word]!)
    else if (word === 'shpwr') this.#wraps = number !== 3
    else return false
    return true
  }

  add(child: RtfShape): void {
    this.#children.push(child)
  }

  #number(name: string): number | undefined {
    const value = this.properties.get(name)
    return value === undefined ? undefined : Number(value) || 0
  }

  get #box() {
    const { left = 0, top = 0, right, bottom, xsize = 200, ysize = 40 } = this.#sides
    return {
      left,
      top,
      width: Math.max(0, (right ?? left + xsize) - left),
      height: Math.max(0, (bottom ?? top + ysize) - top),
    }
  }

  /** As a drawing; undefined when there is nothing in it that can be drawn. */
  draw(): Drawing | undefined {
    const { left, top, width, height } = this.#box
    const shapes = this.#shapes({ x: 0, y: 0, width, height })
    if (shapes.length === 0) return undefined
    const at = (axis: 'x' | 'y', offset: number): Offset => {
      const kind = axis === 'x' ? 'posh' : 'posv'
      return { from: this.#from[axis], at: places[this.#number(kind) ?? 0] ?? offset }
    }
    const place = this.#number('fPseudoInline')
      ? {}
      : { place: { x: at('x', left), y: at('y', top) }, wraps: this.#wraps }
    return { kind: 'drawing', width, height, shapes, ...place }
  }

  #shapes(box: { x: number; y: number; width: number; height: number }): Shape[] {
    if (this.#children.length > 0) return this.#children.flatMap((child) => child.#shapes(this.#within(child, box)))
    const type = this.#number('shapeType') ?? 1
    const isBare = type === pictureFrame || this.picture !== undefined || this.#number('lineColor') === white
    const hidden = isBare || this.#number('fLine') === 0
    const text = this.#text()
    const outline = numberedOutlines[type] ?? (text.length > 0 ? 'rectangle' : undefined)
    if (!this.picture && text.length === 0 && (hidden || !outline)) {
      this.isLost ||= !hidden
      return []
    }
    return [
      {
        ...box,
        ...(hidden || !outline ? {} : { outline }),
        ...(this.#number('fFlipH') ? { isFlippedAcross: true } : {}),
        ...(this.#number('fFlipV') ? { isFlippedDown: true } : {}),
        arrows: { start: Boolean(this.#number('lineStartArrowhead')), end: Boolean(this.#number('lineEndArrowhead')) },
        ...(text.length > 0 ? { text } : {}),
        ...(this.picture ? { picture: this.picture } : {}),
      },
    ]
  }

  /** What is written in it; letters that are drawn as a picture (WordArt) are a text. */
  #text(): readonly Block[] {
    const drawn = this.properties.get('gtextUNICODE') ?? ''
    if (this.blocks.length > 0 || drawn === '') return this.blocks
    return [{ kind: 'paragraph', pieces: [{ text: drawn }], style: 'body', indent: 0 }]
  }

  /** Where a part of a group stands, which has coordinates of its own. */
  #within(child: RtfShape, { x, y, width, height }: { x: number; y: number; width: number; height: number }) {
    const [left, top] = [this.#number('groupLeft') ?? 0, this.#number('groupTop') ?? 0]
    const across = width / ((this.#number('groupRight') ?? 0) - left || 1)
    const down = height / ((this.#number('groupBottom') ?? 0) - top || 1)
    const side = (name: string) => child.#number(name) ?? 0
    return {
      x: x + (side('relLeft') - left) * across,
      y: y + (side('relTop') - top) * down,
      width: (side('relRight') - side('relLeft')) * across,
      height: (side('relBottom') - side('relTop')) * down,
    }
  }
}
