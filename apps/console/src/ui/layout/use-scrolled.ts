import { useSyncExternalStore } from 'react'

const subscribe = (listener: () => void) => {
  addEventListener('scroll', listener, { passive: true })
  return () => removeEventListener('scroll', listener)
}

/** Whether the page is scrolled: new rows must not push away what is read. */
export function useScrolled(): boolean {
  return useSyncExternalStore(subscribe, () => scrollY > 0)
}
