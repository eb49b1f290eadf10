import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { ProviderProblem } from '@faxdeck/provider-kit'

/** 50 MB: the largest document a provider may hand over. */
const largestBytes = 50 * 1024 * 1024

/**
 * Reads a document that a provider names by its path. It must lie inside the data directory, reached without links:
 * a notification could otherwise make any readable file a fax.
 * @throws {ProviderProblem} `rejected` for any other path, and for what is no file or too large
 */
export async function readInside(directory: string, path: string): Promise<Buffer> {
  const root = await realpath(directory)
  const within = relative(resolve(directory), resolve(path))
  const real = await realpath(path)
  if (real !== join(root, within) || within.startsWith('..')) {
    throw new ProviderProblem('rejected', 'The document of the received fax does not lie inside the data directory.')
  }
  const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const { size } = await file.stat()
    if (size > largestBytes) throw new ProviderProblem('rejected', 'The document of the received fax exceeds 50 MB.')
    return await file.readFile()
  } finally {
    await file.close()
  }
}
