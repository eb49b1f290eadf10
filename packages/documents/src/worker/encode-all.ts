import type { Budget, Pool } from './pool.ts'
import type { TaskOf, TaskResult } from './worker.ts'
import type { EncodedPage } from '../t4-t6/encode-page.ts'

/** Pages coded by one task at most: few enough that other callers are served in between. */
const stretch = 4
/** Tasks under way for each thread: one that runs and one that waits, so that no thread is idle while a page is written. */
const tasksAThread = 2

/** Documents of more pages than these have so much more working time. */
const usualPages = 100

let lastKey = 0

/** A document to be coded, and how. */
export interface EncodeRequest extends Omit<TaskOf<'encode'>, 'key' | 'from' | 'to' | 'unlessMore'> {
  signal: AbortSignal | undefined
}

/**
 * Codes all pages of a document on all threads, on fewer where it is large and memory is short. The first task says how
 * many pages there are, and codes one that is alone; several come in order, with few tasks ahead, so that nothing is
 * collected.
 */
export async function encodeAll(
  pool: Pool,
  request: EncodeRequest,
): Promise<{ total: number; pages: AsyncGenerator<EncodedPage> }> {
  const key = ++lastKey
  const { signal, ...input } = request
  const budget: Budget = { left: request.limits.seconds * 1000 }
  const threads = pool.threadsFor(request.source)
  const encode = async (from: number, to: number, unlessMore = false) => {
    // PDFium's memory only grows: a thread begins anew with each stretch where there is little.
    if (threads < pool.threads) await pool.rest()
    return pool.run('encode', { ...input, key, from, to, unlessMore }, { urgent: false, budget, signal })
  }
  const first = await encode(0, 1, true)
  // A document may be long, as far as each of its pages is ordinary.
  budget.left *= Math.max(1, first.total / usualPages)
  return { total: first.total, pages: inOrder(first, encode, threads === 1 ? 1 : tasksAThread * threads) }
}

async function* inOrder(
  first: TaskResult<'encode'>,
  encode: (from: number, to: number) => Promise<TaskResult<'encode'>>,
  ahead: number,
): AsyncGenerator<EncodedPage> {
  const coming: Promise<TaskResult<'encode'>>[] = []
  let next = first.pages.length
  const lookAhead = () => {
    while (next < first.total && coming.length < ahead) {
      // Shorter toward the end, so that all threads are done at about the same time.
      const pages = Math.min(stretch, Math.ceil((first.total - next) / ahead))
      const result = encode(next, next + pages)
      // Its failure is met when its turn comes; until then it is not to count as unhandled.
      result.catch(() => undefined)
      coming.push(result)
      next += pages
    }
  }
  lookAhead()
  yield* first.pages
  for (let result = coming.shift(); result; result = coming.shift()) {
    const { pages } = await result
    lookAhead()
    yield* pages
  }
}
