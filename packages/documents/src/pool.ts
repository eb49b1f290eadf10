import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { DocumentProblem } from './problem.ts'
import type { Answer, Task, TaskResult } from './tasks.ts'

/** What one call may still use of its working time, in milliseconds. */
export interface Budget {
  left: number
}

/** How a task is run. */
export interface Turn {
  /** Someone is waiting for the answer: before all tasks that are not urgent. */
  urgent: boolean
  budget: Budget
  signal?: AbortSignal | undefined
}

/** Threads without work end after this time, and with them PDFium's memory. */
const idleTimeout = 10_000
/** JavaScript memory of one worker, in MB. PDFium's has a cap of its own. */
const resourceLimits = { maxOldGenerationSizeMb: 512 }

/** Worker threads for documents, started when there is work. A task that fails, crashes or takes too long hurts no other. */
export class Pool {
  readonly threads: number
  #piscina: Piscina | undefined
  #running = 0
  #urgent: (() => void)[] = []
  #later: (() => void)[] = []
  #closed = false

  constructor(threads: number) {
    this.threads = threads
  }

  /**
   * Runs a task in a worker. Throws the worker's `DocumentProblem`, `too_slow` when it takes more than the budget
   * (waiting for a free worker is not counted), `too_large` when it runs out of memory, and the signal's reason.
   */
  async run<Name extends Task['name']>(
    task: Extract<Task, { name: Name }>,
    { urgent, budget, signal }: Turn,
  ): Promise<TaskResult[Name]> {
    await this.#takeTurn(urgent, signal)
    const started = performance.now()
    try {
      const answer = await this.#runNow<Name>(task, budget)
      if ('value' in answer) return answer.value
      throw new DocumentProblem(answer.problem.code, answer.problem.sentence)
    } finally {
      budget.left -= performance.now() - started
      this.#endTurn()
    }
  }

  /** Ends all workers; tasks that run or wait fail. */
  async close(): Promise<void> {
    this.#closed = true
    for (const start of [...this.#urgent.splice(0), ...this.#later.splice(0)]) start()
    await this.#piscina?.destroy()
  }

  async #runNow<Name extends Task['name']>(task: Task, budget: Budget): Promise<Answer<Name>> {
    if (this.#closed) throw new Error('The document workers are closed.')
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(), Math.max(0, budget.left))
    try {
      // Aborting a task that runs ends its thread; Piscina starts another when there is work.
      return (await this.#start().run(task, { signal: limit.signal })) as Answer<Name>
    } catch (error) {
      if (limit.signal.aborted) throw tooSlow()
      if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') throw tooLarge()
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  #start(): Piscina {
    if (this.#piscina) return this.#piscina
    this.#piscina = new Piscina({
      filename: fileURLToPath(new URL('./worker.ts', import.meta.url)),
      name: 'runTask',
      minThreads: 0,
      maxThreads: this.threads,
      idleTimeout,
      resourceLimits,
      execArgv: [],
      recordTiming: false,
    })
    // A worker that fails between two tasks is replaced; without a listener its error would end the whole process.
    this.#piscina.on('error', (error: Error) => process.emitWarning(error))
    return this.#piscina
  }

  /** Resolves when a worker is free for this caller; `#endTurn` hands its turn to the next. */
  async #takeTurn(urgent: boolean, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    if (this.#running < this.threads) {
      this.#running++
      return
    }
    await new Promise<void>((start) => (urgent ? this.#urgent : this.#later).push(start))
    if (signal?.aborted) {
      this.#endTurn()
      signal.throwIfAborted()
    }
  }

  #endTurn(): void {
    const next = this.#urgent.shift() ?? this.#later.shift()
    if (next) next()
    else this.#running--
  }
}

function tooSlow(): DocumentProblem {
  return new DocumentProblem(
    'too_slow',
    'The document takes too long to read. Print it to a new PDF, or send it in parts.',
  )
}

function tooLarge(): DocumentProblem {
  return new DocumentProblem(
    'too_large',
    'The document needs more memory than one may take. Print it to a new PDF, or send it in parts.',
  )
}
