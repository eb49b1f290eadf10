import type { JobFilter as WireFilter } from '@faxdeck/contract'
import { type Expression, type ExpressionBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Reader } from '../../base/db/database.ts'
import type { FaxJobRow, Tables } from '../../base/db/tables/tables.ts'
import { reverseDigits } from '../../base/number.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { isBetweenAttempts, isHeld } from '../move/hold.ts'
import { type CountedState, countStates, outcomeOf, phasesOf } from '../move/job-states.ts'
import { attentionPhases, beforeAnAttempt, needsAttention } from '../move/move.ts'
import { isVisible, visibleIn, type VisibleFaxes } from '../../access/visible.ts'

type Jobs = Tables & { job: FaxJobRow }
type JobQuery = SelectQueryBuilder<Jobs, 'job', object>
type Jobwise = ExpressionBuilder<Jobs, 'job'>

/** What a filter may hold as a status. */
type State = NonNullable<WireFilter['status']>

/** Which faxes are listed: the filter of a call, and which of those may be seen; all when that is not said. */
export interface JobFilter extends Omit<WireFilter, 'status'> {
  status?: State | State[] | undefined
  visible?: VisibleFaxes
  /** The providers to which nothing is sent now. */
  paused?: readonly string[]
  /** As it is dialed. */
  to?: string | undefined
  reference?: string | undefined
  /** Pairs, `name:value`: a fax has all of them. */
  metadata?: string[] | undefined
}

const listOf = (status: State | State[]): State[] => [status].flat()

/** A filter of one status at most. */
export type OneStatus = JobFilter & { status?: State }
/** A filter for each status that is asked for: together they hold what this one does, some faxes more than once. */
export function byStatus(filter: JobFilter): OneStatus[] {
  const { status, ...rest } = filter
  return status === undefined ? [rest] : listOf(status).map((one) => ({ ...rest, status: one }))
}

/** Without dates the number of jobs is kept; with dates counting stops here. */
const maxCounted = 10_000

/** The end of a day that was given without a time, otherwise the instant itself. */
export function endOf(day: string): string {
  const start = new Date(day)
  if (day.includes('T')) return start.toISOString()
  return new Date(start.getTime() + 24 * 3_600_000).toISOString()
}

/** The faxes that need a person, in the words of the index that lists them. */
export const needingPerson = (column: string) =>
  sql<boolean>`${sql.ref(column)} in (${sql.join(attentionPhases.map((phase) => sql.lit(phase)))})`

/** Of a failed fax that needs nobody: a person canceled it, said that it did not arrive, or has seen that a part did. */
const closedKinds = ['cancelled', 'uncertain', 'partial']

/**
 * Those that failed and that nobody has sent again, canceled or closed, and those that need a person. Of a fax that was
 * sent again, the new one may be unresolved. The first condition is in the words of the index.
 */
function isUnresolved(eb: Jobwise): Expression<SqlBool> {
  const attention = needingPerson('job.phase')
  const children = eb.selectFrom('fax_jobs as child').select('child.id')
  return eb.and([
    sql<boolean>`(${sql.ref('job.status')} = 'FAILED' or ${attention})`,
    eb.or([
      attention,
      eb.and([
        eb(eb.fn.coalesce('job.error_kind', sql.lit('')), 'not in', closedKinds),
        eb.not(eb.exists(children.whereRef('child.parent_id', '=', 'job.id'))),
      ]),
    ]),
  ])
}

const timeColumn = ({ time }: JobFilter) => (time === 'ended' ? 'finished_at' : 'created_at')

/** The lists that are no status of the wire. */
export const isState = (status: State | undefined) =>
  status === 'attention' || status === 'held' || status === 'unresolved' || status === 'waiting'

/** Held and waiting faxes keep their status, and are states of their own wherever faxes are listed or counted. */
const mayWait = (status: string) => status === 'queued' || status === 'in_progress'

