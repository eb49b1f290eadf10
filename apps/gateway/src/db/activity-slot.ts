/** What happens is counted for the dashboard in steps of this length. */
export const activitySlotMs = 5 * 60_000

/** The slot in which something is counted, by its beginning. Releases before counted by the hour. @param at ISO 8601 */
export function activitySlot(at: string): string {
  return new Date(Math.floor(Date.parse(at) / activitySlotMs) * activitySlotMs).toISOString()
}
