import { routes } from '@faxdeck/contract'
import type { Events } from '../../base/events/events.ts'
import type { Caller } from '../../base/http/handler.ts'

export interface Logins {
  /** The console asks for the configuration: a login, unless it is there already. */
  enter: (caller: Caller) => Promise<void>
  /** The console shows that it is still there. */
  stay: (caller: Caller) => void
}
interface LoginParts {
  events: Pick<Events, 'loginSucceeded'>
  now: () => Date
  log: { error: (facts: object, message: string) => void }
}

/** So long after its last sign a console counts as closed. */
const awayMs = 30 * 60_000
const max = 1000

/**
 * Tells a login from a console that asks again: a key from an address is recorded once, until it is not seen
 * for half an hour. Each process of a gateway remembers for itself.
 */
export function createLogins({ events, now, log }: LoginParts): Logins {
  const lastSigns = new Map<string, number>()
  const nameOf = ({ keyId, address }: Caller) => `${keyId} ${address}`
  const isThere = (name: string) => now().getTime() - (lastSigns.get(name) ?? -Infinity) < awayMs
  const keep = (name: string) => {
    // Taken out first: the one not seen for longest stands first.
    lastSigns.delete(name)
    lastSigns.set(name, now().getTime())
    const [oldest] = lastSigns.keys()
    if (lastSigns.size > max && oldest !== undefined) lastSigns.delete(oldest)
  }
  return {
    enter: async (caller) => {
      const name = nameOf(caller)
      const known = isThere(name)
      keep(name)
      if (known) return
      const { keyId, address } = caller
      try {
        await events.loginSucceeded({ path: routes.getConfig.path, key_id: keyId, address })
      } catch (error) {
        // Somebody who logs in because the disk is full must get in; the next request records it.
        lastSigns.delete(name)
        log.error({ err: error }, 'A login could not be recorded.')
      }
    },
    stay: (caller) => {
      const name = nameOf(caller)
      if (isThere(name)) keep(name)
    },
  }
}
