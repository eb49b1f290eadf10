import { useSyncExternalStore } from 'react'

// In rem: a reader who enlarges the text gets the details as a dialog of their own.
const query = '(min-width: 80rem)'

const subscribe = (listener: () => void) => {
  const media = matchMedia(query)
  media.addEventListener('change', listener)
  return () => media.removeEventListener('change', listener)
}

/** Whether the details of a fax have room beside the list. */
export function useRoomBeside(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}
