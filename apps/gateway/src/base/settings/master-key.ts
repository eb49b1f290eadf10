import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isMasterKey } from '@faxdeck/settings'
import type { Database } from '../db/database.ts'
import { firstFingerprintKey, SealBroken, unseal, sealNames } from './seal.ts'
import { readOrMakeSecret, readSecret, removeUnfinished, replaceSecretFile, retireSecretFile } from './secret-file.ts'

export const masterKeyName = 'master-key'
const fileIn = (directory: string) => join(directory, masterKeyName)
const nextFileIn = (directory: string) => join(directory, `${masterKeyName}.next`)

export function masterKeyBytes(text: string): Buffer {
  return Buffer.from(text, text.length === 64 ? 'hex' : 'base64')
}

/**
 * The 256-bit key that seals saved secrets: FAXDECK_MASTER_KEY, or the one in the data directory, made at the first start.
 * @throws with a sentence when the file does not hold a key, otherwise what the file system refused
 */
export function masterKey(given: string | null, dataDirectory: string): Buffer {
  if (given !== null) return masterKeyBytes(given)
  const file = fileIn(dataDirectory)
  const { secret } = readOrMakeSecret(file, () => randomBytes(32).toString('hex'))
  if (isMasterKey(secret) !== undefined) {
    throw new Error(`The file ${file} does not hold a master key. Put the right one back, or set FAXDECK_MASTER_KEY.`)
  }
  return masterKeyBytes(secret)
}

export const hasMasterKeyFile = (directory: string): boolean => existsSync(fileIn(directory))

/** Writes the next key next to the current one, before anything is sealed with it. */
export const stageMasterKey = (directory: string, key: Buffer): void =>
  replaceSecretFile(nextFileIn(directory), key.toString('hex'))

/**
 * Puts the key that follows in the place of the present one, which stays in a file of its own: backups of before need it.
 * @returns that file
 */
export function adoptMasterKey(directory: string, now: Date): string {
  const former = join(directory, `${masterKeyName}.until-${now.toISOString().slice(0, 19).replaceAll(':', '')}Z`)
  retireSecretFile(fileIn(directory), former, nextFileIn(directory))
  return former
}

/** The key of fingerprints; undefined where the master key was never changed. @throws {SealBroken} */
export async function readFingerprintKey({ db }: Pick<Database, 'db'>, key: Buffer): Promise<Buffer | undefined> {
  const row = await db.selectFrom('installation').select('fingerprint_key').executeTakeFirst()
  if (!row?.fingerprint_key) return undefined
  return Buffer.from(unseal(key, sealNames.fingerprintKey, row.fingerprint_key), 'base64url')
}

/** Whether the master key was changed to this one. */
export async function isInForce(database: Pick<Database, 'db'>, key: Buffer): Promise<boolean> {
  try {
    return (await readFingerprintKey(database, key)) !== undefined
  } catch (error) {
    if (error instanceof SealBroken) return false
    throw error
  }
}

async function hasSealed({ db }: Pick<Database, 'db'>): Promise<boolean> {
  const wrapping = await db.selectFrom('wrapping_keys').select('id').limit(1).executeTakeFirst()
  const saved = await db.selectFrom('saved_settings').select('key').where('sealed', '=', 1).limit(1).executeTakeFirst()
  const webhook = await db.selectFrom('webhook_endpoints').select('id').limit(1).executeTakeFirst()
  return (wrapping ?? saved ?? webhook) !== undefined
}

/** There is no master key, and what another one has sealed is in the database. Nothing was made. */
export class MasterKeyMissing extends Error {
  override name = 'MasterKeyMissing'
}

/**
 * The key in force, of a file. One to which everything was sealed already when the change was interrupted is adopted.
 * @throws {MasterKeyMissing}
 */
export async function settleMasterKey(database: Pick<Database, 'db'>, directory: string, now: Date): Promise<Buffer> {
  // Looked at before the file: another process that starts now makes the file before it seals anything.
  if ((await hasSealed(database)) && !hasMasterKeyFile(directory))
    throw new MasterKeyMissing(`The file ${fileIn(directory)} is missing.`)
  for (const file of [fileIn(directory), nextFileIn(directory)]) removeUnfinished(file)
  const present = masterKey(null, directory)
  const next = readSecret(nextFileIn(directory))
  if (next === undefined || isMasterKey(next) !== undefined) return present
  if (!(await isInForce(database, masterKeyBytes(next)))) return present
  adoptMasterKey(directory, now)
  return masterKeyBytes(next)
}

/** What fingerprints are made with. */
export const fingerprintKeyOf = async (database: Pick<Database, 'db'>, key: Buffer): Promise<Buffer> =>
  (await readFingerprintKey(database, key)) ?? firstFingerprintKey(key)
