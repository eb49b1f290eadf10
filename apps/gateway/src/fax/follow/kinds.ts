import { type FaxEvent, faxEventTypes, type InboundEvent, type Permission } from '@faxdeck/contract'
import type { GatewayContext } from '../../base/context.ts'
import type { FaxJobRow } from '../../base/db/tables/tables.ts'
import type { AuditEntry } from '../../base/events/facts.ts'
import type { Actor } from '../../base/http/callers/keys.ts'
import { isTestFax } from '../../base/providers/test-line.ts'
import { readCodes } from '../../paper/page-text/codes.ts'
import { type Owned, type VisibleFaxes, visibleFaxes } from '../../access/visible.ts'
import { presentFax } from '../read/present.ts'
import { withPause } from '../read/read-job.ts'

type Event = FaxEvent | InboundEvent

/** A fax that events report on. */
export interface FollowedFax {
  /** What decides whether somebody sees it. */
  owned: Owned
  /** As a program sees it that may do so much. */
  present: (permissions: Actor['permissions']) => Event['fax']
}

/** Faxes whose events can be followed: those that are sent, or those that arrive. */
export interface FollowedKind {
  /** What the types of its events begin with. */
  prefix: 'fax' | 'inbound'
  types: readonly Event['type'][]
  permission: Permission
  table: 'fax_jobs' | 'inbound_faxes'
  /** The entries of the trail that may be events. */
  names: readonly string[]
  /** The event that an entry of the trail is; undefined for all others. */
  typeOf: (entry: AuditEntry) => Event['type'] | undefined
  visible: (actor: Actor) => VisibleFaxes
  read: (context: GatewayContext, ids: readonly string[]) => Promise<ReadonlyMap<string, FollowedFax>>
}

function typeOf({ event, state, outcome }: AuditEntry): FaxEvent['type'] | undefined {
  switch (event) {
    case 'job_created':
    case 'job_released':
      return 'fax.queued'
    case 'job_dispatch':
      return 'fax.sending'
    case 'job_updated':
      return state === 'delivered' || state === 'uncertain' ? `fax.${state}` : 'fax.updated'
    case 'job_failed':
    case 'job_cancelled':
      return 'fax.failed'
    case 'job_resolved':
      return outcome === 'delivered' || outcome === 'failed' ? `fax.${outcome}` : 'fax.queued'
    case 'job_conflict':
      return 'fax.updated'
    default:
      return undefined
  }
}

/** Faxes that are sent. */
export const sentFaxes: FollowedKind = {
  prefix: 'fax',
  types: faxEventTypes,
  permission: 'read_faxes',
  table: 'fax_jobs',
  names: [
    'job_created',
    'job_released',
    'job_dispatch',
    'job_updated',
    'job_failed',
    'job_cancelled',
    'job_resolved',
    'job_conflict',
  ],
  typeOf,
  visible: visibleFaxes,
  read: async (context, ids) => {
    const { db } = context.database
    const jobs = db.selectFrom('fax_jobs').selectAll().where('id', 'in', ids)
    const [rows, codes] = await Promise.all([jobs.execute(), readCodes(db, ids)])
    const present = (job: FaxJobRow) => () =>
      presentFax(withPause(context, job), isTestFax(context.providers, job), codes.get(job.id))
    return new Map(rows.map((job) => [job.id, { owned: job, present: present(job) }]))
  },
}
