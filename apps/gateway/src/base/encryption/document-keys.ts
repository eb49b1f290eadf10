import { randomBytes } from 'node:crypto'
import { type CommitGroup, createCommitGroup } from '../db/commit-group.ts'
import type { Database, Tx } from '../db/database.ts'
import { insertAll } from '../db/insert-all.ts'
import type { DocumentKeyRow } from '../db/tables/places.ts'
import { gather, type Gatherer, transact } from '../db/transact.ts'
import { seal, type Seals, unseal } from '../settings/seal.ts'
import { forgetRetired, type WrappingKey, WrappingKeys } from './wrapping-keys.ts'

interface NewKey extends DocumentKey {
  document: string
}

/** The key of a stored document. */
export interface DocumentKey {
  key: Buffer
  state: DocumentKeyRow['state']
}

interface Parts {
  database: Database
  seals: Pick<Seals, 'seal' | 'unseal'>
  /** What the settings say; `auto` is on where documents were encrypted from the first one on. */
  choice: () => 'auto' | 'on' | 'off'
  now: () => Date
}

const sealName = (document: string) => `document ${document}`
const wrapWith = ({ key }: WrappingKey, document: string, documentKey: Buffer) =>
  seal(key, sealName(document), documentKey.toString('base64url'))

const atOnce = 500
const keyBytes = 32

/** One key for each document, wrapped in the database. Deleting it leaves nothing that opens the document. */
export class DocumentKeys {
  readonly #parts: Parts
  readonly #wrapping: WrappingKeys
  readonly #group: CommitGroup<NewKey, boolean>
  readonly #staged: Gatherer<NewKey>
  #fromTheFirst: boolean | undefined

  constructor(parts: Parts) {
    this.#parts = parts
    this.#wrapping = new WrappingKeys(parts.database, parts.seals, parts.now)
    const write = (tx: Tx, keys: readonly NewKey[]) => this.#insert(tx, keys)
    this.#group = createCommitGroup(parts.database, write, { repeatable: true, inPassing: true })
    this.#staged = {
      turn: 'keys',
      write: async (tx, keys) => insertAll(tx, 'document_keys', await this.#wrap(tx, keys)),
    }
  }

  /** Proves that the master key opens what is there. @throws {SealBroken} */
  async open(): Promise<void> {
    await this.#wrapping.read()
  }

  /** Whether new documents are encrypted. */
  async isOn(): Promise<boolean> {
    const choice = this.#parts.choice()
    if (choice !== 'auto') return choice === 'on'
    return (this.#fromTheFirst ??= await this.#readChoice())
  }

  async #readChoice(): Promise<boolean> {
    const row = await this.#parts.database.db.selectFrom('installation').select('encrypts').executeTakeFirst()
    return row?.encrypts === 1
  }

  /** Whether anything was ever encrypted here. */
  hasAny = (): boolean => this.#wrapping.hasAny()

  /** Before a document is put as it is: somebody may want it encrypted later. */
  async notePlain(): Promise<void> {
    const { db } = this.#parts.database
    // Not remembered here: another process may have found everything encrypted meanwhile.
    const noted = db.updateTable('installation').set({ has_plain: 1, has_old_words: 1 })
    await noted.where((eb) => eb.or([eb('has_plain', '=', 0), eb('has_old_words', '=', 0)])).execute()
  }

  /** What is left to do: whether documents may lie there that are not encrypted, and words that were overwritten. */
  async left(): Promise<{ hasPlain: boolean; hasOldWords: boolean }> {
    const { db } = this.#parts.database
    const row = await db.selectFrom('installation').select(['has_plain', 'has_old_words']).executeTakeFirst()
    return { hasPlain: row?.has_plain === 1, hasOldWords: row?.has_old_words === 1 }
  }

  async setEncrypted(): Promise<void> {
    await this.#parts.database.db.updateTable('installation').set({ has_plain: 0 }).execute()
  }

  /** Unless something was put as it is meanwhile. */
  async setErased(): Promise<void> {
    const erased = this.#parts.database.db.updateTable('installation').set({ has_old_words: 0 })
    await erased.where('has_plain', '=', 0).execute()
  }

  static fresh = (): Buffer => randomBytes(keyBytes)

