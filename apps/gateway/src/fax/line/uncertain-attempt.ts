import type { UncertainAttempt } from '@faxdeck/provider-kit'
import type { FaxAttemptRow } from '../../base/db/tables/tables.ts'
import type { Database } from '../../base/db/database.ts'
import type { GatewayContext } from '../../base/context.ts'

/** Attempts further apart than this are distinguished by the time at which the provider wrote them down. */
const rivalWithinMs = 10 * 60_000

async function hasRival({ database: { db } }: GatewayContext, attempt: FaxAttemptRow, to: string): Promise<boolean> {
  const near = (ms: number) => new Date(Date.parse(attempt.started_at) + ms).toISOString()
  const rivals = db
    .selectFrom('fax_attempts')
    .innerJoin('fax_jobs', 'fax_jobs.id', 'fax_attempts.job_id')
    .select('fax_attempts.id')
    .where('fax_attempts.provider', '=', attempt.provider)
    .where('fax_attempts.provider_id', 'is', null)
    .where('fax_attempts.id', '!=', attempt.id)
    .where('fax_attempts.started_at', '>', near(-rivalWithinMs))
    .where('fax_attempts.started_at', '<', near(rivalWithinMs))
    .where('fax_jobs.to_number', '=', to)
    // What ended for any other reason was certainly not taken.
    .where((eb) => eb.or([eb('kind', 'is', null), eb('kind', '=', 'uncertain')]))
  return (await rivals.executeTakeFirst()) !== undefined
}

/** The latest fax that the provider took from the account of an attempt. */
async function witnessOf({ database: { db } }: GatewayContext, attempt: FaxAttemptRow) {
  const taken = db
    .selectFrom('fax_attempts')
    .innerJoin('fax_jobs', 'fax_jobs.id', 'fax_attempts.job_id')
    .select(['fax_attempts.id', 'fax_attempts.provider_id', 'fax_jobs.to_number'])
    .where('fax_attempts.provider', '=', attempt.provider)
    .where('fax_attempts.account', '=', attempt.account)
    .where('fax_attempts.id', '!=', attempt.id)
    .where('fax_attempts.provider_id', 'is not', null)
  const latest = await taken.orderBy('fax_attempts.started_at', 'desc').executeTakeFirst()
  if (!latest?.provider_id) return undefined
  return { attemptId: latest.id, providerId: latest.provider_id, to: latest.to_number }
}

/** By the steady clock: when this process learned that an attempt was over. Forgotten ones are learned anew. */
const overSince = new WeakMap<Database, Map<string, number>>()
const remembered = 1000

function rememberOver(database: Database, attemptId: string, steadyMs: number): void {
  const since = overSince.get(database) ?? new Map<string, number>()
  overSince.set(database, since)
  since.delete(attemptId)
  since.set(attemptId, steadyMs)
  const [oldest] = since.keys()
  if (since.size > remembered && oldest !== undefined) since.delete(oldest)
}

/** Undefined too where the provider's clock was set meanwhile: what was read from it before means nothing any more. */
function overForMs({ database, providers }: GatewayContext, { id, provider }: FaxAttemptRow): number | undefined {
  const clock = providers.clock(provider)
  const since = overSince.get(database)?.get(id)
  return clock && since !== undefined && since >= clock.evenSinceMs ? clock.steadyMs - since : undefined
}

const dateOf = (instant: string | null) => (instant === null ? undefined : new Date(instant))

/** What a provider is told of an attempt when it is asked whether it took it. */
export function handedOver(context: GatewayContext, attempt: FaxAttemptRow, to: string): UncertainAttempt {
  const { provider, id } = attempt
  return {
    to,
    from: attempt.from_number ?? undefined,
    at: new Date(attempt.started_at),
    begunAfter: dateOf(attempt.begun_after),
    overBy: dateOf(attempt.over_by),
    clock: () => context.providers.clock(provider)?.now,
    overForMs: () => overForMs(context, attempt),
    witness: () => witnessOf(context, attempt),
    isKnown: async (providerId) => {
      const others = context.database.db.selectFrom('fax_attempts').select('id').where('id', '!=', id)
      const same = others.where('provider', '=', provider).where('provider_id', '=', providerId)
      return (await same.executeTakeFirst()) !== undefined
    },
    hasRival: () => hasRival(context, attempt, to),
  }
}

/** Dates are told in whole seconds, and the fraction is left out. */
const roundedMs = 1000

/**
 * Keeps, the first time that the provider answered this process a question about an attempt, what its clock showed: the
 * attempt was over by then, and what it lists with a later stamp came afterwards.
 * @param askedFor how long ago the question was asked, in milliseconds of the steady clock
 */
export async function keepOverBy(context: GatewayContext, attempt: FaxAttemptRow, askedFor: number): Promise<void> {
  const { database, providers } = context
  const clock = providers.clock(attempt.provider)
  if (overForMs(context, attempt) !== undefined || !clock || clock.ageMs > askedFor) return
  const over_by = new Date(clock.now.getTime() + roundedMs).toISOString()
  await database.db.updateTable('fax_attempts').set({ over_by }).where('id', '=', attempt.id).execute()
  rememberOver(database, attempt.id, clock.steadyMs)
}
