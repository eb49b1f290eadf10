import { existsSync } from 'node:fs'
import { readFile, realpath, stat, statfs } from 'node:fs/promises'
import type { Database } from './database.ts'
import { newMark } from './mark.ts'

/** Where a database file lies. */
export interface Home {
  path: string
  device: string
  /** Null on file systems that number their files anew when they are mounted. */
  inode: string | null
  /** Null in a container, where it says nothing. */
  machine: string | null
}

/** What became of a data folder. */
export type Move = 'moved' | 'copied'

/** File systems of Linux whose inodes last: ext, XFS, Btrfs, ZFS, F2FS, tmpfs, NFS, overlay. */
const lasting = new Set([0xef53, 0x58465342, 0x9123683e, 0x2fc12fc1, 0xf2f52010, 0x01021994, 0x6969, 0x794c7630])

const isContainer = () =>
  ['/.dockerenv', '/run/.containerenv', '/var/run/secrets/kubernetes.io'].some((path) => existsSync(path))

async function machineId(): Promise<string | null> {
  if (isContainer()) return null
  const text = await readFile('/etc/machine-id', 'utf8').catch(() => '')
  return text.trim() === '' ? null : text.trim()
}

/** Where a database file lies now. */
export async function findHome(file: string): Promise<Home> {
  const path = await realpath(file)
  const [{ dev, ino }, { type }] = await Promise.all([stat(path, { bigint: true }), statfs(path)])
  const isLasting = process.platform !== 'linux' || lasting.has(type >>> 0)
  return { path, device: String(dev), inode: isLasting ? String(ino) : null, machine: await machineId() }
}

const differs = (a: string | null, b: string | null) => a !== null && b !== null && a !== b

/**
 * Whether a file is surely the one that was there. A folder that was renamed keeps its file and device; a device that is
 * mounted again keeps its path and file, and a container its path alone.
 */
export function isSameHome(known: Home, found: Home): boolean {
  if (differs(known.machine, found.machine) || differs(known.inode, found.inode)) return false
  if (known.path === found.path) return true
  return known.inode !== null && known.inode === found.inode && known.device === found.device
}

/** Knows whether the data folder may be a copy, whose original goes on sending the same faxes. */
export class HomeWatch {
  readonly #database: Database
  readonly #found: Home | undefined
  #from: string | undefined
  readonly #settled = Promise.withResolvers<undefined>()

  private constructor(database: Database, found: Home | undefined, from: string | undefined) {
    this.#database = database
    this.#found = found
    this.#from = from
    if (from === undefined) this.#settled.resolve(undefined)
  }

  /** Looks where the database lies. One on a server has no place that could be copied. */
  static async open(database: Database): Promise<HomeWatch> {
    if (database.path === null) return new HomeWatch(database, undefined, undefined)
    const found = await findHome(database.path)
    const { home } = await database.db.selectFrom('installation').select('home').executeTakeFirstOrThrow()
    const known = home === null ? undefined : (JSON.parse(home) as Home)
    const watch = new HomeWatch(database, found, known && !isSameHome(known, found) ? known.path : undefined)
    if (watch.#from === undefined) await watch.#note()
    return watch
  }

  /** Where the data folder was before, while nobody has said what became of it; nothing is sent then. */
  get from(): string | undefined {
    return this.#from
  }

  /** What a person is told while that is so. */
  get question(): string | undefined {
    if (this.#from === undefined) return undefined
    return `The data folder is not where it was: its database was ${this.#from}. Nothing is sent or received until you say whether it was moved, or copied while the original goes on.`
  }

  /** Resolves once it is known that no original goes on sending. */
  get settled(): Promise<void> {
    return this.#settled.promise
  }

  /** Notes that this is the place from now on. A copy becomes a database of its own: see `markOf`. */
  async settle(move: Move): Promise<void> {
    await this.#note(move === 'copied' ? { mark: newMark() } : {})
    this.#from = undefined
    this.#settled.resolve(undefined)
  }

  async #note(change: { mark?: string } = {}): Promise<void> {
    const home = JSON.stringify(this.#found)
    await this.#database.db
      .updateTable('installation')
      .set({ home, ...change })
      .execute()
  }
}
