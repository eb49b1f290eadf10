import { sql } from 'kysely'
import type { Tx, Reader } from '../../../base/db/database.ts'
import type { PasskeyRow, TotpRow } from '../../../base/db/tables/factors.ts'
import { randomBytes } from 'node:crypto'
import { hashToken } from '../sessions.ts'

const howMany = 10
const codeBytes = 10
/** Crockford's base32: nothing that is taken for another sign when it is read from paper. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

function newCode(): string {
  const bits = Array.from(randomBytes(codeBytes), (byte) => byte.toString(2).padStart(8, '0')).join('')
  const signs = (bits.match(/.{5}/g) ?? []).map((five) => alphabet[Number.parseInt(five, 2)]).join('')
  return (signs.match(/.{4}/g) ?? []).join('-')
}

/** Ten codes of 80 random bits: "7kq2-x9fb-…". */
export const newRecoveryCodes = (): string[] => Array.from({ length: howMany }, newCode)

/** What is kept of a code, however it is typed. */
function hashRecoveryCode(typed: string): string {
  const plain = typed.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1')
  return hashToken(`recovery ${plain}`)
}

/** What a person can prove who they are with, beside the password. */
export interface Factors {
  totp: TotpRow | undefined
  passkeys: PasskeyRow[]
  recoveryCodes: number
}

export async function readFactors(db: Reader, personId: string): Promise<Factors> {
  const [totp, passkeys, codes] = await Promise.all([
    db.selectFrom('person_totp').selectAll().where('person_id', '=', personId).executeTakeFirst(),
    db.selectFrom('person_passkeys').selectAll().where('person_id', '=', personId).orderBy('created_at').execute(),
    db.selectFrom('person_recovery_codes').select('sha256').where('person_id', '=', personId).execute(),
  ])
  return { totp, passkeys, recoveryCodes: codes.length }
}

/** Recovery codes alone are no factor: they stand in for one that was lost. */
export const hasFactor = ({ totp, passkeys }: Factors): boolean => totp !== undefined || passkeys.length > 0

/** Who has a second factor. */
export async function readFactorHolders(db: Reader): Promise<Set<string>> {
  const [apps, passkeys] = await Promise.all([
    db.selectFrom('person_totp').select('person_id').execute(),
    db.selectFrom('person_passkeys').select('person_id').distinct().execute(),
  ])
  return new Set([...apps, ...passkeys].map(({ person_id: id }) => id))
}

/** @returns whether the person had no authenticator app yet */
export async function insertTotp(tx: Tx, row: TotpRow): Promise<boolean> {
  const inserted = tx
    .insertInto('person_totp')
    .values(row)
    .onConflict((conflict) => conflict.column('person_id').doNothing())
  return ((await inserted.executeTakeFirst()).numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Uses the code of a step up. @returns whether it, or a later one, was not used before */
export async function useStep(tx: Tx, personId: string, step: number, at: string): Promise<boolean> {
  const used = tx
    .updateTable('person_totp')
    .set({ last_step: step, last_used_at: at })
    .where('person_id', '=', personId)
    .where('last_step', '<', step)
  return (await used.executeTakeFirst()).numUpdatedRows > 0n
}

export async function removeTotp(tx: Tx, personId: string): Promise<boolean> {
  const removed = await tx.deleteFrom('person_totp').where('person_id', '=', personId).executeTakeFirst()
  return removed.numDeletedRows > 0n
}

export function findPasskey(db: Reader, credentialId: string): Promise<PasskeyRow | undefined> {
  return db.selectFrom('person_passkeys').selectAll().where('credential_id', '=', credentialId).executeTakeFirst()
}

/** @returns whether nobody has registered it before */
export async function insertPasskey(tx: Tx, row: PasskeyRow): Promise<boolean> {
  const inserted = tx
    .insertInto('person_passkeys')
    .values(row)
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
  return ((await inserted.executeTakeFirst()).numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Notes a use. @returns whether the counter was still what it was compared with: a copy of the passkey may be in use */
export async function usePasskey(tx: Tx, { id, counter }: PasskeyRow, next: number, at: string): Promise<boolean> {
  const used = tx
    .updateTable('person_passkeys')
    .set({ counter: next, last_used_at: at })
    .where('id', '=', id)
    .where('counter', '=', counter)
  return (await used.executeTakeFirst()).numUpdatedRows > 0n
}

/** @returns what it was called before; undefined when it is not theirs */
export async function renamePasskey(tx: Tx, personId: string, id: string, name: string): Promise<string | undefined> {
  const passkeys = tx.selectFrom('person_passkeys').select('name').where('person_id', '=', personId)
  const found = await passkeys.where('id', '=', id).executeTakeFirst()
  if (found) await tx.updateTable('person_passkeys').set({ name }).where('id', '=', id).execute()
  return found?.name
}

export function removePasskey(tx: Tx, personId: string, id: string): Promise<PasskeyRow | undefined> {
  const removed = tx.deleteFrom('person_passkeys').where('person_id', '=', personId).where('id', '=', id)
  return removed.returningAll().executeTakeFirst()
}

/** Puts recovery codes in the place of those there were. */
export async function replaceRecoveryCodes(tx: Tx, personId: string, codes: string[], at: string): Promise<void> {
  await tx.deleteFrom('person_recovery_codes').where('person_id', '=', personId).execute()
  if (codes.length === 0) return
  const rows = codes.map((code) => ({ sha256: hashRecoveryCode(code), person_id: personId, created_at: at }))
  await tx.insertInto('person_recovery_codes').values(rows).execute()
}

/**
 * Uses up a recovery code.
 * @returns how many are left; undefined if it is not a code of this person
 */
export async function useRecoveryCode(tx: Tx, personId: string, typed: string): Promise<number | undefined> {
  const codes = () => tx.deleteFrom('person_recovery_codes').where('person_id', '=', personId)
  const used = await codes().where('sha256', '=', hashRecoveryCode(typed)).executeTakeFirst()
  if (used.numDeletedRows === 0n) return undefined
  const left = tx.selectFrom('person_recovery_codes').select(sql<number>`count(*)`.as('left'))
  return (await left.where('person_id', '=', personId).executeTakeFirst())?.left ?? 0
}

/** Removes everything beside the password. */
export async function removeFactors(tx: Tx, personId: string): Promise<void> {
  for (const table of ['person_totp', 'person_passkeys', 'person_recovery_codes', 'person_challenges'] as const)
    await tx.deleteFrom(table).where('person_id', '=', personId).execute()
}
