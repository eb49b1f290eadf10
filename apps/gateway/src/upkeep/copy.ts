import { createHash } from 'node:crypto'
import { createReadStream, openSync, statSync } from 'node:fs'
import { mkdir, open, readdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { ifMissing } from '../base/error-code.ts'
import { isNoContent } from '../base/settings/data-directory.ts'

const copiedFile = z.object({ path: z.string(), size: z.int(), sha256: z.string() })
export type CopiedFile = z.infer<typeof copiedFile>

/** What a backup holds. It is written last: a folder without one is no backup. */
export const manifest = z.object({
  format: z.literal(1),
  made_at: z.iso.datetime(),
  /** What belongs to the installation and is not in here: `s3`, documents in a bucket. */
  left_out: z.array(z.string()).default([]),
  files: z.array(copiedFile),
})
export type Manifest = z.infer<typeof manifest>
export const manifestName = 'manifest.json'

/** Why a data directory could not be worked on, as a sentence that says what to do. */
export class UpkeepProblem extends Error {
  override name = 'UpkeepProblem'
}

/** Size and SHA-256 of a file. */
export async function measure(path: string): Promise<Omit<CopiedFile, 'path'>> {
  const hash = createHash('sha256')
  let size = 0
  for await (const part of createReadStream(path)) {
    const bytes = part as Buffer
    hash.update(bytes)
    size += bytes.length
  }
  return { size, sha256: hash.digest('hex') }
}

/**
 * Copies a file durably, for this user alone; the size and hash are of the bytes that were copied.
 * @param openSource opens what only another user may read
 */
export async function copyFile(
  source: string,
  target: string,
  openSource = (path: string) => openSync(path, 'r'),
): Promise<Omit<CopiedFile, 'path'>> {
  const stream = createReadStream('', { fd: openSource(source) })
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  const hash = createHash('sha256')
  const file = await open(target, 'wx', 0o600)
  let size = 0
  try {
    for await (const part of stream) {
      const bytes = part as Buffer
      hash.update(bytes)
      size += bytes.length
      await file.writeFile(bytes)
    }
    await file.datasync()
  } finally {
    await file.close()
  }
  return { size, sha256: hash.digest('hex') }
}

/** @throws {UpkeepProblem} when something is in the folder already */
export async function refuseFull(folder: string): Promise<void> {
  const names = await readdir(folder).catch(ifMissing([]))
  const [found] = names.filter((name) => !isNoContent(name))
  if (found === undefined) return
  throw new UpkeepProblem(
    `${folder} is not empty (it has ${found}), and nothing is overwritten. Choose another folder, or move what it holds elsewhere.`,
  )
}

/**
 * Before files are written for a gateway: what root writes is root's, and a gateway of another user could not read it.
 * @param directory the data directory, which is there
 * @param userId who runs this; undefined where the system has no such ids
 * @throws {UpkeepProblem} for root, when the directory belongs to another user
 */
export function assertOwn(directory: string, userId = process.getuid?.()): void {
  if (userId !== 0 || statSync(directory).uid === 0) return
  throw new UpkeepProblem(
    `${directory} belongs to another user, whose gateway could not read what root writes there. Run this as that user: sudo -u faxdeck faxdeck …`,
  )
}
