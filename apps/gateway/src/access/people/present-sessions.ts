import type { Session } from '@faxdeck/contract'
import type { GatewayContext } from '../../base/context.ts'
import { listSessions } from './session-store.ts'
import type { Sessions } from './sessions.ts'

/** The sessions a person has open, newest first. @param current the session that asks; undefined for a key */
export async function presentSessions(
  { database }: Pick<GatewayContext, 'database'>,
  sessions: Sessions,
  personId: string,
  current: string | undefined,
): Promise<Session[]> {
  const found = await listSessions(database.db, sessions.bounds(), personId)
  return found.map((row) => {
    const { id, created_at, active_at, address, browser } = row
    const { idle_ends_at: ends_at } = sessions.endsOf(row)
    return { id, created_at, active_at, ends_at, address, browser, current: id === current }
  })
}
