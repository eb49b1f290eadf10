import type { Size } from '../raster/paper.ts'

/** Narrower room beside a drawing holds no text. */
const minWidth = 90
/** Drawings of a page that text keeps clear of. */
const maxZones = 100
/** White around drawings, in points. */
const clear = { across: 6, down: 3 }

/** A part of a page, in points from its lower left corner. */
export interface Area extends Size {
  x: number
  top: number
}

/** What stands on a page with text around it. */
export class Zones {
  readonly #zones: { left: number; right: number; top: number; bottom: number }[] = []

  get isEmpty(): boolean {
    return this.#zones.length === 0
  }

  add({ x, top, width, height }: Area): void {
    if (this.#zones.length >= maxZones) return
    this.#zones.push({
      left: x - clear.across,
      right: x + width + clear.across,
      top,
      bottom: top - height - clear.down,
    })
  }

  /** The part of an area that is free, from its left edge; all of it where too little is. */
  free({ x, top, width, height }: Area): { left: number; width: number; isNarrow: boolean } {
    let [left, right] = [x, x + width]
    for (const zone of this.#zones) {
      if (zone.top <= top - height || zone.bottom >= top || zone.right <= left || zone.left >= right) continue
      if (zone.left - left > right - zone.right) right = zone.left
      else left = zone.right
    }
    const isNarrow = right - left < Math.min(minWidth, width)
    return isNarrow ? { left: 0, width, isNarrow } : { left: left - x, width: right - left, isNarrow }
  }

  /** Where an area is to begin so that it is free: lines may be shorter, everything else may not. */
  below(area: Area, isLine: boolean): number {
    let { top } = area
    for (let tries = 0; tries < this.#zones.length; tries++) {
      const { isNarrow, width } = this.free({ ...area, top })
      const inWay = this.#zones.filter((zone) => zone.top > top - area.height && zone.bottom < top)
      if ((!isNarrow && (isLine || width >= area.width)) || inWay.length === 0) return top
      top = Math.max(...inWay.map(({ bottom }) => bottom))
    }
    return top
  }
}