/** Between two attempts, or not tried yet because its provider is paused. The first condition is in the words of its index. */
function isWaiting(eb: Jobwise, paused: readonly string[]): Expression<SqlBool> {
  const between = sql<boolean>`${sql.ref('job.phase')} = 'waiting_retry'`
  const isFree = eb('job.hold', 'is', null)
  const untried = eb.and([eb('job.status', '=', 'queued'), eb('job.backend', 'in', [...paused]), isFree])
  return paused.length > 0 ? eb.or([eb.and([between, isFree]), untried]) : eb.and([between, isFree])
}

/** Of a status of the wire, without those that are in a state of their own. */
function hasStatus(eb: Jobwise, status: FaxJobRow['status'], paused: readonly string[]): Expression<SqlBool> {
  const fitting = eb('job.status', '=', status)
  if (!mayWait(status)) return fitting
  const free = [fitting, eb.or([eb('job.hold', 'is', null), eb('job.phase', 'not in', [...beforeAnAttempt])])]
  if (status === 'in_progress')
    free.push(eb.or([eb('job.phase', '<>', 'waiting_retry'), eb('job.hold', 'is not', null)]))
  else if (paused.length > 0) free.push(eb('job.backend', 'not in', [...paused]))
  return eb.and(free)
}

function isIn(eb: Jobwise, state: State, paused: readonly string[]): Expression<SqlBool> {
  if (state === 'attention') return needingPerson('job.phase')
  if (state === 'unresolved') return isUnresolved(eb)
  if (state === 'held') return eb.and([eb('job.hold', 'is not', null), eb('job.phase', 'in', [...beforeAnAttempt])])
  return state === 'waiting' ? isWaiting(eb, paused) : hasStatus(eb, state, paused)
}

function carrying(db: Reader, pair: string) {
  const at = pair.indexOf(':')
  const [name, value] = [pair.slice(0, at), pair.slice(at + 1)]
  return db.selectFrom('fax_metadata').select('job_id').where('name', '=', name).where('value', '=', value)
}

/** @throws {Problem} `bad_request` without a broadcast: only its index finds faxes by their outcome */
function withOutcome(query: JobQuery, { broadcast, outcome }: JobFilter): JobQuery {
  if (!outcome) return query
  if (!broadcast) {
    throw new Problem('bad_request', 'Faxes are listed by `outcome` within one broadcast. Add `broadcast` with its id.')
  }
  const inPhase = query.where('job.phase', 'in', phasesOf(outcome))
  if (outcome === 'cancelled') return inPhase.where('job.error_kind', '=', 'cancelled')
  return outcome === 'failed' ? inPhase.where('job.error_kind', 'is distinct from', 'cancelled') : inPhase
}

/**
 * The jobs that fit a filter, its search aside, without order.
 * @throws {Problem} `bad_request` for an outcome without a broadcast
 */
export function filterJobs(db: Reader, filter: JobFilter, ids?: readonly string[]): JobQuery {
  const { visible = 'all', paused = [], status, backend, group, broadcast, from, to_date: until } = filter
  const { to, reference, metadata } = filter
  let query: JobQuery = db.selectFrom('fax_jobs as job')
  if (status) query = query.where((eb) => eb.or(listOf(status).map((state) => isIn(eb, state, paused))))
  if (backend) query = query.where('job.backend', '=', backend)
  if (broadcast) query = query.where('job.broadcast_id', '=', broadcast)
  query = withOutcome(query, filter)
  const at = `job.${timeColumn(filter)}` as const
  if (from) query = query.where(at, '>=', new Date(from).toISOString())
  if (until) query = query.where(at, '<', endOf(until))
  // Only what has ended has such an instant: with its status said, an index answers.
  if ((from || until) && filter.time === 'ended' && !status)
    query = query.where('job.status', 'in', ['SUCCESS', 'FAILED'])
  const seen = visibleIn(visible, 'job')
  if (seen) query = query.where(seen)
  if (group) query = query.where('job.group_id', '=', group)
  if (to) query = query.where('job.to_reversed', '=', reverseDigits(to))
  if (reference) query = query.where('job.reference', '=', reference)
  for (const pair of metadata ?? []) query = query.where('job.id', 'in', carrying(db, pair))
  if (ids) query = query.where('job.id', 'in', ids)
  return query
}

