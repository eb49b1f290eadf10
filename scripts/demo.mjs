import { join } from 'node:path'
import { runScript } from './problem.mjs'
import { repositoryRoot } from './repository.mjs'
import { runNode } from './run-child.mjs'
import { demoConsole, servedDocs } from './setup/builds.mjs'
import { prepareCheckout } from './setup/prepare-checkout.mjs'

await runScript(async () => {
  const node = await prepareCheckout(repositoryRoot, [demoConsole, servedDocs])
  const program = join(repositoryRoot, 'scripts/demo/serve.mjs')
  const { code } = await runNode(node, [program], { cwd: join(repositoryRoot, 'apps/console') })
  return code
})
