import { open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { vi } from 'vitest'
import { freshDirectory } from './fresh-directory.ts'

/** Lets the next call of this kind fail, whatever file it is for. Undone by vi.restoreAllMocks. */
export async function failOnce(call: 'datasync' | 'truncate'): Promise<void> {
  const file = await open(join(await freshDirectory(), 'any'), 'w')
  const prototype = Object.getPrototypeOf(file) as FileHandle
  vi.spyOn(prototype, call).mockRejectedValueOnce(new Error('no space left on device'))
  await file.close()
}
