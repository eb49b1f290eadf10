import { useSyncExternalStore } from 'react'
import { noteClock } from './gateway-clock.ts'

let reachable = true
const listeners = new Set<() => void>()

function note(answered: boolean): void {
  if (answered === reachable) return
  reachable = answered
  for (const listener of listeners) listener()
}

const isCanceled = (error: unknown) => error instanceof DOMException && error.name === 'AbortError'

/** `fetch` that remembers whether the gateway answered the last time it was asked. */
export async function watchedFetch(...[address, init]: Parameters<typeof fetch>): Promise<Response> {
  try {
    const response = await fetch(address, init)
    note(true)
    noteClock(response)
    return response
  } catch (error) {
    if (!isCanceled(error)) note(false)
    throw error
  }
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether the gateway answered the last call. */
export function useReachable(): boolean {
  return useSyncExternalStore(subscribe, () => reachable)
}
