import { rm } from 'node:fs/promises'
import type { CallRecord } from '../call-record.ts'
import type { Host, IncomingFax } from '../provider.ts'
import { incomingFax, parseNote, type ReceivedNote } from './received-note.ts'
import { readNote, type Spool, type SpooledFile } from './spool.ts'

/** A call that is still receiving writes each page within minutes. */
const orphanAfterMs = 10 * 60_000
const orphanShape = /^(.{1,150}?)(?:_([+0-9]{0,20})_([+0-9]{0,20}))?\.tif$/
const orphanSentence = 'The telephone switch did not say how this fax ended. Check whether all pages arrived.'

/** Received faxes that lie in the shared folder: what no event announced is found here, and what it has is removed. */
export class Inbox {
  readonly #host: Pick<Host, 'receive' | 'now' | 'log'>
  readonly #spool: Spool
  readonly #callOf: (note: ReceivedNote) => CallRecord | undefined
  readonly #isUp: (providerId: string) => boolean

  /**
   * @param callOf reads what the engine noted of the call
   * @param isUp whether a received call is known to go on
   */
  constructor(
    host: Pick<Host, 'receive' | 'now' | 'log'>,
    spool: Spool,
    callOf: (note: ReceivedNote) => CallRecord | undefined = () => undefined,
    isUp: (providerId: string) => boolean = () => false,
  ) {
    this.#callOf = callOf
    this.#isUp = isUp
    this.#host = host
    this.#spool = spool
  }

  /**
   * Hands over every fax that is finished. Those that cannot be recorded now stay for the next sweep.
   * @param isAllReported false while the engine may still report more: pages without a note then wait for it
   */
  async collect(isAllReported = true): Promise<void> {
    const files = await this.#spool.listInbox()
    const names = new Map(files.map((file) => [file.name, file]))
    for (const file of files) {
      try {
        if (file.name.endsWith('.tif.json')) await this.#takeNoted(file, names)
        else if (isAllReported && !names.has(`${file.name}.json`)) await this.#takeOrphan(file)
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        this.#host.log.warn('A received fax could not be recorded. Faxdeck will try again.', {
          file: file.name,
          reason,
        })
      }
    }
  }

  async #takeNoted(file: SpooledFile, files: ReadonlyMap<string, SpooledFile>): Promise<void> {
    const note = parseNote((await readNote(file.path)) ?? '')
    const tiff = file.path.slice(0, -'.json'.length)
    const name = file.name.slice(0, -'.json'.length)
    const pages = files.get(name)
    // A note that cannot be read must not hide the pages beside it.
    if (!note) return pages ? this.#takeOrphan({ ...file, name, path: tiff }, [tiff, file.path]) : undefined
    // A note may have been written long after the call.
    const receivedAt = (pages ?? file).changedAt
    const fax = incomingFax(note, pages ? { path: tiff } : null, { receivedAt, call: this.#callOf(note) })
    await this.#handOver(fax, [tiff, file.path])
  }

  async #takeOrphan(file: SpooledFile, files = [file.path]): Promise<void> {
    const parts = orphanShape.exec(file.name)
    if (!parts || this.#host.now().getTime() - file.changedAt.getTime() < orphanAfterMs) return
    const [, providerId = '', to, from] = parts
    // At the slowest speeds a dense page takes longer, and the pages after it would be lost.
    if (this.#isUp(providerId)) return
    const about = { providerId, from: from || null, to: to || null, pages: null, receivedAt: file.changedAt }
    const document = { path: file.path }
    await this.#handOver({ ...about, state: 'unclear', sentence: orphanSentence, document }, files)
  }

  async #handOver(fax: IncomingFax, files: readonly string[]): Promise<void> {
    const isStored = await this.#host.receive(fax)
    if (!isStored) return
    for (const path of files) await rm(path, { force: true })
  }
}
