import { useSyncExternalStore } from 'react'

// In rem: a reader who doubles the text size gets the layout for small screens.
const query = '(min-width: 48rem)'

const subscribe = (listener: () => void) => {
  const media = matchMedia(query)
  media.addEventListener('change', listener)
  return () => media.removeEventListener('change', listener)
}

/** Whether there is room for tables and tabs; otherwise cards and the drawer are shown. */
export function useWide(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}
