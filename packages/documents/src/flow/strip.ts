import type { Typesetter } from '../text/typeset.ts'
import type { Limits } from '../base/limits.ts'
import type { Block, PageShape, Paragraph } from './flow.ts'
import type { PageCount, Type } from './lines.ts'

/** Where a strip is drawn, in points from the lower left corner of the page. */
export interface Spot extends PageCount {
  x: number
  top: number
  page: PageShape
}

/** What stands across a column in one piece, from a line to a row of a table. */
export interface Strip {
  height: number
  draw: (spot: Spot) => void
  /** White between paragraphs: none at the top of a page. */
  isSpace?: boolean
  /** Points that must be left on the page, for what follows it. */
  reserve?: number
  /** In two, the first at most so high; undefined where it cannot be divided. */
  split?: (height: number) => readonly [Strip, Strip] | undefined
  /** Repeated above it on a new page. */
  heads?: readonly Strip[]
  /** Footnotes whose marks stand in it. */
  notes?: readonly (readonly Paragraph[])[]
}

/** What strips are made with. */
export interface Press {
  typesetter: Typesetter
  limits: Limits
  /** Height of the text on a page. */
  room: number
  /** The strips of blocks, below each other. */
  strips: (blocks: readonly Block[], width: number, type?: Type) => Promise<Strip[]>
}

const nothing = () => {}
export const space = (height: number): Strip => ({ height, draw: nothing, isSpace: true })
export const heightOf = (strips: readonly Strip[]): number => strips.reduce((sum, { height }) => sum + height, 0)

/** Draws strips below each other. */
export function drawStrips(strips: readonly Strip[], spot: Spot): void {
  let { top } = spot
  for (const strip of strips) {
    strip.draw({ ...spot, top })
    top -= strip.height
  }
}
