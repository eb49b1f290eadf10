const emptyNames = /^(utils?|helpers?|common|misc|services?|managers?|types|constants?)$/
const machinePath = /(?<![\w.])\/(?:work|root|home)\//
const marker = /\b(?:FIX(?:ME)|X{3})\b/

const limits = [
  { matches: /\.test\.(ts|tsx|mjs)$/, lines: 500 },
  { matches: /\.css$/, lines: 500 },
  { matches: /\.(ts|tsx|mjs|cjs|js|py)$/, lines: 300 },
]

// Tables copied from a standard or made by a tool are as long as they are.
const generated =
  /(^|\/)(generated|fixtures)\/|mockServiceWorker\.js$|\.generated\.\w+$|^(packages\/sdk-node\/src|sdk-python\/faxdeck)\/(models|messages|aio)\.\w+$/

/**
 * @param {string} path
 * @returns {string[]} a sentence for every part of the path that says nothing about what is inside
 */
export function nameFaults(path) {
  return path
    .split('/')
    .map((part) => part.replace(/^\./, '').split('.')[0] ?? '')
    .filter((name) => emptyNames.test(name))
    .map(
      (name) =>
        `${path}: "${name}" says nothing about what is inside; name it after the thing of the product it holds.`,
    )
}

/**
 * @param {string} path
 * @param {string} text the file's content
 * @returns {string[]} a sentence for every line that names a place on one machine or carries a marker that nobody will follow
 */
export function wordFaults(path, text) {
  return text.split('\n').flatMap((line, index) => {
    const place = `${path}:${index + 1}`
    return [
      ...(machinePath.test(line) ? [`${place} names a path of one machine: ${machinePath.exec(line)?.[0]}`] : []),
      ...(marker.test(line)
        ? [`${place} carries the marker ${marker.exec(line)?.[0]}: do it, or write a TODO that says why not now.`]
        : []),
    ]
  })
}

/**
 * @param {string} path
 * @param {string} text the file's content
 * @returns {string[]} a sentence when the file is longer than its kind may be
 */
export function sizeFaults(path, text) {
  const limit = generated.test(path) ? undefined : limits.find(({ matches }) => matches.test(path))
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
  if (!limit || lines <= limit.lines) return []
  return [`${path} has ${lines} lines and may have ${limit.lines}: split it by what its parts are about.`]
}
