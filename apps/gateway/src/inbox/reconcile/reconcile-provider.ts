import type { IncomingFax, Line, Provider, StatusUpdate } from '@faxdeck/provider-kit'
import type { GatewayContext } from '../../base/context.ts'
import { DatabaseAway } from '../../base/db/outage.ts'
import type { Database } from '../../base/db/database.ts'

type Direction = 'received' | 'sent'

/** Up to when a provider's list was compared with our records; undefined before the first time. */
async function sweptUntil({ db }: Database, provider: string, direction: Direction): Promise<Date | undefined> {
  const rows = db.selectFrom('provider_sweeps').select('swept_until')
  const row = await rows.where('provider', '=', provider).where('direction', '=', direction).executeTakeFirst()
  return row && new Date(row.swept_until)
}

async function markSwept({ db }: Database, provider: string, direction: Direction, until: Date): Promise<void> {
  const swept_until = until.toISOString()
  await db
    .insertInto('provider_sweeps')
    .values({ provider, direction, swept_until })
    .onConflict((conflict) => conflict.columns(['provider', 'direction']).doUpdateSet({ swept_until }))
    .execute()
}

const minute = 60_000
/** A fax is listed from when its call began, and may take this long to be whole. */
const overlapMs = 120 * minute
const listTimeoutMs = 120_000

/** Records what a list says. Both are safe to repeat. */
export interface Recorder {
  report: (provider: string, update: StatusUpdate, account: string | null) => Promise<unknown>
  receive: (provider: string, fax: IncomingFax) => Promise<unknown>
}

/**
 * Records each item of a list, also those after one that cannot be recorded: it must not hide them for ever.
 * @throws what the first failed with, so that the list is compared again
 */
async function recordEach<T>(items: readonly T[], record: (item: T) => Promise<unknown>, signal: AbortSignal) {
  const failures: Error[] = []
  for (const item of items) {
    signal.throwIfAborted()
    await record(item).catch((error: unknown) => {
      // None of the others can be recorded then either.
      if (error instanceof DatabaseAway) throw error
      failures.push(error instanceof Error ? error : new Error(String(error)))
    })
  }
  const [first] = failures
  if (first) throw first
}

/** What a line can be asked for, and where the answers go. */
function listsOf(account: string | null, record: Recorder, { id }: Provider, line: Line, direction: Direction) {
  const { listReceived, listSent } = line
  if (direction === 'received') {
    return (
      listReceived &&
      (async (since: Date, signal: AbortSignal) =>
        recordEach(await listReceived(since, signal), (fax) => record.receive(id, fax), signal))
    )
  }
  return (
    listSent &&
    (async (since: Date, signal: AbortSignal) =>
      recordEach(await listSent(since, signal), (update) => record.report(id, update, account), signal))
  )
}

/** Compares one list of a provider with our records, unless that was done a moment ago, by us or by another process. */
async function reconcile(
  context: GatewayContext,
  record: Recorder,
  [provider, direction]: readonly [Provider, Direction],
  signal: AbortSignal,
  isStart: boolean,
): Promise<void> {
  const { providers } = context
  const compare = listsOf(providers.account(provider.id), record, provider, providers.line(provider.id), direction)
  if (!compare) return
  // The provider's own clock, where it is known: its list is by that, and ours may be wrong or have been set.
  const now = () => context.providers.clock(provider.id)?.now ?? context.now()
  const until = await sweptUntil(context.database, provider.id, direction)
  const restedMs = until && now().getTime() - until.getTime()
  // Nobody took notices while the gateway was away, however short that was.
  const isDue = isStart && direction === 'received'
  if (
    !isDue &&
    restedMs !== undefined &&
    restedMs >= 0 &&
    restedMs < context.settings.current().reconcile_minutes * minute
  )
    return
  const begun = now()
  const since = new Date(Math.min(until?.getTime() ?? Infinity, begun.getTime()) - overlapMs)
  await compare(since, AbortSignal.any([signal, AbortSignal.timeout(listTimeoutMs)]))
  const latest = new Date(Math.min(begun.getTime(), now().getTime()))
  await markSwept(context.database, provider.id, direction, latest)
}

/**
 * The providers that may have received faxes for us: that of the settings, and every account in the cloud that is set up,
 * because numbers stay with one when another is chosen, and its callbacks are taken too. No line of a telephone engine is
 * opened for this.
 */
function receiving({ providers }: GatewayContext): Set<Provider> {
  const accounts = providers.providers.filter(
    (each) => each.kind === 'cloud' && each.traits.supports_inbound && providers.problemOf(each) === undefined,
  )
  return new Set([providers.inbound(), ...accounts])
}

/**
 * Asks the providers in use, where they can list their faxes, for what our records lack: received faxes whose
 * notification was lost, and states of sent ones. However long the gateway was away, it goes on from where it stopped;
 * of a provider that is new here it asks for the last two hours. One that fails is asked again next time,
 * but not before a time that it named itself.
 * @param isStart the gateway has just started, so that received faxes are asked for at once
 */
export async function reconcileProviders(
  context: GatewayContext,
  record: Recorder,
  signal: AbortSignal,
  isStart = false,
): Promise<void> {
  const { inbound_enabled, reconcile_minutes } = context.settings.current()
  if (reconcile_minutes === 0) return
  const tasks: [Provider, Direction][] = [[context.providers.outbound(), 'sent']]
  if (inbound_enabled) for (const provider of receiving(context)) tasks.push([provider, 'received'])
  const isStopped = () => signal.aborted
  for (const [provider, direction] of tasks) {
    if (isStopped() || context.providers.problemOf(provider) !== undefined) continue
    if (context.breakers.quietUntil(provider.id)) continue
    try {
      await reconcile(context, record, [provider, direction], signal, isStart)
    } catch (error) {
      context.breakers.heed(provider.id, error)
      if (!isStopped())
        context.log.warn(
          { err: error, provider: provider.id, direction },
          'A list of the provider could not be reconciled.',
        )
    }
  }
}
