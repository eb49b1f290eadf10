import { constants } from 'node:fs'
import { copyFile, link, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isMissing } from './journal.ts'

const ending = '.tif'
const ofNumber = '.to'

/** The pages of calls that are being received: the line's own, whatever becomes of the sender's file. */
export class PageStore {
  readonly #directory: string

  private constructor(directory: string) {
    this.#directory = directory
  }

  /** @param directory made when it is not there */
  static async open(directory: string): Promise<PageStore> {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    return new PageStore(directory)
  }

  pathOf(attempt: string): string {
    return join(this.#directory, `${attempt}${ending}`)
  }

  /**
   * Keeps the pages of an attempt: as another link to the same file where the disk can do that, else as a copy.
   * @throws {Error} `ENOENT` when there is no file at `path`
   */
  async keep(attempt: string, path: string): Promise<void> {
    const kept = this.pathOf(attempt)
    await rm(kept, { force: true })
    try {
      await link(path, kept)
    } catch (error) {
      if (isMissing(error)) throw error
      await copyFile(path, kept, constants.COPYFILE_EXCL)
    }
  }

  async drop(attempt: string): Promise<void> {
    await rm(this.pathOf(attempt), { force: true })
    await rm(this.#numberOf(attempt), { force: true })
  }

  /** Keeps the number that an attempt is for, until its fax is handed over: the journal has no numbers. */
  async keepNumber(attempt: string, to: string): Promise<void> {
    await writeFile(this.#numberOf(attempt), to, { mode: 0o600 })
  }

  /** @returns null when the disk has lost it */
  async numberOf(attempt: string): Promise<string | null> {
    try {
      return await readFile(this.#numberOf(attempt), 'utf8')
    } catch (error) {
      if (isMissing(error)) return null
      throw error
    }
  }

  #numberOf = (attempt: string) => join(this.#directory, `${attempt}${ofNumber}`)

  /** Drops pages that nobody waits for. */
  async dropAllBut(attempts: ReadonlySet<string>): Promise<void> {
    const names = await readdir(this.#directory)
    const stray = names.filter((name) => !attempts.has(name.slice(0, name.lastIndexOf('.'))))
    for (const name of stray) await rm(join(this.#directory, name), { force: true })
  }
}
