import { randomBytes } from 'node:crypto'
import { type FileHandle, link, open, rename, rm } from 'node:fs/promises'
import { flag } from '../command.ts'
import { Fault } from '../fault.ts'
import type { Output } from './output.ts'

/** What a file is to have, or how it is written. */
type Content = string | Uint8Array | ((file: FileHandle) => Promise<void>)

/**
 * Writes a file that is there whole or not at all, for this user alone.
 * @throws {Fault} when there is one already and `replace` is not set
 */
export async function writeWhole(path: string, content: Content, replace: boolean): Promise<void> {
  const passing = `${path}.${randomBytes(6).toString('hex')}.tmp`
  try {
    const file = await open(passing, 'wx', 0o600)
    try {
      await (typeof content === 'function' ? content(file) : file.writeFile(content))
      await file.datasync()
    } finally {
      await file.close()
    }
    // A link, unlike a rename, does not replace what somebody else has put there meanwhile.
    if (replace) await rename(passing, path)
    else await link(passing, path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
      throw new Fault(`${path} already exists. Choose another name, or add --force to overwrite it.`)
    }
    throw error
  } finally {
    await rm(passing, { force: true })
  }
}

export const forceOption = flag('Overwrite an existing file.', { short: 'f' })

interface Saving {
  path: string
  force: boolean | undefined
  out: Output
  /** What else the answer says. */
  facts?: object
}

/** Saves what the gateway answered in a file, or writes it to standard output. @throws {Fault} */
export async function saveAnswer(answer: Blob, { path, force = false, out, facts = {} }: Saving): Promise<void> {
  const bytes = new Uint8Array(await answer.arrayBuffer())
  if (path === '-') {
    out.raw(bytes)
    return
  }
  await writeWhole(path, bytes, force)
  out.answer({ ...facts, path, bytes: bytes.length }, () => out.line(path))
}
