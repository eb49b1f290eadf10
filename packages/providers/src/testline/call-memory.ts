import { link, mkdir, open, readdir, rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Calls } from './calls.ts'
import { Journal, readJournal } from './journal.ts'
import type { CallRecord, Taken } from './record.ts'

const current = 'calls.jsonl'
const rotatedName = /^calls-(\d+)\.jsonl$/

/** The journals in a directory, newest first. A call stands completely in the newest that has it. */
export async function journalsIn(directory: string): Promise<string[]> {
  const numbers = (await readdir(directory)).flatMap((name) => rotatedName.exec(name)?.[1] ?? []).map(Number)
  const rotated = numbers.sort((a, b) => b - a).map((number) => join(directory, `calls-${number}.jsonl`))
  return [join(directory, current), ...rotated]
}

/** What the line knows of its calls, in memory and on the disk. */
export class CallMemory {
  readonly calls: Calls
  readonly #directory: string
  readonly #journal: Journal

  private constructor(directory: string, calls: Calls, journal: Journal) {
    this.#directory = directory
    this.calls = calls
    this.#journal = journal
  }

  /**
   * Reads the journal of a directory, which is made when it is not there, and turns to a new one when it has grown long.
   * @param remembered settled calls that are kept in memory; the older ones stay on the disk
   * @throws {Error} when the journal is damaged or the directory cannot be written
   */
  static async open(directory: string, remembered = 50_000): Promise<CallMemory> {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const calls = new Calls(remembered)
    const path = join(directory, current)
    let whole = await readJournal(path, (record) => calls.apply(record))
    if (calls.forgetful) {
      calls.forgetAllBut(Math.floor(remembered / 2))
      whole = await rotate(directory, calls)
    }
    calls.forgetful = (await journalsIn(directory)).length > 1
    const journal = await Journal.open(path, whole)
    await syncDirectory(directory)
    return new CallMemory(directory, calls, journal)
  }

  /** Resolves when the record is on the disk and in memory. */
  async record(record: CallRecord): Promise<void> {
    await this.#journal.append(record)
    this.calls.apply(record)
  }

  /** Finds a call that may be so old that it is on the disk only. */
  async recall(attempt: string): Promise<Taken | undefined> {
    const call = this.calls.get(attempt)
    if (call) return call.taken
    if (!this.calls.forgetful) return undefined
    const found: Taken[] = []
    for (const path of await journalsIn(this.#directory)) {
      await readJournal(path, (record) => {
        if (record.attempt === attempt && record.event === 'taken') found.push(record)
      })
      if (found.length > 0) break
    }
    return found[0]
  }

  async close(): Promise<void> {
    await this.#journal.close()
  }
}

/** Puts the journal aside under a number and begins a new one with the calls that are in memory. Resolves to its bytes. */
async function rotate(directory: string, calls: Calls): Promise<number> {
  const path = join(directory, current)
  const next = join(directory, `${current}.next`)
  const [, newest = ''] = await journalsIn(directory)
  const number = Number(rotatedName.exec(basename(newest))?.[1] ?? 0) + 1
  const kept: string[] = []
  await readJournal(path, (record, line) => {
    if (calls.get(record.attempt)) kept.push(line)
  })
  const text = kept.map((line) => `${line}\n`).join('')
  const file = await open(next, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  // Between these two steps both names mean the same file; nothing is lost whichever of them was the last.
  await link(path, join(directory, `calls-${number}.jsonl`))
  await rename(next, path)
  return Buffer.byteLength(text)
}

/** A new name in a directory is on the disk only when the directory is. */
async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
