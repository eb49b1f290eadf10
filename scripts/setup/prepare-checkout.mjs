import { buildConsole, consoleIsBuilt } from './build-console.mjs'
import { findNode, requirePossibleNode } from './find-node.mjs'
import { dependenciesAreInstalled, installDependencies } from './install-dependencies.mjs'
import { withSetupLock } from './setup-lock.mjs'

/**
 * Makes the checkout ready to run: dependencies as locked, and the console built. Does only what has changed since last time.
 * @param {string} root the checkout
 * @param {{ withConsole?: boolean }} [options]
 * @returns {Promise<string>} path of the Node program that runs Faxdeck
 * @throws {import('../problem.mjs').Problem}
 */
export async function prepareCheckout(root, { withConsole = true } = {}) {
  requirePossibleNode(root)
  if (!dependenciesAreInstalled(root)) {
    await withSetupLock(root, async () => {
      if (!dependenciesAreInstalled(root)) await installDependencies(root)
    })
  }
  const node = findNode(root)
  if (withConsole && !consoleIsBuilt(root)) {
    await withSetupLock(root, async () => {
      if (!consoleIsBuilt(root)) await buildConsole(root, node)
    })
  }
  return node
}
