import type { Activity } from '@faxdeck/contract'

export type Slot = Activity['hours'][number]

/** How many faxes ended or came in a slot. */
export const eventsIn = ({ delivered, failed, received }: Slot) => delivered + failed + received

/** When a slot is over, as ISO 8601. */
export const endOf = ({ hour }: Slot, minutes: number) => new Date(Date.parse(hour) + minutes * 60_000).toISOString()

/** Whether a chart would be a frame around at most one column. */
export const isSparse = (slots: readonly Slot[]) => slots.filter((slot) => eventsIn(slot) > 0).length < 2

/** The size of the drawing's own coordinates; it is stretched to the room there is. */
export const chart = { width: 720, height: 120 } as const

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

/** The top of the scale: delivered and failed faxes stand upon each other. */
export function scaleOf(slots: readonly Slot[]): number {
  return roundUp(Math.max(1, ...slots.flatMap((slot) => [slot.delivered + slot.failed, slot.received])))
}

const least = 2
const heightOf = (value: number, top: number) => (value === 0 ? 0 : Math.max(least, (value / top) * chart.height))

/** The failed faxes of a slot upon its delivered ones. What is not zero is always visible. @param count of slots */
export function stackOf({ delivered, failed }: Slot, index: number, count: number, top: number) {
  const slot = chart.width / count
  const place = { x: index * slot + slot * 0.16, width: slot * 0.68 }
  const upper = heightOf(failed, top)
  const lower = Math.min(heightOf(delivered, top), chart.height - upper)
  return {
    delivered: { ...place, y: chart.height - lower, height: lower } satisfies Bar,
    failed: { ...place, y: chart.height - lower - upper, height: upper } satisfies Bar,
  }
}

/** The line of received faxes, through the middle of each slot. */
export function lineOf(slots: readonly Slot[], top: number): string {
  const slot = chart.width / slots.length
  return slots
    .map(({ received }, index) => `${(index + 0.5) * slot},${chart.height - (received / top) * chart.height}`)
    .join(' ')
}

/** The slot at a place of the drawing, from 0 at its left edge to 1 at its right. */
export function slotAt(place: number, count: number): number {
  return Math.min(count - 1, Math.max(0, Math.floor(place * count)))
}

/** All slots in one. */
export function totalOf(slots: readonly Slot[]) {
  return slots.reduce(
    (sum, slot) => ({
      delivered: sum.delivered + slot.delivered,
      failed: sum.failed + slot.failed,
      received: sum.received + slot.received,
    }),
    { delivered: 0, failed: 0, received: 0 },
  )
}
