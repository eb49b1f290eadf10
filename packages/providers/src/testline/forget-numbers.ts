import { open, rename } from 'node:fs/promises'
import { journalsIn } from './call-memory.ts'
import { readJournal } from './journal.ts'

const firstBytes = 65_536

/** Journals of before version 1.3 began with a number, and nobody has added to them since but at their end. */
async function hasNumbers(path: string): Promise<boolean> {
  const file = await open(path, 'r').catch(() => undefined)
  try {
    const start = await file?.read(Buffer.alloc(firstBytes), 0, firstBytes, 0)
    return start?.buffer.subarray(0, start.bytesRead).includes('"to":"') ?? false
  } finally {
    await file?.close()
  }
}

async function replace(path: string, text: string): Promise<void> {
  const next = `${path}.without-numbers`
  const file = await open(next, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(next, path)
}

/**
 * Takes the numbers out of journals that an earlier version has written.
 * @param keep is given those of calls that have not ended yet, before their journal forgets them
 * @throws {Error} when a journal is damaged
 */
export async function forgetNumbers(
  directory: string,
  keep: (attempt: string, number: string) => Promise<void>,
): Promise<void> {
  for (const path of await journalsIn(directory)) {
    if (!(await hasNumbers(path))) continue
    const numbers = new Map<string, string>()
    const lines: string[] = []
    await readJournal(path, (record) => {
      const { to, ...kept }: typeof record & { to?: unknown } = record
      if (typeof to === 'string') numbers.set(record.attempt, to)
      if (record.event === 'settled') numbers.delete(record.attempt)
      lines.push(`${JSON.stringify(kept)}\n`)
    })
    for (const [attempt, number] of numbers) await keep(attempt, number)
    await replace(path, lines.join(''))
  }
}