  /**
   * Keeps the key of a document. On SQLite, that of a new one is durable with whatever is committed afterwards: only the
   * row that names a document makes it count, and that row comes later. A `pending` one takes the place of a document
   * that counts already, and is durable when this resolves.
   * @returns that key, or the one that the document has already
   */
  async keep(document: string, key: Buffer, state: DocumentKeyRow['state']): Promise<Buffer> {
    for (;;) {
      const kept = { document, key, state }
      if (state === 'pending' ? await this.#addDurably(kept) : await this.#group.add(kept)) return key
      const present = await this.find(document)
      // Removed in between: it is kept again.
      if (present) return present.key
    }
  }

  /** Keeps the key of a document that nothing had been stored under before, with the row that names the document. */
  keepWith(tx: Tx, document: string, key: Buffer): void {
    gather(tx, this.#staged, [{ document, key, state: 'sealed' }])
  }

  async #addDurably(kept: NewKey): Promise<boolean> {
    return transact(
      this.#parts.database,
      async (tx) => {
        const [isNew = false] = await this.#insert(tx, [kept])
        // One that is there may have been written in passing: writing it again waits for the disk.
        const again = tx.updateTable('document_keys').set((eb) => ({ state: eb.ref('state') }))
        await again.where('document_key', '=', kept.document).execute()
        return isNew
      },
      { repeatable: true },
    )
  }

  /** Until the transaction ends, nobody retires what wraps the keys. */
  async #wrap(tx: Tx, keys: readonly NewKey[]): Promise<DocumentKeyRow[]> {
    const wrapping = await this.#wrapping.current(tx)
    return keys.map(({ document, key, state }) => ({
      document_key: document,
      wrapping_key: wrapping.id,
      wrapped: wrapWith(wrapping, document, key),
      state,
    }))
  }

  /** Those that arrive together share a statement and a commit. @returns for each whether its document had none before */
  async #insert(tx: Tx, keys: readonly NewKey[]): Promise<boolean[]> {
    const rows = await this.#wrap(tx, keys)
    const insert = tx
      .insertInto('document_keys')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
    const added = await insert.returning('wrapped').execute()
    // No two wrapped keys are alike, so of two for one document the one that counts is known.
    const kept = new Set(added.map(({ wrapped }) => wrapped))
    return rows.map((row) => kept.has(row.wrapped))
  }

  /** @throws {SealBroken} when its key does not open */
  async find(document: string): Promise<DocumentKey | undefined> {
    const row = await this.#parts.database.db
      .selectFrom('document_keys')
      .selectAll()
      .where('document_key', '=', document)
      .executeTakeFirst()
    return row && { key: await this.#unwrap(row), state: row.state }
  }

  async #unwrap({ document_key: document, wrapping_key: id, wrapped }: DocumentKeyRow): Promise<Buffer> {
    const { key } = await this.#wrapping.find(id)
    return Buffer.from(unseal(key, sealName(document), wrapped), 'base64url')
  }

  /** A document lies there encrypted now, and is never again taken as it is. False when its key is gone. */
  async settle(document: string): Promise<boolean> {
    const { db } = this.#parts.database
    const settled = await db
      .updateTable('document_keys')
      .set({ state: 'sealed' })
      .where('document_key', '=', document)
      .returning('document_key')
      .executeTakeFirst()
    return settled !== undefined
  }

  async forget(document: string): Promise<void> {
    await this.#parts.database.db.deleteFrom('document_keys').where('document_key', '=', document).execute()
  }

  /** Those of the documents that are encrypted. */
  async known(documents: readonly string[]): Promise<Set<string>> {
    const rows = this.#parts.database.db.selectFrom('document_keys').select('document_key')
    const sealed = await rows.where('document_key', 'in', documents).where('state', '=', 'sealed').execute()
    return new Set(sealed.map(({ document_key }) => document_key))
  }

  /**
   * Wraps the keys of documents again that a retired key wraps, some at a time, and forgets retired keys that nothing
   * needs any more. The documents stay as they are. What was done when it ends early counts.
   * @param onProgress how many are done, and how many there were to do
   */
  async rewrap(onProgress: (done: number, of: number) => void, signal?: AbortSignal): Promise<number> {
    const { database } = this.#parts
    await this.#wrapping.read()
    const { id } = await this.#current()
    // Nothing is counted every hour where there is nothing to do.
    if (!this.#wrapping.hasRetired()) return 0
    const { count } = await database.db
      .selectFrom('document_keys')
      .select((eb) => eb.fn.countAll().as('count'))
      .where('wrapping_key', '<>', id)
      .executeTakeFirstOrThrow()
    let done = 0
    for (;;) {
      signal?.throwIfAborted()
      const some = await this.#rewrapSome()
      done += some
      onProgress(done, Math.max(done, Number(count)))
      if (some < atOnce) break
    }
    await forgetRetired(database)
    return done
  }

  async #rewrapSome(): Promise<number> {
    const { database } = this.#parts
    const wrapping = await this.#current()
    const rows = await database.db
      .selectFrom('document_keys')
      .selectAll()
      .where('wrapping_key', '<>', wrapping.id)
      .limit(atOnce)
      .execute()
    const anew: DocumentKeyRow[] = []
    for (const row of rows) {
      anew.push({ ...row, wrapped: wrapWith(wrapping, row.document_key, await this.#unwrap(row)) })
    }
    await transact(database, async (tx) => {
      for (const { document_key: document, wrapping_key: old, wrapped } of anew) {
        await tx
          .updateTable('document_keys')
          .set({ wrapping_key: wrapping.id, wrapped })
          .where('document_key', '=', document)
          .where('wrapping_key', '=', old)
          .execute()
      }
    })
    return rows.length
  }

  #current = (): Promise<WrappingKey> => transact(this.#parts.database, (tx) => this.#wrapping.current(tx))
}
