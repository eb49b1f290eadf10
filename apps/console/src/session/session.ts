import type { Account, Config, Permission } from '@faxdeck/contract'
import { createContext, use } from 'react'
import type { Visit } from './visit.ts'

/** What a logged-in person has: what the gateway reports of itself, where they are, and how to go elsewhere. */
export interface Session {
  config: Config
  visit: Visit
  /** Goes to a place of the navigation table, with something open there: `go('jobs', { open: id })`. */
  go: (place: string, options?: { open?: string; find?: string; replace?: boolean }) => void
  /** Whether the place exists in this build, under this configuration and for this person. */
  canGo: (place: string) => boolean
  /** Whether the person may do something; the holder of a key that opens the console may do everything. */
  may: (permission: Permission) => boolean
  /** Null for the holder of a key. */
  person: Account['person']
  logOut: () => void
}

export const SessionContext = createContext<Session | null>(null)

/** The session of the person at the console; only inside the shell. */
export function useSession(): Session {
  const session = use(SessionContext)
  if (!session) throw new Error('useSession is called outside the shell.')
  return session
}
