import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const run = (program: string, ...words: string[]) => execFileSync(program, words, { stdio: 'ignore' })

/** Mounts an empty disk of 24 MB on a folder. @returns how to unmount it, also while files on it are open */
export function mountSmall(folder: string): () => void {
  run('mount', '-t', 'tmpfs', '-o', 'size=24m', 'faxdeck-test', folder)
  return () => run('umount', '-l', folder)
}

/** Whether this user may mount a disk; tests that need one are skipped otherwise. */
export function mayMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'faxdeck-may-mount-'))
  try {
    mountSmall(folder)()
    return true
  } catch {
    return false
  } finally {
    rmdirSync(folder)
  }
}
