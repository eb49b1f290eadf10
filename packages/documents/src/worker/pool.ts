import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import PQueue from 'p-queue'
import { Piscina } from 'piscina'
import { type MemoryPlan, needsMemoryExit, NeedsMemory } from '../base/memory.ts'
import { DocumentProblem } from '../base/problem.ts'
import type { TaskSource } from '../base/source.ts'
import type { Answer, Done, TaskName, TaskOf, TaskResult } from './worker.ts'

/** What one call may still use of its working time, in milliseconds of a processor. */
export interface Budget {
  left: number
  /** Its document wanted more memory than the usual thread has. */
  isLarge?: boolean
}

/** How a task is run. */
export interface Turn {
  /** Someone is waiting for the answer: before all tasks that are not urgent. */
  urgent: boolean
  budget: Budget
  /** It has a thread of its own, which runs behind everything else. */
  isBackground?: boolean
  signal?: AbortSignal | undefined
}

/** What a thread keeps of a document, in its sizes. */
const copies = 3

/** Threads without work end after this time, and with them PDFium's memory. */
const idleTimeout = 10_000
// V8 of Node 24 can end the whole process when it collects WebAssembly code that threads share (decision 71).
setFlagsFromString('--no-wasm-code-gc')

/** Work is looked at this often, in milliseconds. */
const lookEvery = { least: 20, max: 1000 }
/** On a busy machine a call may take so many times its working time before it is taken to hang. */
const patience = 5
/** Who lets everybody pass waits longer. */
const backgroundPatience = 60

/** Worker threads of one size, started when there is work. A task that fails, crashes or takes too long hurts no other. */
class Threads {
  readonly threads: number
  /** One thread each, so that it is known which of them runs a task. */
  #idle: Piscina[] = []
  #all = new Set<Piscina>()
  readonly #turns: PQueue
  #closed = false

  readonly #megabytes: number
  readonly #isBackground: boolean

  /**
   * @param megabytes for one document: of JavaScript, of WebAssembly or of pixels
   * @param isBackground runs behind everything else
   */
  constructor(threads: number, megabytes: number, isBackground = false) {
    this.threads = threads
    this.#turns = new PQueue({ concurrency: threads })
    this.#megabytes = megabytes
    this.#isBackground = isBackground
  }

  /**
   * Runs a task in a worker. Throws the worker's `DocumentProblem`, `too_slow` when it takes more than the budget
   * (waiting for a free worker is not counted), `NeedsMemory`, and the signal's reason.
   */
  async run<Name extends TaskName>(
    name: Name,
    task: TaskOf<Name>,
    { urgent, budget, signal }: Turn,
    prepare?: () => Promise<void>,
  ): Promise<TaskResult<Name>> {
    const runInTurn = async () => {
      signal?.throwIfAborted()
      await prepare?.()
      return this.#runNow(name, task, budget)
    }
    const answer = await this.#turns.add(runInTurn, { priority: urgent ? 1 : 0 })
    if ('value' in answer) return answer.value
    throw new DocumentProblem(answer.problem.code, answer.problem.sentence)
  }

