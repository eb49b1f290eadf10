import { join } from 'node:path'
import { Problem } from '../problem.mjs'
import { runQuietly } from '../run-child.mjs'
import { hashContents } from './content-hash.mjs'
import { isStamped, writeStamp } from './stamp.mjs'

const sources = ['apps/console', 'packages/contract', 'packages/settings', 'package-lock.json']
const builtFolder = (root) => join(root, 'apps/console/dist')
const sourceHash = (root) => hashContents(root, sources)

/** @param {string} root the checkout */
export function consoleIsBuilt(root) {
  return isStamped(builtFolder(root), sourceHash(root))
}

/**
 * Builds the console into `apps/console/dist`.
 * @param {string} root the checkout
 * @param {string} node the program that runs the build
 * @throws {Problem} with the build's own words when it fails
 */
export async function buildConsole(root, node) {
  console.log('Building the console…')
  const hash = sourceHash(root)
  const args = [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn']
  const env = { ...process.env, NODE_ENV: 'production' }
  const { code, output } = await runQuietly(node, args, { cwd: join(root, 'apps/console'), env })
  if (code !== 0) throw new Problem(`${output.trim()}\n\nThe console could not be built (see above).`)
  writeStamp(builtFolder(root), hash)
}
