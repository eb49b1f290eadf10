import { join, resolve } from 'node:path'
import { Problem, runScript } from './problem.mjs'
import { repositoryRoot } from './repository.mjs'
import { runChild, runNode } from './run-child.mjs'
import { prepareCheckout } from './setup/prepare-checkout.mjs'
import { isFirstStart } from './start/first-start.mjs'
import { gatewayProcess } from './start/gateway-process.mjs'

await runScript(async () => {
  const [first, ...more] = process.argv.slice(2)
  if (more.length > 0 || (first !== undefined && first !== '--new')) {
    throw new Problem('npm start takes one option: npm start -- --new begins an empty installation.', 2)
  }
  if (first === '--new') process.env.FAX_NEW_INSTALLATION = 'true'
  const node = await prepareCheckout(repositoryRoot)
  const refused = await prepareFirstStart(node, resolve(repositoryRoot, process.env.FAX_DATA_DIR || 'faxdata'))
  if (refused !== 0) return refused
  const { main, flags, env } = gatewayProcess(repositoryRoot)
  stopWhenNpmIsGone()
  const { code } = await runNode(node, [...flags, main], { cwd: repositoryRoot, env: { ...env, ...process.env } })
  return code
})

/**
 * Gives a fresh installation its settings file.
 * @param {string} node
 * @param {string} dataDirectory
 * @returns {Promise<number>} 0, or the exit code of a start that cannot be; what is wrong has been said
 */
async function prepareFirstStart(node, dataDirectory) {
  if (!isFirstStart(dataDirectory, process.env)) return 0
  const program = join(repositoryRoot, 'scripts/start/prepare-first-start.mjs')
  const { code } = await runChild(node, [program, dataDirectory], { cwd: repositoryRoot })
  return code
}

/** npm passes signals on, but not when it is killed outright; then nobody would be left to stop the gateway. */
function stopWhenNpmIsGone() {
  if (!process.env.npm_lifecycle_event) return
  const npm = process.ppid
  setInterval(() => process.ppid === npm || process.kill(process.pid, 'SIGTERM'), 500).unref()
}
