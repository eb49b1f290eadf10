import { writeFileSync } from 'node:fs'
import { findFaketime } from '../../scripts/test/find-faketime.mjs'

/** A clock of one process that a test sets while the process runs; the monotonic one goes on undisturbed. */
export interface MovedClock {
  /** What the process must be started with. */
  env: Readonly<Record<string, string>>
  /** Sets it ahead of the machine's clock, or behind. */
  set: (seconds: number) => void
}

/** @returns undefined where libfaketime is not installed */
export function movedClock(file: string): MovedClock | undefined {
  const library = findFaketime()
  if (library === undefined) return undefined
  const set = (seconds: number) => writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}\n`)
  set(0)
  const env = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
  }
  return { env, set }
}
