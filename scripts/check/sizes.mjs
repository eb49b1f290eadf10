const limits = [
  { matches: /\.test\.(ts|tsx|mjs)$/, lines: 500 },
  { matches: /\.css$/, lines: 500 },
  { matches: /\.(ts|tsx|mjs|cjs|js|py)$/, lines: 300 },
]

// Tables copied from a standard or made by a tool are as long as they are.
const generated = /(^|\/)(generated|fixtures)\/|mockServiceWorker\.js$|\.generated\.\w+$/

/**
 * @param {string} path
 * @param {string} text the file's content
 * @returns {string | undefined} a sentence when the file is longer than its kind may be
 */
export function sizeFault(path, text) {
  const limit = generated.test(path) ? undefined : limits.find(({ matches }) => matches.test(path))
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
  if (!limit || lines <= limit.lines) return undefined
  return `${path} has ${lines} lines and may have ${limit.lines}: split it by what its parts are about.`
}
