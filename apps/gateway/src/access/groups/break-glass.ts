import { randomBytes } from 'node:crypto'
import { type FaxOpened, maxOpeningsAnHour, type Opening } from '@faxdeck/contract'
import { assertStillGood } from '../actors/still-good.ts'
import type { GatewayContext } from '../../base/context.ts'
import type { Tx, Reader } from '../../base/db/database.ts'
import { transact } from '../../base/db/transact.ts'
import { isVisible, visibleFaxes, visibleReceived } from '../visible.ts'
import type { Caller } from '../../base/http/handler.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { personIdOf } from '../actors/person-id.ts'
import type { FaxOpeningRow } from '../../base/db/tables/groups.ts'

const insertOpening = async (tx: Tx, row: Omit<FaxOpeningRow, 'id'>): Promise<void> => {
  await tx
    .insertInto('fax_openings')
    .values({ id: randomBytes(16).toString('hex'), ...row })
    .execute()
}

/** What somebody who opens a fax is called in the audit trail. */
async function nameOf(tx: Tx, personId: string): Promise<string> {
  const found = await tx.selectFrom('people').select('name').where('id', '=', personId).executeTakeFirst()
  return found?.name ?? personId
}

/** When a person tried to open faxes, oldest first, those that were not there too. */
async function triesOf(tx: Tx, personId: string, after: string): Promise<string[]> {
  const rows = tx.selectFrom('fax_openings').select('created_at').where('person_id', '=', personId)
  const tries = await rows.where('created_at', '>', after).orderBy('created_at').execute()
  return tries.map(({ created_at: at }) => at)
}

/** The faxes that a person has open now outside of their groups, by their ids. */
export async function openedBy(db: Reader, personId: string, now: string): Promise<string[]> {
  const rows = db.selectFrom('fax_openings').select('fax_id').where('person_id', '=', personId)
  return (await rows.where('until', '>', now).execute()).map(({ fax_id: id }) => id)
}

/** Who opened a fax outside of their groups, oldest first. */
export async function readOpenings(db: Reader, faxId: string): Promise<{ openings: Opening[] }> {
  const openings = await db
    .selectFrom('fax_openings')
    .innerJoin('people', 'people.id', 'fax_openings.person_id')
    .select(['people.id as person_id', 'people.name', 'reason', 'fax_openings.created_at as opened_at', 'until'])
    .where('fax_id', '=', faxId)
    .where('until', 'is not', null)
    .orderBy('fax_openings.created_at')
    .orderBy('fax_openings.id')
    .execute()
  return { openings: openings.map((each) => ({ ...each, until: each.until ?? each.opened_at })) }
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Which kind a fax is, and whether the caller sees it anyway; undefined when it is not there. */
async function lookUp(tx: Tx, id: string, caller: Caller, isReceiving: boolean) {
  const jobs = tx.selectFrom('fax_jobs').select(['group_id', 'caller_key_id']).where('id', '=', id)
  const sent = await jobs.executeTakeFirst()
  if (sent) return { direction: 'sent' as const, isSeen: isVisible(visibleFaxes(caller), sent) }
  const faxes = tx.selectFrom('inbound_faxes').select('group_id').where('id', '=', id)
  const received = isReceiving ? await faxes.executeTakeFirst() : undefined
  return received && { direction: 'received' as const, isSeen: isVisible(visibleReceived(caller), received) }
}

/** @throws {Problem} `rate_limited` for who tried often within the hour */
async function assertFewTries(tx: Tx, personId: string, now: Date): Promise<void> {
  const tries = await triesOf(tx, personId, new Date(now.getTime() - hourMs).toISOString())
  const oldest = tries.at(-maxOpeningsAnHour)
  if (oldest === undefined) return
  const retryAfterSeconds = Math.max(1, Math.ceil((Date.parse(oldest) + hourMs - now.getTime()) / 1000))
  const sentence = `You searched for or tried to open faxes ${maxOpeningsAnHour} times within an hour. Try again in ${Math.ceil(retryAfterSeconds / 60)} min, or ask an operator.`
  throw new Problem('rate_limited', sentence, { retryAfterSeconds })
}

const requireOn = ({ settings }: GatewayContext): number => {
  const { break_glass_minutes: minutes } = settings.current()
  if (minutes > 0) return minutes
  throw new Problem('feature_disabled', 'Emergency access is off. Ask an operator, who sees all faxes.')
}

/**
 * Records that a person looks for faxes outside of their groups, which counts as a try to open one. Await it before
 * anything is looked for. What was typed is not recorded: words may name a patient.
 * @throws {Problem} `feature_disabled`, `rate_limited`, `conflict` for a key, which is no person
 */
export async function noteSearch(
  context: GatewayContext,
  { reason, number, words }: { reason: string; number: string | undefined; words: string | undefined },
  keyId: string,
): Promise<void> {
  const { database, events, now } = context
  requireOn(context)
  const personId = personIdOf(keyId)
  if (personId === undefined)
    throw new Problem('conflict', 'Only people search with a reason. A key lists the faxes it sees.')
  await transact(database, async (tx) => {
    await assertStillGood(tx, keyId, now())
    const at = now()
    await assertFewTries(tx, personId, at)
    await insertOpening(tx, { person_id: personId, fax_id: '', reason, until: null, created_at: at.toISOString() })
    const facts = { key_id: keyId, name: await nameOf(tx, personId), reason }
    const sought = { ...(number !== undefined && { to: number }), ...(words !== undefined && { words: true as const }) }
    await events.faxSearchWithReason({ ...facts, ...sought }, tx)
  })
}

/**
 * Opens a fax outside of the groups of a person for some minutes. Each try is recorded, one at an id that is not there too.
 * @throws {Problem} `feature_disabled`, `fax_not_found`, `rate_limited`, `conflict` for a fax the caller sees anyway
 */
export async function breakGlass(context: GatewayContext, id: string, reason: string, caller: Caller) {
  const { database, events, settings, now } = context
  const { inbound_enabled: isReceiving } = settings.current()
  const minutes = requireOn(context)
  const opened = await transact(database, async (tx): Promise<FaxOpened | undefined> => {
    // Holds the person, so that many tries at once are counted one after the other.
    await assertStillGood(tx, caller.keyId, now())
    const found = await lookUp(tx, id, caller, isReceiving)
    if (found?.isSeen) throw new Problem('conflict', 'You can already see this fax. No reason is needed.')
    const personId = personIdOf(caller.keyId)
    if (personId === undefined) return undefined
    const at = now()
    await assertFewTries(tx, personId, at)
    const until = found ? new Date(at.getTime() + minutes * minuteMs).toISOString() : null
    const row = { person_id: personId, fax_id: id, reason, until, created_at: at.toISOString() }
    await insertOpening(tx, row)
    const name = await nameOf(tx, personId)
    const facts = { key_id: caller.keyId, name, job_id: id, reason }
    if (!found || until === null) {
      await events.faxOpeningMissed(facts, tx)
      return undefined
    }
    await events.faxOpenedWithReason({ ...facts, direction: found.direction, until }, tx)
    return { direction: found.direction, until }
  })
  if (!opened) throw new Problem('fax_not_found')
  return opened
}
