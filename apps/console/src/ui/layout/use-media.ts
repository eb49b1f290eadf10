import { useSyncExternalStore } from 'react'

const lastOnScreen = new Map<string, boolean>()

/** Paper has another width: while the page is printed, it stays as it was on the screen. */
function matchesOnScreen(query: string): boolean {
  const kept = lastOnScreen.get(query)
  if (kept !== undefined && matchMedia('print').matches) return kept
  const { matches } = matchMedia(query)
  lastOnScreen.set(query, matches)
  return matches
}

/** A hook that tells whether a media query matches on the screen. */
export function mediaHook(query: string): () => boolean {
  const subscribe = (listener: () => void) => {
    const media = matchMedia(query)
    media.addEventListener('change', listener)
    return () => media.removeEventListener('change', listener)
  }
  return () => useSyncExternalStore(subscribe, () => matchesOnScreen(query))
}

/**
 * Whether there is room for tables and tabs; otherwise cards and the drawer are shown. In rem: a reader who doubles the
 * text size gets the layout for small screens.
 */
export const useWide = mediaHook('(min-width: 48rem)')

/**
 * Whether the details of a fax have room beside the list. In rem: a reader who enlarges the text gets the details as a
 * dialog of their own.
 */
export const useRoomBeside = mediaHook('(min-width: 80rem)')
