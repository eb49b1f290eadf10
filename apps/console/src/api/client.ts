import { createClient, type CallProblem } from '@faxdeck/contract/client'
import { calls } from 'virtual:calls'
import { readKey } from './key.ts'
import { watchedFetch } from './reachability.ts'

const refusalListeners = new Set<(problem: CallProblem) => void>()

/** Every call of the gateway, by the name of its row. It throws `CallProblem`. */
export const client = createClient(calls, {
  baseUrl: '',
  key: readKey,
  fetch: watchedFetch,
  onProblem: (problem) => {
    if (problem.status === 401) for (const listener of refusalListeners) listener(problem)
  },
})

/**
 * Calls `listener` whenever the gateway answers 401: the key has been revoked, has expired or was never good.
 * @returns a function that stops listening
 */
export function onKeyRefused(listener: (problem: CallProblem) => void): () => void {
  refusalListeners.add(listener)
  return () => refusalListeners.delete(listener)
}
