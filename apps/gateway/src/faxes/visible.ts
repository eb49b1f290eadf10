import type { Database, Tx } from '../db/database.ts'
import type { FaxJobRow } from '../db/tables/tables.ts'
import type { Actor } from '../http/keys.ts'
import { Problem } from '../http/problem.ts'
import { findJob } from './read/read-job.ts'

/** Who asks, as far as that decides which faxes they see. */
export type Viewer = Pick<Actor, 'keyId' | 'faxAccess'>

/**
 * The faxes that somebody sees: all, or those sent with one key or by one person. Every list, search, event, webhook and change of a fax
 * asks one of these, and nothing else decides it.
 */
export type VisibleFaxes = 'all' | { readonly callerKeyId: string }

/** The faxes an actor sees without being told of them: in lists, events and webhooks, and may stop or send again. */
export const visibleFaxes = ({ keyId, faxAccess }: Viewer): VisibleFaxes =>
  faxAccess === 'all' ? 'all' : { callerKeyId: keyId }

/** The faxes an actor may read when it knows their id. */
export const readableFaxes = (viewer: Viewer): VisibleFaxes =>
  viewer.faxAccess === 'own' ? visibleFaxes(viewer) : 'all'

export const isVisible = (visible: VisibleFaxes, job: Pick<FaxJobRow, 'caller_key_id'>): boolean =>
  visible === 'all' || job.caller_key_id === visible.callerKeyId

/** A fax among those. What is not there and what is somebody else's are answered alike. @throws {Problem} `fax_not_found` */
export async function requireVisible(
  { db }: { db: Database['db'] | Tx },
  id: string,
  visible: VisibleFaxes,
): Promise<FaxJobRow> {
  const job = await findJob(db, id)
  if (!job || !isVisible(visible, job)) throw new Problem('fax_not_found')
  return job
}
