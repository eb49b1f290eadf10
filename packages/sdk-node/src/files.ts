import { FaxdeckError } from './problems.ts'

/** The part of Node's `fs/promises` that is used here. */
interface Files {
  readFile(path: string): Promise<Uint8Array>
  writeFile(path: string, data: Uint8Array | string, options: { mode: number }): Promise<void>
}
interface NodeLike {
  getBuiltinModule?: (name: string) => unknown
}

/**
 * The file system where there is one. It is asked for at the time of use, so that the package has no import that a
 * browser or an edge runtime could not resolve.
 * @throws {FaxdeckError} where there is no file system
 */
function files(): Files {
  const found = (globalThis as { process?: NodeLike }).process?.getBuiltinModule?.('node:fs/promises')
  if (found === undefined)
    throw new FaxdeckError('There is no file system here. Use bytes, a Blob or a stream, not a path.')
  return found as Files
}

const baseName = (path: string) => path.split(/[/\\]/).pop() || 'document'

/** A document of the disk. @throws {FaxdeckError} when it cannot be read */
export async function readDocument(path: string): Promise<{ name: string; bytes: Uint8Array }> {
  const bytes = await files()
    .readFile(path)
    .catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error)
      throw new FaxdeckError(`The document cannot be read: ${why}`)
    })
  return { name: baseName(path), bytes }
}

/** Writes a file that only this user may read. One that exists keeps its own rights. */
export async function writePrivately(path: string, content: Uint8Array | string): Promise<void> {
  await files().writeFile(path, content, { mode: 0o600 })
}
