import { readdirSync, readFileSync } from 'node:fs'

/** Milliseconds of processor time, by what the threads of a gateway do. */
export interface ThreadTimes {
  /** The event loop, which everybody waits for. */
  main: number
  /** The threads that open and measure documents. */
  documents: number
}

/** Nanoseconds on a processor so far (Documentation/scheduler/sched-stats.rst), of each thread that is to be counted. */
function readThreads(pid: number): Map<string, { of: keyof ThreadTimes; used: number }> {
  const threads = new Map<string, { of: keyof ThreadTimes; used: number }>()
  for (const id of readdirSync(`/proc/${pid}/task`)) {
    const [name = '', used = ''] = ['comm', 'schedstat'].map((file) => {
      return readFileSync(`/proc/${pid}/task/${id}/${file}`, 'utf8').trim()
    })
    const of = Number(id) === pid ? 'main' : name === 'WorkerThread' ? 'documents' : undefined
    if (of) threads.set(id, { of, used: Number(used.split(' ')[0]) })
  }
  return threads
}

/**
 * Begins to measure. Unlike a rate, processor time can be compared on a busy machine. Linux only.
 * @returns what the threads have used up since; those that have ended in between are not counted
 */
export function measureThreads(pid: number): () => ThreadTimes {
  const before = readThreads(pid)
  return () => {
    const spent = { main: 0, documents: 0 }
    for (const [id, { of, used }] of readThreads(pid)) spent[of] += (used - (before.get(id)?.used ?? 0)) / 1e6
    return spent
  }
}
