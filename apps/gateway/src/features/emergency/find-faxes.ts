import { maskNumber, maxOpenableFaxes, type OpenableFax } from '@faxdeck/contract'
import { sql } from 'kysely'
import { noteSearch } from '../../access/groups/break-glass.ts'
import { isVisible, visibleFaxes, visibleReceived } from '../../access/visible.ts'
import type { GatewayContext } from '../../base/context.ts'
import type { Caller } from '../../base/http/handler.ts'
import { reverseDigits, soughtNumber } from '../../base/number.ts'
import { findFaxes } from '../../paper/page-text/find.ts'
import { matchesNumber } from '../../paper/retention/same-number.ts'

interface Sought {
  number: string | undefined
  words?: string | undefined
  from?: string | undefined
  until?: string | undefined
}

/** One more than are shown tells whether there are more. */
const atMost = maxOpenableFaxes + 1

const masked = (number: string | null) => number && maskNumber(number)

async function findSent(context: GatewayContext, { number, words, from, until }: Sought, caller: Caller) {
  const { database } = context
  let jobs = database.db.selectFrom('fax_jobs')
  if (number !== undefined) jobs = jobs.where('to_reversed', '=', reverseDigits(number)).where('to_number', '=', number)
  if (words !== undefined) jobs = jobs.where('id', 'in', (await findFaxes(database, 'sent', words)).ids)
  if (from !== undefined) jobs = jobs.where('created_at', '>=', from)
  if (until !== undefined) jobs = jobs.where('created_at', '<', until)
  const columns = ['id', 'created_at', 'to_number', 'pages', 'group_id', 'caller_key_id'] as const
  const found = await jobs.select(columns).orderBy('created_at', 'desc').limit(atMost).execute()
  return found.map((job): OpenableFax => {
    const { id, created_at: at, to_number: to, pages } = job
    return { id, direction: 'sent', at, number: masked(to), pages, visible: isVisible(visibleFaxes(caller), job) }
  })
}

async function findReceived(context: GatewayContext, { number, words, from, until }: Sought, caller: Caller) {
  const { database, settings } = context
  if (!settings.current().inbound_enabled) return []
  let faxes = database.db.selectFrom('inbound_faxes')
  if (number !== undefined) {
    const wanted = sql`${number}`
    const isFrom = matchesNumber('inbound_faxes.from_number', wanted)
    faxes = faxes.where(sql<boolean>`(${isFrom} or ${matchesNumber('inbound_faxes.to_number', wanted)})`)
  }
  if (words !== undefined) faxes = faxes.where('id', 'in', (await findFaxes(database, 'received', words)).ids)
  if (from !== undefined) faxes = faxes.where('received_at', '>=', from)
  if (until !== undefined) faxes = faxes.where('received_at', '<', until)
  const columns = ['id', 'received_at', 'from_number', 'pages', 'group_id'] as const
  const found = await faxes.select(columns).orderBy('received_at', 'desc').limit(atMost).execute()
  return found.map((fax): OpenableFax => {
    const { id, received_at: at, from_number: from, pages } = fax
    return {
      id,
      direction: 'received',
      at,
      number: masked(from),
      pages,
      visible: isVisible(visibleReceived(caller), fax),
    }
  })
}

/**
 * Looks for faxes outside of the groups of a person. It is recorded first, with the reason.
 * @returns what it takes to choose one, newest first, and nothing of the content
 * @throws {Problem} `bad_number`, and what `noteSearch` throws
 */
export async function findFaxesToOpen(
  context: GatewayContext,
  {
    reason,
    number: typed,
    words,
    from,
    until,
  }: Omit<Sought, 'number'> & { reason: string; number?: string | undefined },
  caller: Caller,
): Promise<{ faxes: OpenableFax[]; more: boolean }> {
  const { default_country: country } = context.settings.current()
  const number = typed === undefined ? undefined : soughtNumber(typed, country)
  await noteSearch(context, { reason, number, words }, caller.keyId)
  const sought = { number, words, from, until }
  const all = [...(await findSent(context, sought, caller)), ...(await findReceived(context, sought, caller))]
  const faxes = all.toSorted((one, other) => other.at.localeCompare(one.at))
  return { faxes: faxes.slice(0, maxOpenableFaxes), more: faxes.length > maxOpenableFaxes }
}
