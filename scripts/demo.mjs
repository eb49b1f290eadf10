import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runScript } from './problem.mjs'
import { repositoryRoot } from './repository.mjs'
import { runChild } from './run-child.mjs'
import { demoConsole } from './setup/builds.mjs'
import { prepareCheckout } from './setup/prepare-checkout.mjs'

await runScript(async () => {
  const node = await prepareCheckout(repositoryRoot, [demoConsole])
  const stopWithParent = pathToFileURL(join(repositoryRoot, 'scripts/start/stop-with-parent.mjs')).href
  const args = ['--import', stopWithParent, join(repositoryRoot, 'scripts/demo/serve.mjs')]
  const { code } = await runChild(node, args, { cwd: join(repositoryRoot, 'apps/console'), ownGroup: true })
  return code
})
