import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { scratchIn } from '../../base/settings/data-directory.ts'

/** Longer than any call takes; gateways that share a data directory leave each other's files alone. */
const passingMs = 600_000

/** Removes what calls that were cut off have left in the scratch folder of a data directory. */
export async function cleanScratch(directory: string): Promise<void> {
  const folder = scratchIn(directory)
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs > passingMs) await rm(path, { recursive: true, force: true })
  }
}
