import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const derivedFolders = new Set(['node_modules', 'dist', 'coverage', '__pycache__'])

/**
 * One hash over the names and contents of files, independent of the order in which the disk lists them.
 * @param {string} root
 * @param {readonly string[]} paths files or folders below `root`; what is installed or built inside them is left out
 * @returns {string} SHA-256 in hexadecimal
 */
export function hashContents(root, paths) {
  const hash = createHash('sha256')
  for (const path of paths.flatMap((path) => listFiles(root, path)).sort()) {
    const content = readFileSync(join(root, path))
    hash.update(`${path}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

function listFiles(root, path) {
  if (statSync(join(root, path)).isFile()) return [path]
  return readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return derivedFolders.has(entry.name) ? [] : listFiles(root, `${path}/${entry.name}`)
    return entry.isFile() ? [`${path}/${entry.name}`] : []
  })
}
