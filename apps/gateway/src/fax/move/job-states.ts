import type { BroadcastCounts } from '@faxdeck/contract'
import type { Database, Tx } from '../../base/db/database.ts'
import type { FaxJobRow } from '../../base/db/tables/tables.ts'
import { beforeAnAttempt } from './move.ts'

type Reader = Database['db'] | Tx

/**
 * The states by which faxes are counted, on every screen, in the metrics and by the command line:
 *
 * - `queued`: accepted, and no attempt has begun.
 * - `in_progress`: being sent, waiting for another attempt, or without a known outcome.
 * - `SUCCESS`, `FAILED`: ended.
 * - `held`: waiting to be released since a restore. They are in neither of the first two.
 * - `attention`: need a person's decision. They are counted in their own state as well.
 */
export const countedStates = ['queued', 'in_progress', 'SUCCESS', 'FAILED', 'held', 'attention'] as const
export type CountedState = (typeof countedStates)[number]

export interface StateCount {
  backend: string
  state: CountedState
  jobs: number
}

const isCounted = (status: string): status is CountedState => (countedStates as readonly string[]).includes(status)

/** Held faxes keep the status that they had: how many of each provider and status there are. */
async function heldByStatus(db: Reader) {
  const rows = await db
    .selectFrom('fax_jobs')
    .where('hold', 'is not', null)
    .where('phase', 'in', beforeAnAttempt)
    .groupBy(['backend', 'status'])
    .select(['backend', 'status', (eb) => eb.fn.countAll<string | number>().as('n')])
    .execute()
  return new Map(rows.map(({ backend, status, n }) => [`${backend} ${status}`, Number(n)]))
}

type Outcome = keyof BroadcastCounts

/** Where a fax of a broadcast stands. Each phase is counted in one place, canceled faxes aside. */
const outcomeOfPhase: Record<FaxJobRow['phase'], Outcome> = {
  queued: 'queued',
  preparing: 'in_progress',
  submitting: 'in_progress',
  accepted: 'in_progress',
  waiting_retry: 'in_progress',
  uncertain: 'unconfirmed',
  partial: 'unconfirmed',
  delivered: 'delivered',
  duplicate: 'delivered',
  incomplete: 'delivered',
  failed: 'failed',
}

/** What a broadcast counts a fax as. */
export const outcomeOf = ({ phase, error_kind: kind }: Pick<FaxJobRow, 'phase' | 'error_kind'>): Outcome =>
  phase === 'failed' && kind === 'cancelled' ? 'cancelled' : outcomeOfPhase[phase]

/** The phases of the faxes that a broadcast counts so. */
export function phasesOf(outcome: Outcome): FaxJobRow['phase'][] {
  const counted = outcome === 'cancelled' ? 'failed' : outcome
  return (Object.keys(outcomeOfPhase) as FaxJobRow['phase'][]).filter((phase) => outcomeOfPhase[phase] === counted)
}

/** How many faxes stand in each state, by provider. */
export async function countStates(db: Reader): Promise<StateCount[]> {
  const rows = await db.selectFrom('job_counts').selectAll().orderBy('backend').orderBy('status').execute()
  const held = rows.some(({ status, jobs }) => status === 'held' && jobs > 0)
    ? await heldByStatus(db)
    : new Map<string, number>()
  return rows.flatMap(({ backend, status, jobs }) =>
    isCounted(status)
      ? [{ backend, state: status, jobs: Math.max(0, jobs - (held.get(`${backend} ${status}`) ?? 0)) }]
      : [],
  )
}

/** How many faxes stand in a state, of all providers. */
export const sumOf = (counts: readonly StateCount[], state: CountedState): number =>
  counts.reduce((sum, count) => sum + (count.state === state ? count.jobs : 0), 0)
