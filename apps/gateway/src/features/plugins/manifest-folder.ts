import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../../base/http/answers/problem.ts'

/** Where an operator puts manifests that are to be imported together, in the data directory. */
const manifestFolder = 'plugin-manifests'

const maxFiles = 200
const largestFile = 1024 * 1024

/**
 * The texts of all JSON and markdown files in the folder, in the order of their names. Links are not followed, larger
 * files than 1 MB are refused.
 * @throws {Problem} `bad_request` when there is no such folder or no such file in it, `too_large`
 */
export async function readManifestFolder(dataDirectory: string): Promise<string[]> {
  const folder = join(dataDirectory, manifestFolder)
  const about = await lstat(folder).catch(() => undefined)
  const entries = about?.isDirectory() ? await readdir(folder, { withFileTypes: true }) : []
  const names = entries
    .filter((entry) => entry.isFile() && /\.(json|md)$/i.test(entry.name))
    .map((entry) => entry.name)
    .toSorted()
  if (names.length === 0) {
    throw new Problem(
      'bad_request',
      `Put manifests as .json or .md files into the folder ${manifestFolder} of the data directory; nothing is fetched from the network.`,
    )
  }
  if (names.length > maxFiles)
    throw new Problem('too_large', `The folder ${manifestFolder} holds more than ${maxFiles} files.`)
  return Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      if ((await lstat(path)).size > largestFile) throw new Problem('too_large', `${name} is larger than 1 MB.`)
      return readFile(path, 'utf8')
    }),
  )
}
