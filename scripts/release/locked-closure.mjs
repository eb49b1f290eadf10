import { Problem } from '../problem.mjs'

/**
 * The part of a lock file that some packages need, for a package that is installed with exactly these.
 * @param {{ packages: Record<string, object> }} lock package-lock.json, version 3
 * @param {readonly string[]} names that lie in the topmost `node_modules`
 * @param {{ optional?: readonly string[] }} [more] names that may be missing on the platform of the installation
 * @returns {{ dependencies: Record<string, string>, optionalDependencies: Record<string, string>, packages: Record<string, object> }}
 * exact versions for the manifest, and the entries without the manifest's own
 * @throws {Problem} when something is not locked
 */
export function lockedClosure(lock, names, { optional = [] } = {}) {
  const packages = {}
  const versions = (list) =>
    Object.fromEntries(list.map((name) => [name, lock.packages[locate(lock, name, '')].version]))
  const waiting = [...names, ...optional].map((name) => locate(lock, name, ''))
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (packages[path]) continue
    const entry = Object.fromEntries(Object.entries(lock.packages[path]).filter(([key]) => !ofOurs.has(key)))
    packages[path] = entry
    const { dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = entry
    for (const name of Object.keys(dependencies)) waiting.push(locate(lock, name, path))
    const wanted = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional)
    for (const name of wanted) waiting.push(locate(lock, name, path))
    for (const name of Object.keys(optionalDependencies)) {
      const found = find(lock, name, path)
      if (found) waiting.push(found)
    }
  }
  return { dependencies: versions(names), optionalDependencies: versions(optional), packages: sorted(packages) }
}

/** What an entry says of our use of a package, or of where we had it from. */
const ofOurs = new Set(['dev', 'devOptional', 'peer', 'resolved'])

const sorted = (packages) => Object.fromEntries(Object.entries(packages).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** Where Node finds a package from another: beside it, or beside one of those around it. */
function find(lock, name, from) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    const path = `${folder}${folder === '' ? '' : '/'}node_modules/${name}`
    if (lock.packages[path]) return path
    if (folder === '') return undefined
  }
}

function locate(lock, name, from) {
  const found = find(lock, name, from)
  if (found) return found
  throw new Problem(`package-lock.json does not have ${name}, which ${from || 'the package'} needs.`)
}
