import { constants } from 'node:fs'
import { copyFile, link, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The pages of calls that are being received, and the number each is for: the line's own, even if the sender removes its
 * file. The table of calls has no numbers.
 */
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

  pathOf = (attempt: string) => join(this.#directory, `${attempt}.tif`)
  #numberPath = (attempt: string) => join(this.#directory, `${attempt}.to`)

  /**
   * Keeps the pages of an attempt: as another link to the same file where the disk can do that, else as a copy.
   * @throws {Error} `ENOENT` when there is no file at `path`
   */
  async keep(attempt: string, path: string, number: string): Promise<void> {
    const kept = this.pathOf(attempt)
    await rm(kept, { force: true })
    try {
      await link(path, kept)
    } catch (error) {
      if (isMissing(error)) throw error
      await copyFile(path, kept, constants.COPYFILE_EXCL)
    }
    await this.keepNumber(attempt, number)
  }

  keepNumber = (attempt: string, number: string) => writeFile(this.#numberPath(attempt), number, { mode: 0o600 })

  /** @returns null when the disk has lost it */
  async numberOf(attempt: string): Promise<string | null> {
    try {
      return await readFile(this.#numberPath(attempt), 'utf8')
    } catch (error) {
      if (isMissing(error)) return null
      throw error
    }
  }

  async drop(attempt: string): Promise<void> {
    for (const path of [this.pathOf(attempt), this.#numberPath(attempt)]) await rm(path, { force: true })
  }

  /** Drops pages that nobody waits for. */
  async dropAllBut(attempts: ReadonlySet<string>): Promise<void> {
    const names = await readdir(this.#directory)
    const stray = names.filter((name) => !attempts.has(name.slice(0, name.lastIndexOf('.'))))
    for (const name of stray) await rm(join(this.#directory, name), { force: true })
  }
}

/** Whether an error of the file system says that there is no such file. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
