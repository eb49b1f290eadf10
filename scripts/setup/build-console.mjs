import { join } from 'node:path'
import { Problem } from '../problem.mjs'
import { runQuietly } from '../run-child.mjs'
import { hashContents } from './content-hash.mjs'
import { isStamped, writeStamp } from './stamp.mjs'

const sources = ['apps/console', 'packages/contract', 'packages/settings', 'package-lock.json']
const sourceHash = (root) => hashContents(root, sources)

/**
 * A build of the console: the folder it goes to, and its configuration in `apps/console`.
 * @typedef {{ folder: string, config: string }} Build
 */

/** @type {Build} what the gateway serves */
const served = { folder: 'apps/console/dist', config: 'vite.config.ts' }
/** @type {Build} the console over a gateway in memory */
export const demoBuild = { folder: '.cache/demo', config: 'vite.demo.config.ts' }

/**
 * @param {string} root the checkout
 * @param {Build} [build]
 */
export function consoleIsBuilt(root, { folder } = served) {
  return isStamped(join(root, folder), sourceHash(root))
}

/**
 * Builds the console.
 * @param {string} root the checkout
 * @param {string} node the program that runs the build
 * @param {Build} [build]
 * @throws {Problem} with the build's own words when it fails
 */
export async function buildConsole(root, node, { folder, config } = served) {
  console.log('Building the console…')
  const hash = sourceHash(root)
  const args = [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--config', config, '--logLevel', 'warn']
  const env = { ...process.env, NODE_ENV: 'production' }
  const { code, output } = await runQuietly(node, args, { cwd: join(root, 'apps/console'), env })
  if (code !== 0) throw new Problem(`${output.trim()}\n\nThe console could not be built (see above).`)
  writeStamp(join(root, folder), hash)
}
