import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { TrailMessage, TrailSink } from './message.ts'

/** Whether the last line has its end: a crash may have cut it short. */
async function endsWhole(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat()
  if (size === 0) return true
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1)
  return buffer[0] === 10
}

/** A new file is certain only once its folder is synced too. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(dirname(path), 'r').catch(() => undefined)
  await folder?.sync().catch(() => undefined)
  await folder?.close()
}

/** Opens the file for each batch, so that one that was rotated away is left alone and a new one begun. */
async function append(path: string, messages: readonly TrailMessage[]): Promise<void> {
  const file = await open(path, 'a+', 0o600)
  try {
    const { size } = await file.stat()
    const start = (await endsWhole(file)) ? '' : '\n'
    await file.appendFile(start + messages.map(({ json }) => `${json}\n`).join(''))
    await file.datasync()
    if (size === 0) await syncFolder(path)
  } finally {
    await file.close()
  }
}

/** Appends to a file, one JSON line each, synced to disk. */
export const fileSink = (path: string): TrailSink => ({
  name: 'file',
  target: path,
  send: async (messages) => {
    try {
      await append(path, messages)
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
      throw new Error(`The file ${path} cannot be written (${code}).`, { cause: error })
    }
  },
})
