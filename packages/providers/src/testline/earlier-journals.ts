import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Call, Calls, Ending } from './calls.ts'

const journalName = /^calls(?:-(\d+))?\.jsonl$/

/** One line of a journal, by its event. */
type JournalRecord = { attempt: string; at: number } & (
  | { event: 'taken'; job: string; to?: string; pages: number; seconds: number; ending: Ending; prints: boolean }
  | { event: 'ended'; ending: Ending }
  | { event: 'settled' }
)

const fields: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  taken: { job: 'string', pages: 'number', seconds: 'number', ending: 'string', prints: 'boolean' },
  ended: { ending: 'string', printed: 'boolean' },
  settled: {},
}

/**
 * Brings what earlier versions noted in journals into the table, and removes the journals. Safe to repeat.
 * @param keepNumber is given the numbers of calls that are under way: earlier journals had them, the table has none
 * @throws {Error} when a journal is damaged
 */
export async function bringInJournals(
  directory: string,
  calls: Calls,
  keepNumber: (attempt: string, number: string) => Promise<void>,
): Promise<void> {
  const ageOf = (name: string) => Number(journalName.exec(name)?.[1] ?? Infinity)
  const names = (await readdir(directory)).filter((name) => journalName.test(name))
  // A call stands completely in the newest journal that has it.
  for (const name of names.sort((a, b) => ageOf(b) - ageOf(a))) {
    const path = join(directory, name)
    const { found, numbers } = fold(readRecords(path, await readFile(path)))
    for (const [attempt, number] of numbers) if (!calls.get(attempt)) await keepNumber(attempt, number)
    await calls.bringIn(found)
    await rm(path)
  }
}

function fold(records: Iterable<JournalRecord>): { found: Iterable<Call>; numbers: Map<string, string> } {
  const calls = new Map<string, Call>()
  const numbers = new Map<string, string>()
  for (const record of records) {
    const { attempt, at } = record
    const call = calls.get(attempt)
    if (record.event === 'taken') {
      if (typeof record.to === 'string') numbers.set(attempt, record.to)
      if (!call) calls.set(attempt, begun(record))
    } else if (record.event === 'settled') {
      numbers.delete(attempt)
      if (call) call.settled_at = at
    } else if (call?.ending === null) {
      Object.assign(call, { ending: record.ending, ended_at: at })
    }
  }
  return { found: calls.values(), numbers }
}

function begun(record: JournalRecord & { event: 'taken' }): Call {
  const { attempt, job, pages, at, seconds, ending, prints } = record
  const call = { attempt, job, pages, begun_at: at, seconds, plan: ending, prints: prints ? 1 : 0 } as const
  return { ...call, ending: null, ended_at: null, settled_at: null }
}

/** A torn end, as a crash leaves it, is passed over: what was not whole was never acknowledged. */
function readRecords(path: string, content: Buffer): JournalRecord[] {
  const records: JournalRecord[] = []
  let whole = 0
  let isTorn = false
  for (const line of content.toString('utf8').split('\n').slice(0, -1)) {
    const record = parseRecord(line)
    if (record && isTorn)
      throw new Error(`${path} is damaged at byte ${whole}. Move the file away, or restore it from a backup.`)
    isTorn ||= !record
    if (!record) continue
    records.push(record)
    whole += Buffer.byteLength(line) + 1
  }
  return records
}

function parseRecord(line: string): JournalRecord | undefined {
  try {
    const record = JSON.parse(line) as Record<string, unknown>
    const known = Object.entries({ attempt: 'string', at: 'number', ...fields[String(record.event)] })
    const isWhole =
      Object.hasOwn(fields, String(record.event)) && known.every(([name, type]) => typeof record[name] === type)
    return isWhole ? (record as unknown as JournalRecord) : undefined
  } catch {
    return undefined
  }
}
