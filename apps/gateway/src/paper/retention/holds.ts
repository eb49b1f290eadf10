import { randomBytes } from 'node:crypto'
import type { HoldKind, LegalHold } from '@faxdeck/contract'
import { isFaxNumber, stripNumber } from '@faxdeck/contract/phone'
import { readKeyNames } from '../../access/actors/key-names.ts'
import { assertStillGood } from '../../access/actors/still-good.ts'
import type { GatewayContext } from '../../base/context.ts'
import type { Tx, Reader } from '../../base/db/database.ts'
import type { LegalHoldRow } from '../../base/db/tables/retention.ts'
import { transact } from '../../base/db/transact.ts'
import { soughtNumber } from '../../base/number.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { actorIdOf } from '../../access/actors/person-id.ts'
import { holdsOn, lockHolds } from './held.ts'

interface NewHold {
  kind: HoldKind
  subject: string
  reason: string
}

const international = /^\+[1-9]\d{4,14}$/

/** The number of the other side of a fax, for a caller who does not see it in full. @throws {Problem} */
async function otherSideOf(db: Reader, faxId: string): Promise<string> {
  const sent = db.selectFrom('fax_jobs').select('to_number as number').where('id', '=', faxId)
  const received = db.selectFrom('inbound_faxes').select('from_number as number').where('id', '=', faxId)
  const fax = (await sent.executeTakeFirst()) ?? (await received.executeTakeFirst())
  if (!fax) throw new Problem('fax_not_found')
  if (fax.number === null) throw new Problem('bad_number', 'The number this fax came from is unknown.')
  return fax.number
}

/** The subject as it is compared: a number in E.164 form, typed nationally or not. @throws {Problem} `bad_number` */
function readSubject({ kind, subject }: NewHold, country: string): string {
  // A request that waits for approval keeps the id of the fax that it may become.
  if (kind === 'fax') return subject.replace(/^apr_/, '')
  if (kind !== 'number') return subject
  const stripped = stripNumber(subject)
  return international.test(stripped) && !isFaxNumber(stripped) ? stripped : soughtNumber(stripped, country)
}

/** A hold on what is not there would protect nothing, and nobody would notice. @throws {Problem} */
async function requireSubject(tx: Tx, { kind, subject }: NewHold): Promise<void> {
  if (kind === 'number') return
  const tables = {
    fax: ['fax_jobs', 'inbound_faxes'],
    person: ['people'],
    group: ['groups'],
  } as const
  if (kind === 'key') {
    const key = await tx.selectFrom('api_keys').select('key_id').where('key_id', '=', subject).executeTakeFirst()
    if (!key && subject !== 'bootstrap') throw new Problem('key_not_found', 'There is no API key with this id.')
    return
  }
  for (const table of tables[kind]) {
    if (await tx.selectFrom(table).select('id').where('id', '=', subject).executeTakeFirst()) return
  }
  if (kind === 'fax') {
    const request = tx.selectFrom('fax_approvals').select('id').where('id', '=', `apr_${subject}`)
    if (await request.executeTakeFirst()) return
    throw new Problem('fax_not_found')
  }
  if (kind === 'person') throw new Problem('person_not_found')
  throw new Problem('not_found', 'There is no group with this id.')
}

const factsOf = ({ id, kind, subject }: LegalHoldRow, reason: string, keyId: string) => ({
  hold: id,
  kind,
  reason,
  key_id: keyId,
  ...(kind === 'fax' && { job_id: subject }),
  ...(kind === 'number' && { to: subject }),
  ...(kind === 'person' && { person: subject }),
})

/** The subject of a hold, by the id under which its name is found. */
const actorOf = ({ kind, subject }: LegalHoldRow) => (kind === 'person' ? actorIdOf(subject) : subject)

async function present({ database }: GatewayContext, rows: readonly LegalHoldRow[]): Promise<LegalHold[]> {
  const actors = rows.flatMap((row) => [row.placed_by, row.lifted_by, actorOf(row)])
  const names = await readKeyNames(database, actors)
  const held = rows.flatMap(({ kind, subject }) => (kind === 'group' ? [subject] : []))
  const groups =
    held.length === 0
      ? []
      : await database.db.selectFrom('groups').select(['id', 'name']).where('id', 'in', held).execute()
  const groupNames = new Map(groups.map(({ id, name }) => [id, name]))
  return rows.map((row) => ({
    ...row,
    subject_name: (row.kind === 'group' ? groupNames.get(row.subject) : names.get(actorOf(row))) ?? null,
    placed_by_name: names.get(row.placed_by) ?? null,
    lifted_by_name: names.get(row.lifted_by ?? '') ?? null,
  }))
}

/** @param faxId only those in force that keep this fax */
export async function listHolds(context: GatewayContext, faxId?: string): Promise<LegalHold[]> {
  const { db } = context.database
  if (faxId !== undefined) return present(context, await holdsOn(db, faxId))
  const all = db.selectFrom('legal_holds').selectAll().orderBy('placed_at', 'desc').orderBy('id')
  return present(context, await all.execute())
}

async function presentOne(context: GatewayContext, row: LegalHoldRow): Promise<LegalHold> {
  const [shown] = await present(context, [row])
  if (!shown) throw new Problem('hold_not_found')
  return shown
}

/**
 * Places a hold. From the moment this resolves, nothing is deleted that it is about, except what was recorded before.
 * @throws {Problem} when there is no such subject, `bad_number`
 */
export async function placeHold(context: GatewayContext, hold: NewHold, keyId: string): Promise<LegalHold> {
  const { database, events, now, settings } = context
  const isOfFax = hold.kind === 'number' && /^[0-9a-f]{32}$/.test(hold.subject)
  const named = isOfFax ? { ...hold, subject: await otherSideOf(database.db, hold.subject) } : hold
  const subject = readSubject(named, settings.current().default_country)
  const row: LegalHoldRow = {
    id: randomBytes(6).toString('hex'),
    ...hold,
    subject,
    placed_by: keyId,
    placed_at: now().toISOString(),
    lifted_by: null,
    lifted_at: null,
    lift_reason: null,
  }
  await transact(database, async (tx) => {
    await assertStillGood(tx, keyId, now())
    await lockHolds(tx, database.engine, 'alone')
    // Nobody removes a group between this look and the hold.
    await requireSubject(tx, row)
    await tx.insertInto('legal_holds').values(row).execute()
    await events.holdPlaced(factsOf(row, row.reason, keyId), tx)
  })
  return presentOne(context, row)
}

/** @throws {Problem} `hold_not_found`, `conflict` when it was lifted before */
export async function liftHold(context: GatewayContext, id: string, reason: string, keyId: string): Promise<LegalHold> {
  const { database, events, now } = context
  const row = await transact(database, async (tx) => {
    await assertStillGood(tx, keyId, now())
    const lifted = { lifted_by: keyId, lifted_at: now().toISOString(), lift_reason: reason }
    const row = await tx
      .updateTable('legal_holds')
      .set(lifted)
      .where('id', '=', id)
      .where('lifted_at', 'is', null)
      .returningAll()
      .executeTakeFirst()
    if (row) {
      await events.holdLifted(factsOf(row, reason, keyId), tx)
      return row
    }
    const present = await tx.selectFrom('legal_holds').select('id').where('id', '=', id).executeTakeFirst()
    throw present ? new Problem('conflict', 'This hold has been lifted already.') : new Problem('hold_not_found')
  })
  return presentOne(context, row)
}
