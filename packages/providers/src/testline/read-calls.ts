import { journalsIn } from './call-memory.ts'
import { readJournal } from './journal.ts'
import type { CallRecord, Ending, Taken } from './record.ts'

/** One attempt, as the journal of the line reports it. */
export interface RecordedCall {
  attemptId: string
  jobId: string
  pages: number
  takenAt: Date
  /** How often the attempt was taken; more than once is a fault. */
  timesTaken: number
  /** How often the far machine printed the fax; more than once is a fault. */
  timesPrinted: number
  /** undefined while the call is under way. */
  ending: Ending | undefined
}

/**
 * Reads, from outside, which attempts a test line took and what became of them. The line may be in use or dead.
 * @param directory the folder of the test line in a data directory
 * @returns every attempt ever taken, the newest journal first
 */
export async function readCalls(directory: string): Promise<RecordedCall[]> {
  const calls = new Map<string, RecordedCall>()
  for (const path of await journalsIn(directory)) {
    const here = new Map<string, RecordedCall>()
    await readJournal(path, (record) => note(here, record))
    // A call stands completely in the newest journal that has it.
    for (const [attempt, call] of here) if (!calls.has(attempt)) calls.set(attempt, call)
  }
  return [...calls.values()]
}

function note(calls: Map<string, RecordedCall>, record: CallRecord): void {
  const known = calls.get(record.attempt)
  if (record.event === 'taken') {
    if (known) known.timesTaken += 1
    else calls.set(record.attempt, begun(record))
  } else if (record.event === 'ended' && known) {
    known.ending = record.ending
    if (record.printed) known.timesPrinted += 1
  }
}

function begun(taken: Taken): RecordedCall {
  return {
    attemptId: taken.attempt,
    jobId: taken.job,
    pages: taken.pages,
    takenAt: new Date(taken.at),
    timesTaken: 1,
    timesPrinted: 0,
    ending: undefined,
  }
}
