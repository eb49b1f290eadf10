import { randomBytes } from 'node:crypto'
import { type Environment, isMasterKey } from '@faxdeck/settings'
import { sql, type Kysely } from 'kysely'
import type { Database, Tx } from '../base/db/database.ts'
import { serviceSessions } from '../base/db/session-names.ts'
import { transact } from '../base/db/transact.ts'
import { Events } from '../base/events/events.ts'
import {
  adoptMasterKey,
  fingerprintKeyOf,
  isInForce,
  masterKey,
  masterKeyBytes,
  settleMasterKey,
  stageMasterKey,
} from '../base/settings/master-key.ts'
import { SealBroken, sealsOf, sealNames, type Seals } from '../base/settings/seal.ts'
import { presentUrlOf } from './backup.ts'
import { UpkeepProblem, assertOwn } from './copy.ts'
import { withDatabase } from './hold.ts'
import { givenKey } from './rotate-key.ts'
import type { Tables } from '../base/db/tables/tables.ts'

type Row = Record<string, string | number | null>

interface SealedColumn {
  table: keyof Tables
  key: readonly string[]
  column: string
  /** Rows of which the text is sealed. */
  where?: (row: Row) => boolean
  nameOf: (row: Row) => string
}

const isFlagged = ({ sealed }: Row) => sealed === 1
const idOf = ({ id }: Row) => String(id)

/** All of them. What a document's own key or the wrapping key seals is not among them: it stays as it is. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'wrapping_keys', key: ['id'], column: 'sealed', nameOf: (row) => sealNames.wrappingKey(idOf(row)) },
  {
    ...{ table: 'saved_settings', key: ['key'], column: 'value', where: isFlagged },
    nameOf: ({ key }) => sealNames.savedSetting(String(key)),
  },
  {
    ...{ table: 'setting_versions', key: ['place', 'key', 'saved_by'], column: 'value', where: isFlagged },
    nameOf: ({ place, key }) => sealNames[place === 'file' ? 'fileLine' : 'savedSetting'](String(key)),
  },
  { table: 'webhook_endpoints', key: ['id'], column: 'secret', nameOf: (row) => sealNames.webhook(idOf(row)) },
  { table: 'webhook_endpoints', key: ['id'], column: 'previous_secret', nameOf: (row) => sealNames.webhook(idOf(row)) },
  {
    ...{ table: 'person_totp', key: ['person_id'], column: 'secret' },
    nameOf: ({ person_id: person }) => sealNames.totp(String(person)),
  },
  {
    ...{ table: 'person_challenges', key: ['sha256'], column: 'payload' },
    where: ({ purpose }) => purpose === 'totp_add',
    nameOf: ({ person_id: person }) => sealNames.totp(String(person)),
  },
  { table: 'oidc_logins', key: ['state_sha256'], column: 'sealed', nameOf: () => sealNames.oidcLogin },
  { table: 'person_sessions', key: ['id'], column: 'id_token', nameOf: () => sealNames.idToken },
]

/** How many texts were sealed again, and where some are that the former key did not open: they stay as they are. */
interface Resealed {
  sealed: number
  unreadable: string[]
}

async function resealColumn(tx: Tx, each: SealedColumn, from: Seals, to: Seals): Promise<Resealed> {
  const { table, key, column, where = () => true, nameOf } = each
  const db = tx as unknown as Kysely<Record<string, Row>>
  const rows = await db.selectFrom(table).selectAll().where(column, 'is not', null).execute()
  const unreadable: string[] = []
  let sealed = 0
  for (const row of rows.filter(where)) {
    try {
      const anew = to.seal(nameOf(row), from.unseal(nameOf(row), String(row[column])))
      const own = key.map((part) => sql<boolean>`${sql.ref(part)} = ${row[part]}`)
      await db
        .updateTable(table)
        .set({ [column]: anew })
        .where((eb) => eb.and(own))
        .execute()
      sealed += 1
    } catch (error) {
      // Every document hangs on it.
      if (!(error instanceof SealBroken) || table === 'wrapping_keys') throw error
      unreadable.push(`${table} ${key.map((part) => row[part]).join(' ')}`)
    }
  }
  return { sealed, unreadable }
}

/** Seals everything again, for another master key. @throws {SealBroken} when the former one does not open the wrapping keys */
async function resealAll(tx: Tx, from: Seals, to: Seals): Promise<Resealed> {
  const all: Resealed = { sealed: 0, unreadable: [] }
  for (const each of sealedColumns) {
    const { sealed, unreadable } = await resealColumn(tx, each, from, to)
    all.sealed += sealed
    all.unreadable.push(...unreadable)
  }
  return all
}

interface RotateRequest {
  directory: string
  env: Environment
  now: () => Date
  /** Called between the steps; a test ends there what a kill would end. */
  onStep?: (step: 'staged' | 'sealing' | 'sealed' | 'adopted') => void
}

/** What became of the master key. */
interface RotatedMasterKey extends Resealed {
  /** Where the former key stays, when keys lie in the data directory; null when the environment gives them. */
  former: string | null
  /** `finished`: one that was interrupted before; nothing was changed again. */
  state: 'changed' | 'finished'
  /** Whether the environment gives the key, so that it has to give the new one from now on. */
  given: boolean
}

