import { randomBytes } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import type { GatewayContext } from '../../base/context.ts'
import type { Tx } from '../../base/db/database.ts'
import { untilBack } from '../../base/db/outage.ts'
import type { NumberSpellingRow } from '../../base/db/tables/calls.ts'
import { transact } from '../../base/db/transact.ts'
import { reverseDigits, spellNumber } from '../../base/number.ts'
import { renumberPage } from '../../paper/page-text/renumber.ts'
import { mayBeNumber } from '../../paper/retention/same-number.ts'

/** Numbers that came from an earlier gateway as it wrote them are read with the country of the settings at the next start. */
export async function respellLater(tx: Tx): Promise<void> {
  const lists = (['received', 'sent'] as const).map((list) => ({ list, after: '', changed: 0 }))
  await tx
    .insertInto('number_spelling')
    .values(lists)
    .onConflict((conflict) => conflict.column('list').doUpdateSet({ after: '' }))
    .execute()
}

type RespellContext = Pick<GatewayContext, 'database' | 'settings' | 'events' | 'now' | 'log'>
type Spell = (written: string) => string
/** A piece of a list. `last` is the row it ended with; null at the end of the list. */
interface Piece {
  changed: number
  last: string | null
}

const atOnce = 500
/** In the order in which they are done: what keeps faxes comes before the faxes. */
const lists = ['holds', 'groups', 'received', 'sent'] as const

/** Who calls and is called is few: each is read once. */
function speller({ settings }: RespellContext): Spell {
  const { default_country: country } = settings.current()
  const known = new Map<string, string>()
  return (written) => {
    const spelled = known.get(written) ?? spellNumber(written, country)
    if (known.size < 50_000) known.set(written, spelled)
    return spelled
  }
}

const numbersHeld = async (tx: Tx) => {
  const holds = tx.selectFrom('legal_holds').selectAll().where('kind', '=', 'number').where('lifted_at', 'is', null)
  return holds.orderBy('id').execute()
}

/**
 * A hold stays as it was placed, because faxes that were dialed so keep their number; the same hold is placed on the
 * number as it is written from now on.
 */
async function respellHolds({ events, now }: RespellContext, tx: Tx, spell: Spell): Promise<Piece> {
  const holds = await numbersHeld(tx)
  const held = new Set(holds.map(({ subject }) => subject))
  let changed = 0
  for (const hold of holds) {
    const subject = spell(hold.subject)
    if (held.has(subject)) continue
    held.add(subject)
    changed += 1
    const row = { ...hold, id: randomBytes(6).toString('hex'), subject, placed_at: now().toISOString() }
    await tx.insertInto('legal_holds').values(row).execute()
    const { id, kind, reason, placed_by: key_id } = row
    await events.holdPlaced({ hold: id, kind, reason, key_id, to: subject }, tx)
  }
  return { changed, last: null }
}

/** A number that another group has in the other spelling stays as it is: a person must say whose it is. */
async function respellGroups(_: RespellContext, tx: Tx, spell: Spell): Promise<Piece> {
  const numbers = await tx.selectFrom('group_numbers').selectAll().orderBy('number').execute()
  const owners = new Map(numbers.map((row) => [row.number, row.group_id]))
  let changed = 0
  for (const { number, group_id: group } of numbers) {
    const spelled = spell(number)
    const owner = owners.get(spelled)
    if (spelled === number || (owner !== undefined && owner !== group)) continue
    await tx.deleteFrom('group_numbers').where('number', '=', number).execute()
    if (owner === undefined) await tx.insertInto('group_numbers').values({ number: spelled, group_id: group }).execute()
    owners.set(spelled, group)
    const calling = tx.updateTable('groups').set({ calling_number: spelled })
    await calling.where('id', '=', group).where('calling_number', '=', number).execute()
    changed += 1
  }
  return { changed, last: null }
}

