import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runScript } from './problem.mjs'
import { repositoryRoot } from './repository.mjs'
import { runChild } from './run-child.mjs'
import { buildConsole, consoleIsBuilt, demoBuild } from './setup/build-console.mjs'
import { prepareCheckout } from './setup/prepare-checkout.mjs'
import { withSetupLock } from './setup/setup-lock.mjs'

await runScript(async () => {
  const node = await prepareCheckout(repositoryRoot, { withConsole: false })
  await withSetupLock(repositoryRoot, async () => {
    if (!consoleIsBuilt(repositoryRoot, demoBuild)) await buildConsole(repositoryRoot, node, demoBuild)
  })
  const stopWithParent = pathToFileURL(join(repositoryRoot, 'scripts/start/stop-with-parent.mjs')).href
  const args = ['--import', stopWithParent, join(repositoryRoot, 'scripts/demo/serve.mjs')]
  const { code } = await runChild(node, args, { cwd: join(repositoryRoot, 'apps/console'), ownGroup: true })
  return code
})
