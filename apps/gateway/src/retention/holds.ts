import { randomBytes } from 'node:crypto'
import type { HoldKind, LegalHold } from '@faxdeck/contract'
import { stripNumber } from '@faxdeck/contract/phone'
import { assertStillGood } from '../api-keys/still-good.ts'
import type { GatewayContext } from '../context.ts'
import type { Tx } from '../db/database.ts'
import type { LegalHoldRow } from '../db/tables/retention.ts'
import { transact } from '../db/transact.ts'
import { readNumber } from '../faxes/accept/number.ts'
import { Problem } from '../http/answers/problem.ts'
import { lockHolds } from './held.ts'

interface NewHold {
  kind: HoldKind
  subject: string
  reason: string
}

const international = /^\+[1-9]\d{4,14}$/

/** The subject as it is compared: a number in E.164 form, typed nationally or not. @throws {Problem} `bad_number` */
function readSubject({ kind, subject }: NewHold, country: string): string {
  if (kind !== 'number') return subject
  const stripped = stripNumber(subject)
  return international.test(stripped) ? stripped : readNumber(stripped, country)
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
  if (kind === 'fax') throw new Problem('fax_not_found')
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
})

export const listHolds = ({ database }: GatewayContext): Promise<LegalHold[]> =>
  database.db.selectFrom('legal_holds').selectAll().orderBy('placed_at', 'desc').orderBy('id').execute()

/**
 * Places a hold. From the moment this resolves, nothing is deleted that it is about, except what was recorded before.
 * @throws {Problem} when there is no such subject, `bad_number`
 */
export async function placeHold(context: GatewayContext, hold: NewHold, keyId: string): Promise<LegalHold> {
  const { database, events, now, settings } = context
  const subject = readSubject(hold, settings.current().default_country)
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
    await requireSubject(tx, row)
    await lockHolds(tx, database.engine, 'alone')
    await tx.insertInto('legal_holds').values(row).execute()
    await events.holdPlaced(factsOf(row, row.reason, keyId), tx)
  })
  return row
}

/** @throws {Problem} `hold_not_found`, `conflict` when it was lifted before */
export async function liftHold(
  { database, events, now }: GatewayContext,
  id: string,
  reason: string,
  keyId: string,
): Promise<LegalHold> {
  return transact(database, async (tx) => {
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
}
