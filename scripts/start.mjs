import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runScript } from './problem.mjs'
import { repositoryRoot } from './repository.mjs'
import { runChild } from './run-child.mjs'
import { prepareCheckout } from './setup/prepare-checkout.mjs'
import { writeFirstEnvironment } from './start/first-environment.mjs'
import { gatewayProcess } from './start/gateway-process.mjs'

await runScript(async () => {
  const node = await prepareCheckout(repositoryRoot)
  writeFirstEnvironment(resolve(repositoryRoot, process.env.FAX_DATA_DIR || 'faxdata'))
  const stopWithParent = pathToFileURL(join(repositoryRoot, 'scripts/start/stop-with-parent.mjs')).href
  const { main, flags, env } = gatewayProcess(repositoryRoot)
  const args = [...flags, '--import', stopWithParent, main]
  stopWhenNpmIsGone()
  const { code } = await runChild(node, args, { cwd: repositoryRoot, env: { ...env, ...process.env }, ownGroup: true })
  return code
})

/** npm passes signals on, but not when it is killed outright; then nobody would be left to stop the gateway. */
function stopWhenNpmIsGone() {
  if (!process.env.npm_lifecycle_event) return
  const npm = process.ppid
  setInterval(() => process.ppid === npm || process.kill(process.pid, 'SIGTERM'), 500).unref()
}
