import type { LiveMessage } from '@faxdeck/contract'
import type { GatewayContext } from '../../base/context.ts'
import type { TrailEntry } from '../../base/events/trail.ts'
import { isVisible, visibleFaxes, visibleReceived, type Viewer } from '../../access/visible.ts'

/** What entries of the trail change for somebody who does not see all faxes: nothing is said of any other. */
async function changedFor(
  { database: { db } }: GatewayContext,
  viewer: Viewer,
  entries: readonly TrailEntry[],
): Promise<LiveMessage | undefined> {
  const ids = [...new Set(entries.flatMap(({ job_id: id }) => id ?? []))]
  if (ids.length === 0) return undefined
  const sent = await db
    .selectFrom('fax_jobs')
    .select(['id', 'caller_key_id', 'group_id', 'broadcast_id'])
    .where('id', 'in', ids)
    .execute()
  const received = await db.selectFrom('inbound_faxes').select('group_id').where('id', 'in', ids).execute()
  const jobs = sent.filter((job) => isVisible(visibleFaxes(viewer), job))
  const hasReceived = received.some((fax) => isVisible(visibleReceived(viewer), fax))
  const isBroadcast = jobs.some(({ broadcast_id: id }) => id !== null)
  const changed: LiveMessage['changed'] = [
    ...(jobs.length > 0 ? (['jobs'] as const) : []),
    ...(hasReceived ? (['inbound'] as const) : []),
    ...(isBroadcast ? (['broadcasts'] as const) : []),
  ]
  return changed.length === 0 ? undefined : { changed }
}

/**
 * Notifies somebody of changes to the faxes they see, by the names of lists, without their contents.
 * @returns how to stop
 */
export function followOwn(
  context: GatewayContext,
  viewer: Viewer,
  notify: (message: LiveMessage) => void,
): Promise<() => void> {
  let turn = Promise.resolve()
  return context.trail.follow((entries) => {
    const next = async () => {
      const message = await changedFor(context, viewer, entries)
      if (message) notify(message)
    }
    turn = turn.then(next).catch((error: unknown) => {
      context.log.error({ err: error }, 'A change could not be sent to a console.')
    })
  })
}
