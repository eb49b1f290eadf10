import { posix } from 'node:path'

const isSource = (path) =>
  /^(apps|packages)\/[^/]+\/src\/.+\.tsx?$/.test(path) && !/\.test\.tsx?$|\.d\.ts$|\/(testing|fixtures)\//.test(path)

const statement = /(?:^|\n)\s*(?:import|export)\s+(type\s+)?([^'";]*?\bfrom\s+)?['"](\.[^'"]+)['"]/g
/** `import { type A, type B } from`, which is gone once the types are. */
const onlyTypes = (names = '') => {
  const [, inside] = /^\s*\{([^}]*)\}/.exec(names) ?? []
  const parts = (inside ?? '').split(',').filter((part) => part.trim() !== '')
  return parts.length > 0 && parts.every((part) => part.trim().startsWith('type '))
}

function importsOf(path, text, withTypes) {
  return [...text.matchAll(statement)]
    .filter(([, type, names]) => withTypes || (!type && !onlyTypes(names)))
    .map(([, , , to]) => posix.join(posix.dirname(path), to))
}

/** Adds an arrow for each level of folders at which one file is in another folder than the file it imports. */
function addArrow(levels, from, to) {
  const [a, b] = [from.split('/'), to.split('/')]
  const at = a.findIndex((part, index) => part !== b[index])
  // One of them is a file right there, which is in no folder of this level.
  if (at === -1 || at >= a.length - 1 || at >= b.length - 1) return
  const level = a.slice(0, at).join('/')
  if (!levels.has(level)) levels.set(level, new Map())
  const arrows = levels.get(level)
  arrows.set(a[at], (arrows.get(a[at]) ?? new Set()).add(b[at]))
}

function reachedFrom(arrows, folder) {
  const reached = new Set()
  const open = [folder]
  for (let next = open.pop(); next !== undefined; next = open.pop())
    for (const to of arrows.get(next) ?? []) {
      if (reached.has(to)) continue
      reached.add(to)
      open.push(to)
    }
  return reached
}

/**
 * Folders that import each other in a circle, at every level of the tree.
 * @param {ReadonlyMap<string, string>} files text by path; only sources below `src` count, and no tests
 * @param {boolean} withTypes whether imports of types count as well
 * @returns {Record<string, string[]>} the folders that are in circles, by the folder they are in
 */
export function foldersInCircles(files, withTypes) {
  const levels = new Map()
  for (const [path, text] of files)
    if (isSource(path)) for (const to of importsOf(path, text, withTypes)) if (isSource(to)) addArrow(levels, path, to)
  const found = {}
  for (const [level, arrows] of levels) {
    const circled = [...arrows.keys()].filter((folder) => reachedFrom(arrows, folder).has(folder)).sort()
    if (circled.length > 0) found[level] = circled
  }
  return found
}

/**
 * @param {ReadonlyMap<string, string>} files text by path
 * @returns {string[]} a sentence for each folder that is in a circle
 */
export function folderFaults(files) {
  const code = foldersInCircles(files, false)
  return Object.entries(foldersInCircles(files, true)).flatMap(([level, folders]) =>
    folders.map((folder) => {
      const what = code[level]?.includes(folder) ? '' : ' (imports of types count)'
      return `${level}/${folder} imports folders beside it that import it${what}. Move what both need to a lower folder, or hand it in.`
    }),
  )
}
