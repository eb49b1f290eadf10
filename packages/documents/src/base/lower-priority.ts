import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { isMainThread, workerData } from 'node:worker_threads'

/** Calls, answers to programs and whatever else is in time come before pages that are drawn. */
const drawing = 5
/** The lowest there is: everybody else comes first. */
const lowest = 19

/**
 * Lets a thread that draws, and no other of the process, run behind what has to be in time, and one in the background behind
 * everything else. Only Linux gives threads a priority of their own.
 */
export function lowerPriority(): void {
  if (isMainThread || process.platform !== 'linux') return
  const isBackground = (workerData as { isBackground?: boolean } | null)?.isBackground === true
  try {
    const [thread] = readlinkSync('/proc/thread-self').split('/').slice(-1)
    setPriority(Number(thread), isBackground ? lowest : drawing)
  } catch {
    // Without /proc they run at the usual priority.
  }
}

/** The same for a program that draws. */
export function lowerProcess(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, drawing)
  } catch {
    // It has ended already.
  }
}
