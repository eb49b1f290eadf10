import { createClient } from '@faxdeck/contract/client'
import { calls } from 'virtual:calls'
import { withConfirmation } from './confirmation.ts'
import { gatewayRoot } from './gateway-root.ts'
import { readKey } from './key.ts'
import { isSignedIn } from './signed-in.ts'
import { watchedFetch } from './live/reachability.ts'

const refusalListeners = new Set<() => void>()
/** The key that was refused before anybody listened: the console asks before it draws. Empty for a session. */
let refusedEarly: string | undefined

/** `fetch` that notices when the kept key or the session is refused; not a key that is only being tried, nor one kept before. */
export const send: typeof fetch = async (address, init) => {
  const response = await withConfirmation(() => watchedFetch(address, init))
  const key = new Headers(init?.headers).get('x-api-key') || undefined
  const refused = response.status === 401 && key === readKey() && (key !== undefined || isSignedIn())
  if (refused && refusalListeners.size === 0) refusedEarly = key ?? ''
  if (refused) for (const listener of refusalListeners) listener()
  return response
}

/** Every call of the gateway, by the name of its row. It throws `CallProblem`. */
export const client = createClient(calls, { baseUrl: gatewayRoot, key: readKey, fetch: send })

/**
 * Calls `listener` whenever the gateway no longer accepts the kept key or the session: it was revoked or ended, or has
 * expired. At once, when that came before anybody listened.
 * @returns a function that stops listening
 */
export function onKeyRefused(listener: () => void): () => void {
  refusalListeners.add(listener)
  const isKnown = refusedEarly === (readKey() ?? '')
  refusedEarly = undefined
  if (isKnown) listener()
  return () => refusalListeners.delete(listener)
}
