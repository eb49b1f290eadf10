import type { Activity } from '@faxdeck/contract'

export type Hour = Activity['hours'][number]

/** The size of the drawing's own coordinates; it is stretched to the room there is. */
export const chart = { width: 720, height: 120 } as const

const slots = 24
const slot = chart.width / slots

export interface Bar {
  x: number
  y: number
  width: number
  height: number
}

/** The smallest round number that is at least `value`: the top of a scale that can be read. */
export function roundUp(value: number): number {
  if (value <= 1) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return [1, 2, 3, 4, 5, 6, 8, 10].map((step) => step * power).find((step) => step >= value) ?? value
}

/** The top of the scale for these hours. */
export function scaleOf(hours: readonly Hour[]): number {
  return roundUp(Math.max(1, ...hours.flatMap((hour) => [hour.delivered, hour.failed, hour.received])))
}

/** A bar in its hour: `side` 0 is the left half, 1 the right. What is not zero is always visible. */
export function barOf(value: number, index: number, side: 0 | 1, top: number): Bar {
  const height = value === 0 ? 0 : Math.max(2, (value / top) * chart.height)
  const width = slot * 0.32
  return { x: index * slot + slot * (side === 0 ? 0.16 : 0.52), y: chart.height - height, width, height }
}

/** The line of received faxes, through the middle of each hour. */
export function lineOf(hours: readonly Hour[], top: number): string {
  return hours
    .map((hour, index) => `${(index + 0.5) * slot},${chart.height - (hour.received / top) * chart.height}`)
    .join(' ')
}

/** The hour at a place of the drawing, from 0 at its left edge to 1 at its right. */
export function hourAt(place: number): number {
  return Math.min(slots - 1, Math.max(0, Math.floor(place * slots)))
}

/** All hours in one. */
export function totalOf(hours: readonly Hour[]) {
  return hours.reduce(
    (sum, hour) => ({
      delivered: sum.delivered + hour.delivered,
      failed: sum.failed + hour.failed,
      received: sum.received + hour.received,
    }),
    { delivered: 0, failed: 0, received: 0 },
  )
}