const stateColumns = ['status', 'phase', 'error_kind', 'hold', 'created_at', 'finished_at'] as const
/** What a filter is compared with, its search aside. */
export const judgedColumns = [...stateColumns, 'backend', 'broadcast_id', 'caller_key_id', 'group_id'] as const

/** Whether a job that is at hand fits a filter, its search aside. */
export function fitsFilter(job: Pick<FaxJobRow, (typeof judgedColumns)[number]>, filter: JobFilter): boolean {
  const { visible = 'all', paused = [], status, backend, group, broadcast, outcome, from, to_date: until } = filter
  const at = job[timeColumn(filter)] ?? ''
  // Whether it was sent again is known to the database alone, which leaves those out before.
  const states = {
    attention: needsAttention(job),
    held: isHeld(job),
    waiting: isBetweenAttempts(job) || (job.status === 'queued' && job.hold === null && paused.includes(job.backend)),
    unresolved: needsAttention(job) || job.status === 'FAILED',
  }
  const isFree = !(mayWait(job.status) && (states.held || states.waiting))
  const fits = (one: State) => (isState(one) ? states[one] : job.status === one && isFree)
  const hasStatus = !status || listOf(status).some(fits)
  const hasOutcome = !outcome || outcomeOf(job) === outcome
  const hasBackend = (!backend || job.backend === backend) && (!broadcast || job.broadcast_id === broadcast)
  const isOfGroup = !group || job.group_id === group
  const isSince = !from || at >= new Date(from).toISOString()
  const isUntil = !until || (at !== '' && at < endOf(until))
  return isVisible(visible, job) && isOfGroup && hasStatus && hasOutcome && hasBackend && isSince && isUntil
}

/**
 * How many jobs fit a filter, its search aside. The number is kept; with dates or several statuses, of a broadcast, a group or one sender, it is counted, which
 * stops at 10,000 and says so.
 * @param ended leaves out those that have not ended
 */
export async function countJobs(
  db: Reader,
  filter: JobFilter,
  ended = false,
): Promise<{ total: number; isMinimum: boolean }> {
  const isEverybodys = (filter.visible ?? 'all') === 'all'
  const [one, ...others] = byStatus(filter)
  const isStored = one && others.length === 0 && one.status !== 'unresolved'
  if (isStored && isEverybodys && !filter.from && !filter.to_date && !filter.broadcast && !filter.group)
    return { total: await storedCount(db, one, ended), isMinimum: false }
  const listed = filterJobs(db, filter)
  const fitting = ended ? listed.where('job.finished_at', 'is not', null) : listed
  // Passing over rows is the cheapest way to see that there are too many: only fewer are counted.
  const beyond = await fitting.select(sql.lit(1).as('one')).limit(1).offset(maxCounted).executeTakeFirst()
  if (beyond) return { total: maxCounted, isMinimum: true }
  const { n } = await fitting.select((eb) => eb.fn.countAll<number>().as('n')).executeTakeFirstOrThrow()
  return { total: n, isMinimum: false }
}

const endedStates: readonly CountedState[] = ['SUCCESS', 'FAILED']

async function storedCount(db: Reader, { status, backend, paused }: OneStatus, ended: boolean): Promise<number> {
  // In the whole list each fax is counted once; what needs a decision stands in its own state too.
  const isWanted = (state: CountedState) =>
    (status ? state === status : state !== 'attention') && (!ended || endedStates.includes(state))
  const counts = await countStates(db, paused)
  return counts.reduce(
    (sum, { backend: provider, state, jobs }) =>
      sum + (isWanted(state) && (!backend || provider === backend) ? jobs : 0),
    0,
  )
}
