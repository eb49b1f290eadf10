import { useSyncExternalStore } from 'react'

/**
 * Where a person is. No screen has an address: this is kept in the browser's history entry. Only the filter of the list
 * of jobs stands behind a `#`, so that it can be bookmarked.
 */
export interface Visit {
  /** A key of the navigation table: "jobs", "settings/keys". */
  place: string
  /** What is open there: a job's id, "new". */
  open?: string
  /** Words to point out on the pages of what is open. */
  find?: string
}

// The same objects each time: React draws without an end what is new at each look.
const home: Visit = { place: 'dashboard' }
const bookmarked: Visit = { place: 'jobs' }
const moved = 'faxdeck:moved'

function isVisit(state: unknown): state is Visit {
  return typeof state === 'object' && state !== null && 'place' in state && typeof state.place === 'string'
}

/** The present place, for code outside components. */
export function currentVisit(): Visit {
  const state: unknown = history.state
  if (isVisit(state)) return state
  return location.hash.startsWith('#jobs') ? bookmarked : home
}

/** Goes somewhere, after asking where something would be lost. With `replace`, Back does not return here. */
export function visit(next: Visit, { replace = false, ask = true } = {}): void {
  const present = currentVisit()
  const move = () => {
    const same = present.place === next.place && present.open === next.open
    if (replace || same) history.replaceState(next, '')
    else history.pushState(next, '')
    if (present.place !== next.place) scrollTo(0, 0)
    dispatchEvent(new Event(moved))
  }
  if (ask && present.place !== next.place) leave(move)
  else move()
}

/** Asks a person, and calls `goOn` when they want to leave. */
type Question = (goOn: () => void) => void
let guarded: { question: Question; visit: Visit } | undefined

/**
 * Lets a question stand before every way out of the present place.
 * @returns a function that takes it away
 */
export function guardLeaving(question: Question): () => void {
  const mine = { question, visit: currentVisit() }
  guarded = mine
  return () => {
    if (guarded === mine) guarded = undefined
  }
}

/** Does what would leave the present place, once nothing stands in its way. */
export function leave(goOn: () => void): void {
  if (!guarded) {
    goOn()
    return
  }
  guarded.question(() => {
    guarded = undefined
    goOn()
  })
}

// Before any other listener, which then finds the place unchanged: Back has already happened when it is heard of.
addEventListener('popstate', () => {
  if (!guarded || guarded.visit.place === currentVisit().place) return
  history.pushState(guarded.visit, '')
  leave(() => history.back())
})

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
