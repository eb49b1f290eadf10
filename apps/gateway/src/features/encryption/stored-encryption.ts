import type { ReplyOf, Routes } from '@faxdeck/contract'
import type { GatewayContext } from '../../base/context.ts'
import { isDatabaseFull } from '../../base/db/transact.ts'
import { sealPageText, tablesOfPageText } from '../../paper/page-text/seal-stored.ts'
import type { Storage } from '../../base/storage/storage.ts'
import { countPlain, encryptPlain } from './encrypt-plain.ts'

export type EncryptionState = ReplyOf<Routes['getEncryption']>

const sayEveryMs = 30_000
const noRoom =
  'The database file could not be rewritten: its disk has no room for two more copies of it. Free some space. It is tried again every minute.'
const failed = 'The last try failed, and the log says why. It is tried again every minute.'

/** Encrypts what was stored before encryption was on, and then overwrites what it said. */
export class StoredEncryption {
  readonly #context: GatewayContext
  readonly #places: Storage
  readonly #ending = new AbortController()
  #running: Promise<void> | undefined
  #again = false
  #documents = { done: 0, of: 0 }
  #problem: string | null = null

  constructor(context: GatewayContext, places: Storage) {
    this.#context = context
    this.#places = places
  }

  /** How far it is. */
  state = async (): Promise<EncryptionState> => {
    const { documentKeys } = this.#context
    const [on, { hasPlain, hasOldWords }] = await Promise.all([documentKeys.isOn(), documentKeys.left()])
    const state = !on ? 'off' : hasPlain ? 'encrypting' : hasOldWords ? 'erasing' : 'done'
    const { done, of } = this.#documents
    return { state, documents_done: done, documents_total: Math.max(done, of), problem: on ? this.#problem : null }
  }

  /** Does what there is to do; once more when it was called meanwhile. Never throws. */
  async run(): Promise<void> {
    this.#again = true
    this.#running ??= this.#runAll().finally(() => (this.#running = undefined))
    await this.#running
  }

  async close(): Promise<void> {
    this.#ending.abort()
    await this.#running
  }

  #isEnding = () => this.#ending.signal.aborted

  async #runAll(): Promise<void> {
    const { log } = this.#context
    while (this.#again && !this.#isEnding()) {
      this.#again = false
      try {
        await this.#rewrap()
        await this.#encrypt()
        this.#problem = null
      } catch (error) {
        if (this.#isEnding()) return
        this.#problem = isDatabaseFull(error) ? noRoom : failed
        log.error({ err: error }, 'What was stored before could not be encrypted. It is tried again in a minute.')
      }
    }
  }

  async #rewrap(): Promise<void> {
    const { documentKeys, log } = this.#context
    const rewrapped = await documentKeys.rewrap(() => undefined, this.#ending.signal)
    if (rewrapped > 0) log.info({ documents: rewrapped }, 'The keys of documents are wrapped with the new key.')
  }

  async #encrypt(): Promise<void> {
    const { documentKeys } = this.#context
    if (!(await documentKeys.isOn())) return
    if ((await documentKeys.left()).hasPlain) await this.#encryptDocuments()
    const { hasPlain, hasOldWords } = await documentKeys.left()
    if (hasOldWords && !hasPlain && (await documentKeys.isOn())) await this.#eraseWords()
  }

  async #encryptDocuments(): Promise<void> {
    const { events, log } = this.#context
    const { signal } = this.#ending
    const progress = (this.#documents = { done: 0, of: await countPlain(this.#context) })
    let documents = 0
    let saidAt = performance.now()
    log.info({ documents: progress.of }, 'Stored documents are being encrypted.')
    const onLooked = () => {
      progress.done += 1
      if (performance.now() - saidAt < sayEveryMs) return
      saidAt = performance.now()
      log.info({ ...progress }, 'Stored documents are being encrypted.')
    }
    try {
      await sealPageText(this.#context, signal)
      for (let some = 1; some > 0 && !signal.aborted; documents += some)
        some = await encryptPlain(this.#context, this.#places, { signal, onLooked })
    } finally {
      if (documents > 0) await events.documentsEncrypted({ documents })
    }
    if (!signal.aborted) log.info({ documents }, 'Documents that were stored before are encrypted now.')
  }

  async #eraseWords(): Promise<void> {
    const { database, documentKeys, log } = this.#context
    const { signal } = this.#ending
    await sealPageText(this.#context, signal)
    log.info('Words of pages from before encryption are being erased from the database.')
    await database.scrub(tablesOfPageText, signal)
    // Another process may have written some as they are until a moment ago.
    if ((await sealPageText(this.#context, signal)) > 0) this.#again = true
    else await documentKeys.setErased()
    log.info('Words of pages from before encryption are erased from the database.')
  }
}