const newVariable = 'FAXDECK_NEW_MASTER_KEY'
const finished = { state: 'finished', sealed: 0, unreadable: [], former: null } satisfies Partial<RotatedMasterKey>

interface Given {
  /** From the environment; null when the key lies in the data directory. */
  present: string | null
  next: Buffer | undefined
}

function givenIn({ directory, env }: RotateRequest): Given {
  const present = givenKey(directory, env)
  const next = env[newVariable]?.trim()
  const fault = next ? isMasterKey(next) : undefined
  if (fault !== undefined) throw new UpkeepProblem(`${newVariable} cannot be used. ${fault}`)
  if (present !== null && !next) {
    throw new UpkeepProblem(
      `FAXDECK_MASTER_KEY is set, so the new key is yours to keep. Create one with "openssl rand -hex 32", set ${newVariable} to it, and run this again.`,
    )
  }
  if (present !== null && next && masterKeyBytes(next).equals(masterKeyBytes(present))) {
    throw new UpkeepProblem(`${newVariable} is the present master key. Create another one with "openssl rand -hex 32".`)
  }
  return { present, next: next ? masterKeyBytes(next) : undefined }
}

/** A gateway that runs would go on to seal with the former key. That of an embedded database holds its lock. */
async function refuseRunning({ db, engine }: Pick<Database, 'db' | 'engine'>): Promise<void> {
  if (engine === 'sqlite') return
  const { rows } = await sql<{ sessions: number }>`
    select count(*) as sessions from pg_stat_activity
    where datname = current_database() and application_name = ${serviceSessions}
  `.execute(db)
  if (Number(rows[0]?.sessions) === 0) return
  throw new UpkeepProblem('A gateway is using the database. Stop every gateway of this installation first.')
}

/** Seals everything with another key, all of it or nothing. */
function resealTo(database: Database, from: Buffer, to: Buffer, { now, onStep }: RotateRequest): Promise<Resealed> {
  const events = new Events(database, now)
  return transact(database, async (tx) => {
    if (database.engine === 'postgres') await tx.selectFrom('installation').select('mark').forUpdate().execute()
    const fingerprints = await fingerprintKeyOf({ db: tx }, from)
    const [former, next] = [sealsOf(from, fingerprints), sealsOf(to, fingerprints)]
    const resealed = await resealAll(tx, former, next)
    const fingerprint_key = next.seal(sealNames.fingerprintKey, fingerprints.toString('base64url'))
    await tx.updateTable('installation').set({ fingerprint_key }).execute()
    await events.masterKeyChanged({ sealed: resealed.sealed, unreadable: resealed.unreadable.length }, tx)
    // At the end: whoever began meanwhile is seen as well.
    await refuseRunning({ db: tx, engine: database.engine })
    onStep?.('sealing')
    return resealed
  }).catch((error: unknown) => {
    if (!(error instanceof SealBroken)) throw error
    throw new UpkeepProblem(
      'The master key does not open the keys of the documents: they were sealed with another one.',
    )
  })
}

async function rotateGiven(
  database: Database,
  present: Buffer,
  next: Buffer,
  request: RotateRequest,
): Promise<RotatedMasterKey> {
  if (await isInForce(database, next)) return { ...finished, given: true }
  const resealed = await resealTo(database, present, next, request)
  request.onStep?.('sealed')
  return { state: 'changed', ...resealed, former: null, given: true }
}

async function rotateFile(
  database: Database,
  given: Buffer | undefined,
  request: RotateRequest,
): Promise<RotatedMasterKey> {
  const { directory, now, onStep } = request
  const before = masterKey(null, directory)
  const present = await settleMasterKey(database, directory, now())
  if (!present.equals(before)) return { ...finished, given: false }
  const next = given ?? randomBytes(32)
  stageMasterKey(directory, next)
  onStep?.('staged')
  const resealed = await resealTo(database, present, next, request)
  onStep?.('sealed')
  const former = adoptMasterKey(directory, now())
  onStep?.('adopted')
  return { state: 'changed', ...resealed, former, given: false }
}

/**
 * Puts another master key in the place of the present one: everything that it seals is sealed again in one transaction,
 * and no document is touched. The new key lies beside the former one before anything is sealed with it, and takes its
 * place afterwards: killed at any moment, the gateway starts with whichever of them opens the database.
 * @throws {UpkeepProblem} while a gateway runs, in a directory of another user, when the present key does not open what is there, or no new one is given
 */
export async function rotateMasterKey(request: RotateRequest): Promise<RotatedMasterKey> {
  const { directory, env } = request
  // A key file of another user would keep the gateway out.
  assertOwn(directory)
  const { present, next } = givenIn(request)
  return withDatabase(presentUrlOf(directory, env), async (database) => {
    await refuseRunning(database)
    if (present === null || !next) return rotateFile(database, next, request)
    return rotateGiven(database, masterKeyBytes(present), next, request)
  })
}