async function respellReceived(_: RespellContext, tx: Tx, spell: Spell, after: string): Promise<Piece> {
  const some = tx.selectFrom('inbound_faxes').select(['id', 'from_number', 'to_number']).where('id', '>', after)
  const rows = await some.orderBy('id').limit(atOnce).execute()
  const held = (await numbersHeld(tx)).map(({ subject }) => subject)
  /** As it was, a hold that knows less of countries may keep the fax: it must go on keeping it. */
  const keeping = (written: string | null) => {
    const spelled = written && spell(written)
    if (!spelled || held.includes(spelled) || !held.some((each) => mayBeNumber(written, each))) return spelled
    return written
  }
  let changed = 0
  for (const { id, from_number: from, to_number: to } of rows) {
    const numbers = { from_number: keeping(from), to_number: keeping(to) }
    if (numbers.from_number === from && numbers.to_number === to) continue
    await tx.updateTable('inbound_faxes').set(numbers).where('id', '=', id).execute()
    await renumberPage(tx, 'received', id, [
      [from, numbers.from_number],
      [to, numbers.to_number],
    ])
    changed += 1
  }
  return { changed, last: rows.length < atOnce ? null : (rows.at(-1)?.id ?? null) }
}

/** What was dialed from here begins with a + and stays what was dialed; the rest came from an earlier gateway. */
async function respellSent(_: RespellContext, tx: Tx, spell: Spell, after: string): Promise<Piece> {
  const some = tx.selectFrom('fax_jobs').select(['id', 'to_number']).where('id', '>', after)
  const ended = some.where('to_number', 'not like', '+%').where('finished_at', 'is not', null)
  const rows = await ended.orderBy('id').limit(atOnce).execute()
  let changed = 0
  for (const { id, to_number: to } of rows) {
    const spelled = spell(to)
    if (spelled === to) continue
    const numbers = { to_number: spelled, to_reversed: reverseDigits(spelled) }
    await tx.updateTable('fax_jobs').set(numbers).where('id', '=', id).execute()
    await renumberPage(tx, 'sent', id, [[to, spelled]])
    changed += 1
  }
  return { changed, last: rows.length < atOnce ? null : (rows.at(-1)?.id ?? null) }
}

const steps = { holds: respellHolds, groups: respellGroups, received: respellReceived, sent: respellSent }

/** Whether the list is as this process has read it. Another one that does the same waits here, and sees that it is not. */
async function isCurrent(tx: Tx, { list, after }: NumberSpellingRow): Promise<boolean> {
  const same = tx.updateTable('number_spelling').set({ after }).where('list', '=', list).where('after', '=', after)
  return (await same.executeTakeFirst()).numUpdatedRows > 0n
}

/** One piece and how far it got commit together: what dies meanwhile goes on where it was. */
const doPiece = (context: RespellContext, spell: Spell, row: NumberSpellingRow): Promise<number> =>
  transact(context.database, async (tx) => {
    if (!(await isCurrent(tx, row))) return 0
    const { changed, last } = await steps[row.list](context, tx, spell, row.after)
    const progress = { after: last ?? '', changed: row.changed + changed }
    if (last === null) await tx.deleteFrom('number_spelling').where('list', '=', row.list).execute()
    else await tx.updateTable('number_spelling').set(progress).where('list', '=', row.list).execute()
    return progress.changed
  })

/**
 * Writes the numbers of what is stored in one spelling, E.164, each list once in the life of a database. Numbers that are
 * none, and those that could be of two countries, stay as they are, as does the audit trail. Safe in several processes
 * at once, and after any of them died.
 * @returns how many rows were changed, by list
 */
export async function respellNumbers(context: RespellContext): Promise<Record<NumberSpellingRow['list'], number>> {
  const { database, log } = context
  const done = { holds: 0, groups: 0, received: 0, sent: 0 }
  const waiting = await database.db.selectFrom('number_spelling').select('list').execute()
  if (waiting.length === 0) return done
  const spell = speller(context)
  for (const list of lists) {
    for (;;) {
      const row = await database.db
        .selectFrom('number_spelling')
        .selectAll()
        .where('list', '=', list)
        .executeTakeFirst()
      if (!row) break
      // On a slow machine a piece of another process can take longer than a lock is waited for.
      done[list] = await untilBack(() => doPiece(context, spell, row))
      await turn()
    }
  }
  const rows = Object.values(done).reduce((sum, count) => sum + count, 0)
  if (rows > 0)
    log.info({ rows, ...done }, `Numbers are now stored in one spelling (E.164): ${rows} rows were rewritten.`)
  return done
}
