import { delimiter, join } from 'node:path'
import { Problem } from '../problem.mjs'
import { runQuietly } from '../run-child.mjs'
import { hashContents } from './content-hash.mjs'
import { isStamped, writeStamp } from './stamp.mjs'

const lockHash = (root) => hashContents(root, ['package-lock.json'])

/** @param {string} root the checkout */
export function dependenciesAreInstalled(root) {
  return isStamped(join(root, 'node_modules'), lockHash(root))
}

/**
 * Installs exactly what the lock file names.
 * @param {string} root the checkout
 * @throws {Problem} with npm's own words when npm fails
 */
export async function installDependencies(root) {
  console.log('Installing dependencies (about 40 s, once)…')
  const hash = lockHash(root)
  // NODE_ENV=production or a user's npmrc would leave out the build tools.
  const args = ['ci', '--include=dev', '--include=optional', '--loglevel=error', '--no-audit', '--no-fund']
  // npm would first finish what it is doing; what is left of a killed install has no stamp and is made again.
  const options = { cwd: root, env: outsideTheCheckout(root), stopLimitMs: 1000 }
  const { code, output } = await runQuietly('npm', args, options)
  if (code !== 0) {
    throw new Problem(
      `${output.trim()}\n\nThe dependencies could not be installed: npm ended with code ${code} (see above).`,
    )
  }
  writeStamp(join(root, 'node_modules'), hash)
}

/** npm must not run on the Node inside the folder that it is about to delete. */
function outsideTheCheckout(root) {
  const inside = join(root, 'node_modules', '.bin')
  const PATH = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== inside)
  return { ...process.env, PATH: PATH.join(delimiter) }
}
