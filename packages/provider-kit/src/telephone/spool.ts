import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { ProviderProblem } from '../provider.ts'

const attemptShape = /^[0-9a-z]{8,64}$/
/** What ends or divides a value in dialplans and dial strings; only such paths can be handed to an engine. */
const pathShape = /^[\w./@+: -]+$/
const longestNote = 16_384
const rubbishAfterMs = 3 * 24 * 3_600_000

/** Why files under this path cannot be named to an engine, as a sentence; nothing when it can. */
export const pathFault = (path: string): string | undefined =>
  pathShape.test(path)
    ? undefined
    : 'The path of the data directory holds a character that dialplans give a meaning: move it to a path of letters, digits, dots and hyphens.'

/** How far an attempt came: `prepared` was certainly not handed over, `handed` may have been. */
export type Handover = 'prepared' | 'handed' | undefined

export interface SpooledFile {
  name: string
  path: string
  changedAt: Date
}

/**
 * The folder that a gateway shares with a telephone engine on the same machine or volume. Files are made with the mode
 * that the folder's own access list and the umask give, so that an engine running as another user can be let in.
 */
export class Spool {
  readonly outbox: string
  readonly results: string
  readonly inbox: string

  /** @param directory the line's own */
  constructor(directory: string) {
    this.outbox = join(directory, 'outbox')
    this.results = join(directory, 'results')
    this.inbox = join(directory, 'inbox')
  }

  async prepareFolders(): Promise<void> {
    for (const folder of [this.outbox, this.results, this.inbox]) await mkdir(folder, { recursive: true })
  }

  pagesPath = (attemptId: string): string => join(this.outbox, `${attemptId}.tif`)
  resultPath = (attemptId: string): string => join(this.results, attemptId)

  /**
   * Lays the pages out for the engine without letting it have them yet.
   * @throws {ProviderProblem} `bad_document` without pages; `rejected` for what cannot be named to the engine;
   * `unreachable` when the disk does not take them: nothing was handed over
   */
  async prepare(attemptId: string, tiffPath: string | null): Promise<void> {
    if (!attemptShape.test(attemptId)) throw new ProviderProblem('rejected', 'The attempt has no usable id.')
    const fault = pathFault(this.outbox)
    if (fault !== undefined) throw new ProviderProblem('rejected', fault)
    if (tiffPath === null) throw new ProviderProblem('bad_document', 'The pages of the fax were not rendered.')
    try {
      await this.prepareFolders()
      // A copy of the file itself would keep its mode, and with it shut the engine out.
      await writeFile(this.#preparedPath(attemptId), await readFile(tiffPath))
    } catch (error) {
      await this.dropPages(attemptId).catch(() => undefined)
      const code = codeOf(error)
      if (code === 'ENOENT') throw new ProviderProblem('bad_document', 'The rendered pages of the fax are gone.')
      throw new ProviderProblem('unreachable', `The pages could not be laid out for the engine (${code}).`)
    }
  }

  /** From here on the engine may have the fax. Durable before it resolves. */
  async handOver(attemptId: string): Promise<string> {
    const path = this.pagesPath(attemptId)
    await rename(this.#preparedPath(attemptId), path)
    await syncFolder(this.outbox)
    return path
  }

  async handoverOf(attemptId: string): Promise<Handover> {
    if (!attemptShape.test(attemptId)) return undefined
    if (await exists(this.pagesPath(attemptId))) return 'handed'
    return (await exists(this.#preparedPath(attemptId))) ? 'prepared' : undefined
  }

  async dropPages(attemptId: string): Promise<void> {
    if (!attemptShape.test(attemptId)) return
    await rm(this.pagesPath(attemptId), { force: true })
    await rm(this.#preparedPath(attemptId), { force: true })
  }

  /** Everything of an attempt that has ended and was reported. */
  async settle(attemptId: string): Promise<void> {
    await this.dropPages(attemptId)
    if (attemptShape.test(attemptId)) await rm(this.resultPath(attemptId), { force: true })
  }

  /** What the engine wrote about the end of an attempt; undefined when there is nothing. */
  async readResult(attemptId: string): Promise<string | undefined> {
    return attemptShape.test(attemptId) ? readNote(this.resultPath(attemptId)) : undefined
  }

  /** The attempts that the engine wrote a result of. */
  async listResults(): Promise<string[]> {
    return (await readdir(this.results)).filter((name) => attemptShape.test(name))
  }

  /** The attempts that may be with the engine. */
  async listHanded(): Promise<string[]> {
    const names = (await readdir(this.outbox)).filter((name) => name.endsWith('.tif'))
    return names.map((name) => basename(name, '.tif')).filter((name) => attemptShape.test(name))
  }

  /** Writes a note into the inbox; it appears whole or not at all. */
  async writeNote(name: string, text: string): Promise<void> {
    const path = join(this.inbox, name)
    await writeFile(`${path}.part`, text)
    await rename(`${path}.part`, path)
  }

  /** The files of the inbox, links and folders left out. */
  async listInbox(): Promise<SpooledFile[]> {
    const files: SpooledFile[] = []
    for (const entry of await readdir(this.inbox, { withFileTypes: true })) {
      const path = join(this.inbox, entry.name)
      const facts = entry.isFile() ? await stat(path).catch(() => undefined) : undefined
      if (facts) files.push({ name: entry.name, path, changedAt: facts.mtime })
    }
    return files
  }

  /**
   * Lays a file into the outbox that an engine can be asked to read.
   * @returns its path; undefined before the line was opened for the first time
   */
  async layTrial(id: string): Promise<string | undefined> {
    const path = join(this.outbox, `${id}.check`)
    try {
      await writeFile(path, id)
      return path
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      throw error
    }
  }

  /** Whether the engine wrote its answer to a trial there. */
  async hasTrial(folder: 'inbox' | 'results', id: string): Promise<boolean> {
    return (await readNote(join(this[folder], `${id}.check`)).catch(() => '')) === id
  }

  async dropTrial(id: string): Promise<void> {
    for (const folder of [this.outbox, this.inbox, this.results])
      await rm(join(folder, `${id}.check`), { force: true }).catch(() => undefined)
  }

  /** Removes pages of attempts that nobody has reported on for days. */
  async dropRubbish(now: Date): Promise<void> {
    for (const name of await readdir(this.outbox)) {
      const path = join(this.outbox, name)
      const facts = await stat(path).catch(() => undefined)
      if (facts && now.getTime() - facts.mtimeMs > rubbishAfterMs) await rm(path, { force: true })
    }
  }

  #preparedPath(attemptId: string): string {
    return join(this.outbox, `${attemptId}.part`)
  }
}

/** A short text file that the engine wrote; undefined when it is missing or no note. */
export async function readNote(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
  return text !== undefined && text.length <= longestNote ? text : undefined
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}
