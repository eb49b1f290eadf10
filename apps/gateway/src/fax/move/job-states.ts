import type { BroadcastCounts } from '@faxdeck/contract'
import type { Database, Tx } from '../../base/db/database.ts'
import type { FaxJobRow } from '../../base/db/tables/tables.ts'
import { beforeAnAttempt } from './move.ts'

type Reader = Database['db'] | Tx

/**
 * The states by which faxes are counted, on every screen, in the metrics and by the command line:
 *
 * - `queued`: accepted, and about to be sent.
 * - `in_progress`: being sent, or without a known outcome.
 * - `waiting`: for another attempt, or not tried yet because nothing is sent to its provider now.
 * - `SUCCESS`, `FAILED`: ended.
 * - `held`: waiting to be released since a restore. They are in none of the first three.
 * - `attention`: need a person's decision. They are counted in their own state as well.
 */
export const countedStates = ['queued', 'in_progress', 'waiting', 'SUCCESS', 'FAILED', 'held', 'attention'] as const
export type CountedState = (typeof countedStates)[number]

export interface StateCount {
  backend: string
  state: CountedState
  jobs: number
}

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

/**
 * How many faxes stand in each state, by provider.
 * @param paused the providers to which nothing is sent now
 */
export async function countStates(db: Reader, paused: readonly string[] = []): Promise<StateCount[]> {
  const rows = await db.selectFrom('job_counts').selectAll().orderBy('backend').orderBy('status').execute()
  const held = rows.some(({ status, jobs }) => status === 'held' && jobs > 0)
    ? await heldByStatus(db)
    : new Map<string, number>()
  const kept = new Map(rows.map(({ backend, status, jobs }) => [`${backend} ${status}`, jobs]))
  const stored = (backend: string, state: string) =>
    Math.max(0, (kept.get(`${backend} ${state}`) ?? 0) - (held.get(`${backend} ${state}`) ?? 0))
  const countOf = (backend: string, state: CountedState) => {
    const [between, isPaused] = [stored(backend, 'waiting'), paused.includes(backend)]
    if (state === 'waiting') return between + (isPaused ? stored(backend, 'queued') : 0)
    if (state === 'in_progress') return Math.max(0, stored(backend, state) - between)
    return state === 'queued' && isPaused ? 0 : stored(backend, state)
  }
  const backends = [...new Set(rows.map(({ backend }) => backend))]
  return backends.flatMap((backend) =>
    countedStates.flatMap((state) => {
      const jobs = countOf(backend, state)
      return jobs > 0 || kept.has(`${backend} ${state}`) ? [{ backend, state, jobs }] : []
    }),
  )
}

/** How many faxes stand in a state, of all providers. */
export const sumOf = (counts: readonly StateCount[], state: CountedState): number =>
  counts.reduce((sum, count) => sum + (count.state === state ? count.jobs : 0), 0)
