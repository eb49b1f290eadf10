import { blocksATile, eachAround, type Gray, tileArea, type TileCounts } from '../raster/gray-tiles.ts'
import type { Resolution } from '../raster/paper.ts'
import { countBits, Marks } from './strokes.ts'
import { kind, type TileKinds } from './tile-kinds.ts'

/** Writing differs at least this much from the ground that it stands on. */
export const inkContrast = 48
/** Pixels of strokes from which on a tile has writing, and one with grain, where a speck of dust has nearly as many. */
export const leastPixels = { drawn: 5, grained: 10 }
/** Tiles of one shade differ less than this. */
const sameShade = 24

/** Pixels of strokes that are darker and lighter than their ground. */
interface Strokes {
  dark: number
  light: number
}

const none: Strokes = { dark: 0, light: 0 }

/** A page, and what its tiles show. */
interface Page {
  gray: Gray
  counts: TileCounts
  found: TileKinds
}

/** The writing on the grounds of a page, looked for tile by tile when it is asked for. */
export class Writing {
  readonly #page: Page
  readonly #marks: Marks
  /** By tile and the tone of the ground. */
  readonly #known = new Map<number, Strokes>()
  readonly #near: (Strokes | undefined)[]

  constructor(page: Page, resolution: Resolution) {
    this.#page = page
    this.#marks = new Marks(page, resolution)
    this.#near = new Array<Strokes | undefined>(page.counts.toned.length)
  }

  /** The strokes on a tile; those around it on the same shade when it has none. */
  near(index: number): Strokes {
    return (this.#near[index] ??= this.#lookAround(index))
  }

  #lookAround(index: number): Strokes {
    const { kinds, tones } = this.#page.found
    const tone = tones[index]!
    const own = this.#on(index, tone)
    if (own.dark + own.light > 0) return own
    const near = { dark: 0, light: 0 }
    eachAround(this.#page.counts, index, (around) => {
      const same = kinds[around] === kind.flat && Math.abs(tones[around]! - tone) < sameShade
      if (around === index || (!same && kinds[around] !== kind.writing)) return
      const { dark, light } = same ? this.#on(around, tones[around]!) : this.#on(around, tone)
      near.dark += dark
      near.light += light
    })
    return near
  }

  /** How many pixels of dark and light strokes are on or beside some tiles. */
  sumOf(tiles: readonly number[]): Strokes {
    const sum = { dark: 0, light: 0 }
    for (const index of tiles) {
      const { dark, light } = this.near(index)
      sum.dark += dark
      sum.light += light
    }
    return sum
  }

  #on(index: number, tone: number): Strokes {
    const key = 256 * index + tone
    let strokes = this.#known.get(key)
    if (!strokes) this.#known.set(key, (strokes = this.#look(index, tone)))
    return strokes
  }

  #look(index: number, tone: number): Strokes {
    const [dark, light] = [this.#mayHave(index, tone, true), this.#mayHave(index, tone, false)]
    if (!dark && !light) return none
    const least = this.#page.found.grain[index] === 1 ? leastPixels.grained : leastPixels.drawn
    const area = tileArea(this.#page.gray, this.#page.counts.across, index)
    const count = (from: number, to: number) => {
      const pixels = countBits(this.#marks.find(area, { from, to }, true).strokes)
      return pixels < least ? 0 : pixels
    }
    return { dark: dark ? count(0, tone - inkContrast) : 0, light: light ? count(tone + inkContrast, 255) : 0 }
  }

  /** Whether any pixel of a tile is dark or light enough. */
  #mayHave(index: number, tone: number, dark: boolean): boolean {
    const { across, lowest, lack } = this.#page.counts
    const [column, row] = [index % across, Math.floor(index / across)]
    for (let block = 0; block < blocksATile; block++) {
      const at = 4 * (across * (2 * row + (block >> 2)) + column) + (block & 3)
      if (dark ? lowest[at]! <= tone - inkContrast : 255 - lack[at]! >= tone + inkContrast && lack[at]! < 255)
        return true
    }
    return false
  }
}
