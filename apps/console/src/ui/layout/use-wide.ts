import { mediaHook } from './use-media.ts'

/**
 * Whether there is room for tables and tabs; otherwise cards and the drawer are shown. In rem: a reader who doubles the
 * text size gets the layout for small screens.
 */
export const useWide = mediaHook('(min-width: 48rem)')
