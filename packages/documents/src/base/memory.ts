import { availableParallelism, totalmem } from 'node:os'
import { isMainThread, workerData } from 'node:worker_threads'
import { DocumentProblem } from './problem.ts'

const megabyte = 1024 * 1024

/** A document that wants more than its thread may give it. */
export class NeedsMemory extends DocumentProblem {
  constructor(megabytes: number) {
    super(
      'too_large',
      `This document needs more memory than the ${megabytes} MB allowed for one. Print it to a new PDF with smaller images and send that.`,
    )
  }
}

/** With this code a thread ends whose document wants more: only the end of a thread gives WebAssembly's memory back. */
export const needsMemoryExit = 77

/** What the threads share. */
export interface MemoryPlan {
  threads: number
  /** Megabytes for the document of each thread: enough for nearly all. */
  usual: number
  /** Megabytes for a document that wants more. One at a time is drawn so. */
  large: number
  /** Megabytes for the document that nobody waits for, which may be read beside all others. */
  background: number
  /** Megabytes for documents that are held outside of the threads, with their copies. */
  held: number
}

/** What this process may use: the machine's memory, or less where a control group says so. */
function availableMegabytes(): number {
  const constrained = process.constrainedMemory()
  return Math.floor((constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()) / megabyte)
}

/**
 * Divides the memory there is: an eighth is for documents that arrive or wait for a thread; about half is for the document that wants most, and each further thread needs room for
 * its code, its document and the copies in between.
 */
export function planMemory(available = availableMegabytes(), cores = availableParallelism()): MemoryPlan {
  const usual = 128
  const threads = Math.max(1, Math.min(cores, Math.floor(available / 512)))
  const large = Math.max(usual, Math.min(512, Math.floor(available / 2) - 128))
  const background = available < 2048 ? usual : large
  return { threads, usual, large, background, held: Math.min(1024, Math.floor(available / 8)) }
}

/** Megabytes that a document may take in this thread. */
export function allowedMegabytes(): number {
  const given: unknown = isMainThread ? undefined : (workerData as { megabytes?: unknown } | null)?.megabytes
  return typeof given === 'number' ? given : 512
}

/** @throws {NeedsMemory} when so many bytes are more than a document may take in this thread */
export function requireMemory(bytes: number): void {
  const allowed = allowedMegabytes()
  if (bytes > allowed * megabyte) throw new NeedsMemory(allowed)
}
