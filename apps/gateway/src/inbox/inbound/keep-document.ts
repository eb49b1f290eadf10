import { type IncomingFax, ProviderProblem } from '@faxdeck/provider-kit'
import { hasCode } from '../../base/error-code.ts'
import { markOf } from '../../base/db/mark.ts'
import { newKey } from '../../base/storage/keys.ts'
import type { GatewayContext } from '../../base/context.ts'
import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'

/** 50 MB: the largest document a provider may hand over. */
const largestBytes = 50 * 1024 * 1024

/** The path as the file system has it. @throws {ProviderProblem} `rejected` when nothing is there */
async function realPath(path: string): Promise<string> {
  return realpath(path).catch((error: unknown) => {
    if (!hasCode(error, 'ENOENT', 'ENOTDIR', 'ERR_INVALID_ARG_VALUE')) throw error
    throw new ProviderProblem('rejected', 'The document of the received fax is not where the notice says.')
  })
}

/**
 * Reads a document that a provider names by its path, which may be relative to the data directory. It must lie inside
 * that, reached without links: a notification could otherwise make any readable file a fax.
 * @throws {ProviderProblem} `rejected` for any other path, and for what is no file or too large
 */
export async function readInside(directory: string, path: string): Promise<Buffer> {
  const outside = new ProviderProblem('rejected', 'The document of the received fax is not inside the data directory.')
  const named = resolve(directory, path)
  const within = relative(resolve(directory), named)
  if (within.startsWith('..')) throw outside
  const real = await realPath(named)
  if (real !== join(await realpath(directory), within)) throw outside
  // Opening a pipe would wait for its writer.
  const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const facts = await file.stat()
    if (!facts.isFile()) throw new ProviderProblem('rejected', 'The document of the received fax is not a file.')
    const { size } = facts
    if (size > largestBytes) throw new ProviderProblem('rejected', 'The document of the received fax exceeds 50 MB.')
    return await file.readFile()
  } finally {
    await file.close()
  }
}

/** Stores a document that came with its notice. Tells where it is kept; null when it was not pushed. */
export async function keepPushedDocument(
  context: GatewayContext,
  id: string,
  document: IncomingFax['document'],
): Promise<string | null> {
  if (document === null || 'fetch' in document) return null
  const bytes =
    'bytes' in document ? document.bytes : await readInside(context.settings.current().fax_data_dir, document.path)
  const key = newKey('inbound', id, await markOf(context.database), 'original')
  await context.storage.put(key, bytes)
  return key
}
