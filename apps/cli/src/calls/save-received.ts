import { mkdir, open, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { CallProblem, type Client, type ReceivedFax } from '@faxdeck/contract'
import { Fault } from '../fault.ts'
import { type FolderLock, lockFolder } from './folder-lock.ts'

const perPage = 100
const bookName = '.faxdeck-inbox.json'
const lockName = '.faxdeck-inbox.lock'

/** What a folder remembers: whose faxes it holds, and up to which one. */
interface Book {
  url: string
  /** The number whose faxes alone are saved; null for all. */
  to: string | null
  /** Of the last fax that was saved; null before the first. */
  last: { id: string; cursor: string } | null
}

export interface Saving {
  client: Client
  url: string
  folder: string
  to: string | null
  /** Writes what the gateway knows of a fax beside its document. */
  withDetails: boolean
  onSaved: (fax: ReceivedFax, path: string | null) => void
}

/** What was renamed is on the disk once its folder is. */
async function syncFolder(folder: string): Promise<void> {
  // Windows opens no folders; there the rename is in its journal.
  const handle = await open(folder, 'r').catch(() => undefined)
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}

/** Writes a file that is there whole or not at all, also after a loss of power. */
async function putFile(folder: string, name: string, content: string | Uint8Array): Promise<void> {
  const passing = join(folder, `.${name}.part`)
  const file = await open(passing, 'w', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(passing, join(folder, name))
  await syncFolder(folder)
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

const isNotFound = (error: unknown) => error instanceof CallProblem && error.status === 404

/** @throws {Fault} for a folder of another gateway or number, whose place in the list says nothing about this one */
async function readBook({ url, folder, to }: Saving): Promise<Book> {
  const path = join(folder, bookName)
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return { url, to, last: null }
  const book = JSON.parse(text) as Book
  if (book.url === url && book.to === to) return book
  const whose = `${book.url}${book.to === null ? '' : `, received on ${book.to}`}`
  throw new Fault(
    `${folder} holds faxes of ${whose}. Choose another folder. To save all faxes here from the first one on, delete ${path}.`,
  )
}

/** Saves received faxes to a folder, in the order in which they were complete, and remembers up to which one. */
export class ReceivedFolder {
  readonly #saving: Saving
  readonly #lock: FolderLock
  #book: Book

  private constructor(saving: Saving, lock: FolderLock, book: Book) {
    this.#saving = saving
    this.#lock = lock
    this.#book = book
  }

  /** @throws {Fault} when another run saves to the folder, or it holds the faxes of another gateway */
  static async open(saving: Saving): Promise<ReceivedFolder> {
    await mkdir(saving.folder, { recursive: true, mode: 0o700 })
    const lock = await lockFolder(saving.folder, join(saving.folder, lockName))
    try {
      return new ReceivedFolder(saving, lock, await readBook(saving))
    } catch (error) {
      await lock.release()
      throw error
    }
  }

  close(): Promise<void> {
    return this.#lock.release()
  }

  /** Saves every fax that is complete and not saved yet. */
  async catchUp(): Promise<void> {
    const { client, to } = this.#saving
    await this.#forgetLost()
    for (;;) {
      const cursor = this.#book.last?.cursor
      const place = { ...(to === null ? {} : { to }), ...(cursor === undefined ? {} : { cursor }) }
      const { faxes, next_cursor: next } = await client.listReceived({
        query: { order: 'oldest', limit: perPage, ...place },
      })
      for (const fax of faxes) await this.#save(fax)
      if (next === null) return
    }
  }

  /** A gateway that was restored from a backup gives places anew: its list is read from the beginning, and what is here stays. */
  async #forgetLost(): Promise<void> {
    const { last } = this.#book
    if (last === null) return
    const isLost = await this.#saving.client.getReceived({ params: { id: last.id } }).then(
      () => false,
      (error: unknown) => {
        if (isNotFound(error)) return true
        throw error
      },
    )
    if (isLost) this.#book = { ...this.#book, last: null }
  }

  async #save(fax: ReceivedFax): Promise<void> {
    const { folder, withDetails, onSaved } = this.#saving
    const name = `${fax.received_at.replaceAll(':', '-').replace(/\.\d+/, '')}_${fax.id}`
    const isNew = fax.links.document !== null && !(await exists(join(folder, `${name}.pdf`)))
    const bytes = isNew ? await this.#fetch(fax.id) : undefined
    await this.#lock.check()
    if (bytes) {
      // Before the document, whose name says to others that everything is here.
      if (withDetails) await putFile(folder, `${name}.json`, `${JSON.stringify(fax, null, 2)}\n`)
      await putFile(folder, `${name}.pdf`, bytes)
    }
    if (bytes || fax.links.document === null) onSaved(fax, bytes ? join(folder, `${name}.pdf`) : null)
    if (fax.cursor === null) return
    this.#book = { ...this.#book, last: { id: fax.id, cursor: fax.cursor } }
    await putFile(folder, bookName, `${JSON.stringify(this.#book)}\n`)
  }

  /** Undefined when it was removed since the list was read. */
  async #fetch(id: string): Promise<Uint8Array | undefined> {
    const answer = await this.#saving.client
      .getReceivedDocument({ params: { id }, query: { format: 'pdf' } })
      .catch((error: unknown) => {
        if (isNotFound(error)) return undefined
        throw error
      })
    return answer && new Uint8Array(await answer.arrayBuffer())
  }
}
