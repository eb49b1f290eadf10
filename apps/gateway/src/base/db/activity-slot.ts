/** The dashboard counts faxes in time slots of this length. */
export const activitySlotMs = 5 * 60_000

/**
 * The start of the slot in which something is counted. Earlier releases counted by the hour.
 * @param at ISO 8601
 */
export function activitySlot(at: string): string {
  return new Date(Math.floor(Date.parse(at) / activitySlotMs) * activitySlotMs).toISOString()
}
