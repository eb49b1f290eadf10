import { randomBytes } from 'node:crypto'
import type { Database, Tx } from '../db/database.ts'
import type { WrappingKeyRow } from '../db/tables/places.ts'
import { afterCommit } from '../db/transact.ts'
import { sealNames, type Seals, SealBroken } from '../settings/seal.ts'

/** A key that wraps those of documents. */
export interface WrappingKey {
  id: string
  key: Buffer
}

const keyBytes = 32

/** Makes the next key and retires the others: what they wrapped opens until it is wrapped again. @returns its id */
export async function addWrappingKey(tx: Tx, seals: Pick<Seals, 'seal'>, now: Date): Promise<string> {
  const id = randomBytes(8).toString('hex')
  const made_at = now.toISOString()
  await tx.updateTable('wrapping_keys').set({ retired_at: made_at }).where('retired_at', 'is', null).execute()
  const sealed = seals.seal(sealNames.wrappingKey(id), randomBytes(keyBytes).toString('base64url'))
  await tx.insertInto('wrapping_keys').values({ id, sealed, made_at, retired_at: null }).execute()
  return id
}

/** Removes retired keys that no document needs any more. */
export async function forgetRetired({ db }: Pick<Database, 'db'>): Promise<void> {
  await db
    .deleteFrom('wrapping_keys')
    .where('retired_at', 'is not', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('document_keys')
            .select('document_key')
            .whereRef('document_keys.wrapping_key', '=', 'wrapping_keys.id'),
        ),
      ),
    )
    .execute()
}

/** The keys of an installation, read again when another process has made one. */
export class WrappingKeys {
  readonly #database: Database
  readonly #seals: Pick<Seals, 'seal' | 'unseal'>
  readonly #now: () => Date
  #known = new Map<string, WrappingKey>()

  constructor(database: Database, seals: Pick<Seals, 'seal' | 'unseal'>, now: () => Date) {
    this.#database = database
    this.#seals = seals
    this.#now = now
  }

  /** @throws {SealBroken} when the master key is not the one that they were sealed with */
  async read(): Promise<void> {
    const rows = await this.#database.db.selectFrom('wrapping_keys').select(['id', 'sealed']).execute()
    this.#known = new Map(rows.map((row) => [row.id, this.#open(row)]))
  }

  #open({ id, sealed }: Pick<WrappingKeyRow, 'id' | 'sealed'>): WrappingKey {
    return { id, key: Buffer.from(this.#seals.unseal(sealNames.wrappingKey(id), sealed), 'base64url') }
  }

  hasAny = (): boolean => this.#known.size > 0
  hasRetired = (): boolean => this.#known.size > 1

  /**
   * The key that new documents' keys are wrapped with; the first use makes one. Another process may have retired the one
   * that was known here: until the transaction ends, nobody retires this one.
   */
  async current(tx: Tx): Promise<WrappingKey> {
    const row = (await this.#notRetired(tx)) ?? (await this.#make(tx))
    const key = this.#known.get(row.id) ?? this.#open(row)
    afterCommit(tx, () => this.#known.set(key.id, key))
    return key
  }

  #notRetired(tx: Tx) {
    return tx
      .selectFrom('wrapping_keys')
      .select(['id', 'sealed'])
      .where('retired_at', 'is', null)
      .$if(this.#database.engine === 'postgres', (query) => query.forShare())
      .executeTakeFirst()
  }

  async #make(tx: Tx) {
    if (this.#database.engine === 'postgres') await tx.selectFrom('installation').select('mark').forUpdate().execute()
    const present = await this.#notRetired(tx)
    if (present) return present
    await addWrappingKey(tx, this.#seals, this.#now())
    return tx
      .selectFrom('wrapping_keys')
      .select(['id', 'sealed'])
      .where('retired_at', 'is', null)
      .executeTakeFirstOrThrow()
  }

  /** @throws {SealBroken} when there is no such key */
  async find(id: string): Promise<WrappingKey> {
    if (!this.#known.has(id)) await this.read()
    const found = this.#known.get(id)
    if (!found) throw new SealBroken('The key that wraps the key of a document is not in the database.')
    return found
  }
}
