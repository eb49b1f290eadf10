import { mediaHook } from './use-media.ts'

/**
 * Whether the details of a fax have room beside the list. In rem: a reader who enlarges the text gets the details as a
 * dialog of their own.
 */
export const useRoomBeside = mediaHook('(min-width: 80rem)')
