import { open, stat } from 'node:fs/promises'
import { checkBytes } from './limits.ts'
import type { Limits } from './limits.ts'
import type { TaskSource } from './tasks.ts'

/** A document: its bytes, which are left as they are, or the path of a file. */
export type Source = Uint8Array | { path: string }

/** Puts bytes where every worker can read them; a file is read by the workers themselves. Throws `empty`, `too_large`. */
export async function share(source: Source, limits: Limits): Promise<TaskSource> {
  checkBytes(await sizeOfSource(source), limits)
  if (!(source instanceof Uint8Array)) return source
  const shared = new SharedArrayBuffer(source.length)
  new Uint8Array(shared).set(source)
  return { shared }
}

/** Bytes of a source. */
export async function sizeOfSource(source: Source): Promise<number> {
  return source instanceof Uint8Array ? source.length : (await stat(source.path)).size
}

/** The bytes of a source. Throws `empty` and `too_large`, before it reads a file. */
export async function readSource(source: Source, limits: Limits): Promise<Uint8Array> {
  if (source instanceof Uint8Array) {
    checkBytes(source.length, limits)
    return source
  }
  const file = await open(source.path)
  try {
    const { size } = await file.stat()
    checkBytes(size, limits)
    // A buffer of the right size is filled at one go: each step of reading waits for a thread.
    const bytes = new Uint8Array(size)
    let length = 0
    for (let read = -1; read !== 0 && length < size; length += read) {
      read = (await file.read(bytes, length, size - length, length)).bytesRead
    }
    return bytes.subarray(0, length)
  } finally {
    await file.close()
  }
}
