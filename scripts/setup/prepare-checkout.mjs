import {
  clientArchives,
  commandLineBundle,
  gatewayBundle,
  isBuilt,
  make,
  servedConsole,
  servedDocs,
} from './builds.mjs'
import { findNode, requirePossibleNode } from './find-node.mjs'
import { dependenciesAreInstalled, installDependencies } from './install-dependencies.mjs'
import { withSetupLock } from './setup-lock.mjs'

/**
 * Makes the checkout ready to run: dependencies as locked, and what is built of the sources. Does only what has changed
 * since last time.
 * @param {string} root the checkout
 * @param {readonly import('./builds.mjs').Build[]} [builds]
 * @returns {Promise<string>} path of the Node program that runs Faxdeck
 * @throws {import('../problem.mjs').Problem}
 */
export async function prepareCheckout(
  root,
  builds = [gatewayBundle, servedConsole, commandLineBundle, clientArchives, servedDocs],
) {
  requirePossibleNode(root)
  if (!dependenciesAreInstalled(root)) {
    await withSetupLock(root, async () => {
      if (!dependenciesAreInstalled(root)) await installDependencies(root)
    })
  }
  const node = findNode(root)
  if (builds.some((build) => !isBuilt(root, build))) {
    await withSetupLock(root, async () => {
      const stale = builds.filter((build) => !isBuilt(root, build))
      await Promise.all(stale.map((build) => make(root, node, build)))
    })
  }
  return node
}
