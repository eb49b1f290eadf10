import { type FileHandle, open } from 'node:fs/promises'

const block = 64 * 1024
/** Bytes read at most, however long the lines are. */
const max = 32 * 1024 * 1024

async function readBackwards(file: FileHandle, count: number): Promise<string[]> {
  const { size } = await file.stat()
  const parts: Buffer[] = []
  let start = size
  let breaks = 0
  // One break more than lines: the oldest block may begin within a line.
  while (start > 0 && breaks <= count && size - start < max) {
    const length = Math.min(block, start)
    start -= length
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, start)
    const part = buffer.subarray(0, bytesRead)
    parts.unshift(part)
    for (const byte of part) if (byte === 10) breaks++
  }
  const lines = Buffer.concat(parts).toString('utf8').split('\n')
  if (start > 0) lines.shift()
  return lines.filter((line) => line !== '').slice(-count)
}

async function lastOf(path: string, count: number): Promise<string[]> {
  const file = await open(path, 'r').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  })
  if (!file) return []
  try {
    return await readBackwards(file, count)
  } finally {
    await file.close()
  }
}

/** The last lines of a file, oldest first, going on in the file put aside before it. A missing file has no lines. */
export async function lastLines(path: string, count: number): Promise<string[]> {
  const lines = await lastOf(path, count)
  if (lines.length >= count) return lines
  return [...(await lastOf(`${path}.1`, count - lines.length)), ...lines]
}
