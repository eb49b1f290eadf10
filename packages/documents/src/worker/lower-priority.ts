import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { isMainThread, workerData } from 'node:worker_threads'

/** The lowest there is: everybody else comes first. */
const lowest = 19

/** Lets a background thread, and no other of the process, run behind everything else. Only Linux gives threads a priority of their own. */
export function lowerPriority(): void {
  const isBackground = !isMainThread && (workerData as { isBackground?: boolean } | null)?.isBackground
  if (!isBackground || process.platform !== 'linux') return
  try {
    const [thread] = readlinkSync('/proc/thread-self').split('/').slice(-1)
    setPriority(Number(thread), lowest)
  } catch {
    // Without /proc the pages are read at the usual priority, one at a time.
  }
}
