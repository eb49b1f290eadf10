import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runScript } from './problem.mjs'
import { repositoryRoot } from './repository.mjs'
import { runChild } from './run-child.mjs'
import { prepareCheckout } from './setup/prepare-checkout.mjs'
import { writeFirstEnvironment } from './start/first-environment.mjs'

await runScript(async () => {
  const node = await prepareCheckout(repositoryRoot)
  writeFirstEnvironment(resolve(repositoryRoot, process.env.FAX_DATA_DIR || 'faxdata'))
  const stopWithParent = pathToFileURL(join(repositoryRoot, 'scripts/start/stop-with-parent.mjs')).href
  const args = ['--import', stopWithParent, join(repositoryRoot, 'apps/gateway/src/main.ts')]
  const { code } = await runChild(node, args, { cwd: repositoryRoot, ownGroup: true })
  return code
})
