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