  /** Ends workers that have nothing to do, and gives their memory back. */
  async rest(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((thread) => this.#end(thread)))
  }

  /** Ends all workers; tasks that run or wait fail. */
  async close(): Promise<void> {
    this.#closed = true
    await Promise.all([...this.#all].map((thread) => this.#end(thread)))
  }

  async #end(thread: Piscina): Promise<void> {
    this.#all.delete(thread)
    await thread.destroy()
  }

  async #runNow<Name extends TaskName>(name: Name, task: TaskOf<Name>, budget: Budget): Promise<Answer<Name>> {
    if (this.#closed) throw new Error('The document workers are closed.')
    const thread = this.#idle.pop() ?? this.#start()
    const limit = new AbortController()
    const watch = watchWork(thread, budget, this.#isBackground ? backgroundPatience : patience, () => limit.abort())
    try {
      // Aborting a task that runs ends its thread; Piscina starts another when there is work.
      const { worked, ...answer } = (await thread.run({ name, ...task }, { signal: limit.signal })) as Done<Name>
      budget.left -= worked
      return answer
    } catch (error) {
      budget.left -= watch.worked
      if (limit.signal.aborted) throw tooSlow()
      throw isOutOfMemory(error) ? new NeedsMemory(this.#megabytes) : error
    } finally {
      clearInterval(watch.timer)
      if (this.#all.has(thread)) this.#idle.push(thread)
    }
  }

  #start(): Piscina {
    const thread = new Piscina({
      filename: fileURLToPath(new URL('./worker.ts', import.meta.url)),
      name: 'runTask',
      minThreads: 0,
      maxThreads: 1,
      idleTimeout,
      // PDFium's memory has a cap of its own, of the same size.
      resourceLimits: { maxOldGenerationSizeMb: this.#megabytes },
      workerData: { megabytes: this.#megabytes, isBackground: this.#isBackground },
      execArgv: [],
      recordTiming: false,
    })
    // A worker that fails between two tasks is replaced; without a listener its error would end the whole process.
    thread.on('error', (error: Error) => process.emitWarning(error))
    this.#all.add(thread)
    return thread
  }
}

/**
 * Calls `end` when a thread has worked for what is left, by its processor time: on a busy machine a task waits more
 * than it works. What the image library does in threads of its own is not in it, so patience has an end too.
 */
function watchWork(
  thread: Piscina,
  { left }: Budget,
  patient: number,
  end: () => void,
): { timer: NodeJS.Timeout; worked: number } {
  const started = performance.now()
  let before: number | undefined
  const look = async () => {
    if (performance.now() - started > patient * left) end()
    const used = await thread.threads[0]?.cpuUsage().catch(() => undefined)
    if (!used) return
    const now = (used.user + used.system) / 1000
    before ??= now
    watch.worked = now - before
    if (watch.worked >= left) end()
  }
  const every = Math.min(lookEvery.max, Math.max(lookEvery.least, left / 10))
  const watch = { timer: setInterval(() => void look(), every), worked: 0 }
  return watch
}

function tooSlow(): DocumentProblem {
  return new DocumentProblem(
    'too_slow',
    'The document took too long to read. Print it to a new PDF, or send it in parts.',
  )
}

function isOutOfMemory(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const isHeap = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
  return isHeap || error.message === `worker exited with code: ${needsMemoryExit}`
}

/**
 * Worker threads for documents. Nearly all of them are small; one whose document wants more memory ends, and the task
 * runs again in the one large thread: so the memory of all documents at once is bounded, whatever they are.
 */
export class Pool {
  readonly threads: number
  readonly #usual: Threads
  readonly #large: Threads
  /** For what nobody waits for. */
  readonly #background: Threads
  /** Whose document the large thread has drawn: for another one it begins again, because its memory only grows. */
  #largeOf: Budget | undefined

  readonly #largeBytes: number

  constructor(plan: Omit<MemoryPlan, 'held'>) {
    this.threads = plan.threads
    this.#largeBytes = plan.large * 1024 * 1024
    this.#usual = new Threads(plan.threads, plan.usual)
    this.#large = new Threads(1, plan.large)
    this.#background = new Threads(1, plan.background, true)
  }

  /**
   * How many threads may have a document at once: each keeps it together with what is read of it, some three times its
   * size, and all of them no more than half of what the largest document may take.
   */
  threadsFor(source: TaskSource): number {
    const bytes = 'shared' in source ? source.shared.byteLength : 0
    return Math.max(1, Math.min(this.threads, Math.floor(this.#largeBytes / 2 / (copies * Math.max(1, bytes)))))
  }

  /** Runs a task. Throws as the worker's `DocumentProblem`, `too_slow`, `too_large` out of memory, and the signal's reason. */
  async run<Name extends TaskName>(name: Name, task: TaskOf<Name>, turn: Turn): Promise<TaskResult<Name>> {
    if (turn.isBackground) {
      // Where memory is short for it, those that have drawn it give theirs back first.
      if ('source' in task && this.threadsFor(task.source) < this.threads) await this.rest()
      return this.#background.run(name, task, turn)
    }
    if (!turn.budget.isLarge) {
      try {
        return await this.#usual.run(name, task, turn)
      } catch (error) {
        if (!(error instanceof NeedsMemory)) throw error
        turn.budget.isLarge = true
      }
    }
    return this.#large.run(name, task, turn, () => this.#beginLarge(turn.budget))
  }

  /** Ends threads that have nothing to do, for the memory they keep. */
  async rest(): Promise<void> {
    await this.#usual.rest()
  }

  async close(): Promise<void> {
    await Promise.all([this.#usual.close(), this.#large.close(), this.#background.close()])
  }

  async #beginLarge(budget: Budget): Promise<void> {
    if (this.#largeOf !== budget) await this.#large.rest()
    this.#largeOf = budget
  }
}
