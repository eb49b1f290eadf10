import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'

/** How a call ends. `unknown`: the answer is lost on the way back, so that nobody at our end knows. */
export type Ending = 'delivered' | 'busy' | 'no_answer' | 'partial' | 'cancelled' | 'unknown'

/** What the line has taken on with an attempt. */
export interface NewCall {
  attempt: string
  job: string
  pages: number
  /** Milliseconds since 1970. */
  begun_at: number
  /** How long it takes. */
  seconds: number
  /** How it will end, unless it is canceled. */
  plan: Ending
  /** Whether the far machine will print the fax: 1 with `delivered`, and with `unknown` perhaps. */
  prints: 0 | 1
}

export interface Call extends NewCall {
  ending: Ending | null
  ended_at: number | null
  /** When the end was reported and a received fax was handed over: nothing is left to do. */
  settled_at: number | null
}

/** A write failed, and whether it is on the disk is not known. */
export class UnsureWrite extends Error {
  override name = 'UnsureWrite'
}

const schema = `
  pragma journal_mode = wal;
  pragma synchronous = normal;
  create table if not exists calls (
    attempt text primary key, job text not null, pages integer not null, begun_at integer not null,
    seconds real not null, plan text not null, prints integer not null,
    ending text, ended_at integer, settled_at integer
  ) strict;
  create index if not exists calls_by_job on calls (job);
  create index if not exists unsettled_calls on calls (attempt) where settled_at is null;
`

const statements = {
  get: 'select * from calls where attempt = ?',
  all: 'select * from calls order by rowid',
  unsettled: 'select * from calls where settled_at is null order by rowid',
  countOf: 'select count(*) as count from calls where job = ?',
  add: `insert or ignore into calls values
    (:attempt, :job, :pages, :begun_at, :seconds, :plan, :prints, :ending, :ended_at, :settled_at)`,
  remove: 'delete from calls where attempt = ?',
  end: 'update calls set ending = ?, ended_at = ? where attempt = ? and ending is null',
  settle: 'update calls set settled_at = ? where attempt = ?',
  checkpoint: 'pragma wal_checkpoint(truncate)',
}

type Statements = Readonly<Record<keyof typeof statements, StatementSync>>

/**
 * The table of calls, in `calls.db` of a directory. What a method wrote is on the disk when it resolves: SQLite leaves the
 * sync of its log to us, which does not hold up the event loop.
 */
export class Calls {
  readonly #file: DatabaseSync
  readonly #log: FileHandle
  readonly #run: Statements
  /** The sync that runs, or ran last, and the one that begins after it. */
  #running: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined
  #lastFailed = false

  private constructor(file: DatabaseSync, log: FileHandle) {
    this.#file = file
    this.#log = log
    const prepared = Object.entries(statements).map(([name, text]) => [name, file.prepare(text)])
    this.#run = Object.fromEntries(prepared) as Statements
  }

  /** @throws {Error} when the table is damaged or cannot be written */
  static async open(directory: string): Promise<Calls> {
    const path = join(directory, 'calls.db')
    const file = new DatabaseSync(path, { timeout: 250 })
    try {
      file.exec(schema)
      return new Calls(file, await open(`${path}-wal`, 'r+'))
    } catch (error) {
      file.close()
      throw error
    }
  }

  get = (attempt: string) => this.#run.get.get(attempt) as Call | undefined
  all = () => this.#run.all.all() as unknown as Call[]
  /** Calls under way, and calls whose end has not been reported. */
  unsettled = () => this.#run.unsettled.all() as unknown as Call[]
  /** How many calls were made for a fax. */
  countOf = (job: string) => Number(this.#run.countOf.get(job)?.count)

  /**
   * Records a call that begins.
   * @throws {UnsureWrite} when it may be on the disk or not; after any other error it is not
   */
  async add(call: NewCall): Promise<void> {
    this.#run.add.run({ ...call, ending: null, ended_at: null, settled_at: null })
    try {
      await this.#sync()
    } catch (error) {
      await this.#takeBack(call.attempt)
      throw error
    }
  }

  /** Records calls as they stand, all or none; those that are known stay as they are. */
  async bringIn(calls: Iterable<Call>): Promise<void> {
    this.#file.exec('begin immediate')
    try {
      for (const call of calls) this.#run.add.run({ ...call })
      this.#file.exec('commit')
    } catch (error) {
      this.#file.exec('rollback')
      throw error
    }
    await this.#sync()
  }

  /** Records how a call ended; the first report counts. */
  async end(attempt: string, ending: Ending, at: number): Promise<void> {
    this.#run.end.run(ending, at, attempt)
    await this.#sync()
  }

  async settle(attempt: string, at: number): Promise<void> {
    this.#run.settle.run(at, attempt)
    await this.#sync()
  }

  async close(): Promise<void> {
    await this.#next?.catch(() => undefined)
    await this.#running.catch(() => undefined)
    await this.#log.close()
    this.#file.close()
  }

  async #takeBack(attempt: string): Promise<void> {
    try {
      this.#run.remove.run(attempt)
      await this.#sync()
    } catch (cause) {
      throw new UnsureWrite('The memory of the test line failed while the fax was being recorded.', { cause })
    }
  }

  /** Resolves when everything written before is on the disk. Those who ask while one runs share the next. */
  #sync(): Promise<void> {
    this.#next ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined
        return (this.#running = this.#bringToDisk())
      })
    return this.#next
  }

  async #bringToDisk(): Promise<void> {
    const isSecondTry = this.#lastFailed
    this.#lastFailed = true
    // The system may have forgotten what it failed to write; a checkpoint takes it from memory.
    if (isSecondTry && this.#run.checkpoint.get()?.busy !== 0) throw new Error('The table of calls is in use.')
    if (!isSecondTry) await this.#log.datasync()
    this.#lastFailed = false
  }
}

/**
 * Reads, from outside, which attempts a test line took and how they ended. The line may be in use or dead.
 * @param directory the folder of the test line in a data directory
 */
export async function readCalls(directory: string): Promise<Call[]> {
  const calls = await Calls.open(directory)
  try {
    return calls.all()
  } finally {
    await calls.close()
  }
}

/** Whether the far machine printed the fax of a call. */
export const isPrinted = (call: Call) => call.prints === 1 && call.ending !== null && call.ending !== 'cancelled'
