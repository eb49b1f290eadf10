import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Problem } from '../problem.mjs'

/**
 * Every file of the project that is committed or about to be, as git knows them.
 * @param {string} root the checkout
 * @returns {string[]} paths relative to `root`
 * @throws {Problem} outside a git checkout
 */
export function projectFiles(root) {
  try {
    const deleted = new Set(list(root, '--deleted'))
    return list(root, '--cached', '--others', '--exclude-standard').filter((path) => !deleted.has(path))
  } catch (error) {
    throw new Problem(
      `The files of the project could not be listed: this check needs git and a checkout (${error.code ?? error.message}).`,
    )
  }
}

function list(root, ...options) {
  const output = execFileSync('git', ['ls-files', '-z', ...options], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: 'pipe',
  })
  return output.split('\0').filter(Boolean)
}

/**
 * @param {string} root the checkout
 * @param {string} path relative to `root`
 * @returns {string | null} the file's text; null when it holds something else
 */
export function readText(root, path) {
  const content = readFileSync(join(root, path))
  return content.includes(0) ? null : content.toString('utf8')
}
