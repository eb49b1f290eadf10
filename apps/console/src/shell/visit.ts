import { useSyncExternalStore } from 'react'

/** Where a person is. The address never changes: this is kept in the browser's history entry. */
export interface Visit {
  /** A key of the navigation table: "jobs", "settings/keys". */
  place: string
  /** What is open there: a job's id, "new". */
  open?: string
}

const home: Visit = { place: 'dashboard' }
const moved = 'faxdeck:moved'

function isVisit(state: unknown): state is Visit {
  return typeof state === 'object' && state !== null && 'place' in state && typeof state.place === 'string'
}

/** The present place, for code outside components. */
export function currentVisit(): Visit {
  const state: unknown = history.state
  return isVisit(state) ? state : home
}

/** Goes somewhere. With `replace`, Back does not return here. */
export function visit(next: Visit, { replace = false } = {}): void {
  const present = currentVisit()
  const same = present.place === next.place && present.open === next.open
  if (replace || same) history.replaceState(next, '')
  else history.pushState(next, '')
  if (present.place !== next.place) scrollTo(0, 0)
  dispatchEvent(new Event(moved))
}

const subscribe = (listener: () => void) => {
  addEventListener('popstate', listener)
  addEventListener(moved, listener)
  return () => {
    removeEventListener('popstate', listener)
    removeEventListener(moved, listener)
  }
}

/** The present place; Back, Forward and reload keep it. */
export function useVisit(): Visit {
  return useSyncExternalStore(subscribe, currentVisit)
}
