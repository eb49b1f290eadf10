import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** How many files below a folder hold these bytes, read as they lie there. */
export async function filesWith(directory: string, text: string): Promise<number> {
  const sought = Buffer.from(text)
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  let found = 0
  for (const entry of entries.filter((each) => each.isFile())) {
    const content = await readFile(join(entry.parentPath, entry.name)).catch(() => Buffer.alloc(0))
    if (content.includes(sought)) found += 1
  }
  return found
}
