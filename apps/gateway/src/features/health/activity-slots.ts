import type { ActivityRange } from '@faxdeck/contract'
import { activitySlotMs } from '../../base/db/activity-slot.ts'

const hour = 3_600_000
const shapes = {
  '1h': { slotMs: activitySlotMs, slots: 12 },
  '24h': { slotMs: hour, slots: 24 },
  '7d': { slotMs: 6 * hour, slots: 28 },
  '30d': { slotMs: 24 * hour, slots: 30 },
} as const satisfies Record<ActivityRange, { slotMs: number; slots: number }>

/** The slots of a range, the last one holding `now`: milliseconds since 1970 at which the first begins, their length and number. */
export function slotsOf(range: ActivityRange, now: number) {
  const { slotMs, slots } = shapes[range]
  // Longer slots end with the hour, so that the newest one is never nearly empty only because a day has just begun.
  const step = Math.min(slotMs, hour)
  const end = Math.floor(now / step) * step + step
  return { from: end - slots * slotMs, slotMs, slots }
}
