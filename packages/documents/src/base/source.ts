import { open, stat } from 'node:fs/promises'
import { checkBytes, type Limits } from './limits.ts'

/** Bytes that a fax page or two take. */
const atOnce = 64 * 1024

/** A document: its bytes, which are left as they are, or the path of a file. */
export type Source = Uint8Array | { path: string }

/** A document as it travels to a worker: its bytes in shared memory, or a file that the worker reads. */
export type TaskSource = { shared: SharedArrayBuffer } | { path: string }

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
    // Every step waits for a thread, which takes longer than reading: a small file is read while its size is asked for.
    const start = new Uint8Array(atOnce)
    const [{ size }, begun] = await Promise.all([file.stat(), file.read(start, 0, atOnce, 0)])
    checkBytes(size, limits)
    let length = Math.min(begun.bytesRead, size)
    if (length === size) return start.subarray(0, size)
    const bytes = new Uint8Array(size)
    bytes.set(start.subarray(0, length))
    for (let read = -1; read !== 0 && length < size; length += read) {
      read = (await file.read(bytes, length, size - length, length)).bytesRead
    }
    return bytes.subarray(0, length)
  } finally {
    // Nothing was written: nobody needs to wait until it is closed.
    file.close().catch(() => undefined)
  }
}
