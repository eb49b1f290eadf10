import { open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { onTestFinished, vi } from 'vitest'
import { freshDirectory } from './fresh-directory.ts'

/** Lets the next sync fail, whatever file it is for. Undone by vi.restoreAllMocks. */
export async function failSync(): Promise<void> {
  const file = await open(join(await freshDirectory(), 'any'), 'w')
  const prototype = Object.getPrototypeOf(file) as FileHandle
  vi.spyOn(prototype, 'datasync').mockRejectedValueOnce(new Error('no space left on device'))
  await file.close()
}

/** Lets the next sync fail, and every attempt to mend that. */
export async function failForGood(directory: string): Promise<void> {
  const reader = new DatabaseSync(join(directory, 'calls.db'))
  onTestFinished(() => reader.close())
  reader.exec('begin; select * from calls')
  await failSync()
}
