import { Worker } from 'node:worker_threads'

/** Sets after how many pages in its log SQLite makes a checkpoint by itself, on the thread that everybody waits for. */
export type SetOwn = (pages: number) => void

/** SQLite's own number, good while little is written. */
const usualPages = 1000
/** While the thread runs: only when it cannot keep up. */
const mostPages = 16_000
/** So many commits within a second are a rush. */
const rush = 50
const betweenCheckpoints = 16
const idleMs = 10_000
const program = new URL('./checkpoint-worker.ts', import.meta.url)
/** In megabytes: it does nothing of its own. */
const resourceLimits = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 1 }

/**
 * Brings what SQLite has written to its log into the database file. A checkpoint writes hundreds of pages and waits
 * for the disk: in a rush a thread of its own does that, which comes and goes with the rush. While there is none, or
 * when it fails, checkpoints are left to SQLite.
 */
export class Checkpoints {
  readonly #path: string
  readonly #setOwn: SetOwn
  #worker: Worker | undefined
  #isBusy = false
  #isClosed = false
  #commits = 0
  #since = -Infinity
  #idle: NodeJS.Timeout | undefined

  constructor(path: string, setOwn: SetOwn) {
    this.#path = path
    this.#setOwn = setOwn
  }

  /** Told of every commit. */
  written(): void {
    this.#commits++
    if (this.#isClosed || this.#isBusy || this.#commits < (this.#worker ? betweenCheckpoints : rush)) return
    const now = performance.now()
    const isRush = now - this.#since < 1000
    this.#since = now
    this.#commits = 0
    if (this.#worker || isRush) this.#begin()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#worker) await this.#end(this.#worker)
  }

  #begin(): void {
    const worker = (this.#worker ??= this.#start())
    this.#isBusy = true
    worker.postMessage('begin')
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => void this.#end(worker), idleMs).unref()
  }

  #start(): Worker {
    const worker = new Worker(program, { workerData: this.#path, execArgv: [], resourceLimits })
    worker.unref()
    worker.on('message', () => (this.#isBusy = false))
    // Nothing is lost but time.
    worker.on('error', () => {
      this.#isClosed = true
      this.#leave()
    })
    this.#setOwn(mostPages)
    return worker
  }

  #leave(): void {
    clearTimeout(this.#idle)
    this.#worker = undefined
    this.#isBusy = false
    this.#setOwn(usualPages)
  }

  async #end(worker: Worker): Promise<void> {
    this.#leave()
    const ended = new Promise((resolve) => worker.once('exit', resolve))
    worker.postMessage('end')
    await ended
  }
}
