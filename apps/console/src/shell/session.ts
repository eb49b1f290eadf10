import type { Config } from '@faxdeck/contract'
import { createContext, use } from 'react'
import type { Visit } from './visit.ts'

/** What a logged-in person has: what the gateway told about itself, where they are, and how to go elsewhere. */
export interface Session {
  config: Config
  visit: Visit
  /** Goes to a place of the navigation table, with something open there: `go('jobs', { open: id })`. */
  go: (place: string, options?: { open?: string; find?: string; replace?: boolean }) => void
  /** Whether the place exists in this build and under this configuration. */
  canGo: (place: string) => boolean
  logOut: () => void
}

export const SessionContext = createContext<Session | null>(null)

/** The session of the person at the console; only inside the shell. */
export function useSession(): Session {
  const session = use(SessionContext)
  if (!session) throw new Error('useSession is called outside the shell.')
  return session
}
