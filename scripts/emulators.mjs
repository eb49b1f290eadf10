import { join } from 'node:path'
import { runScript } from './problem.mjs'
import { repositoryRoot } from './repository.mjs'
import { runChild } from './run-child.mjs'
import { prepareCheckout } from './setup/prepare-checkout.mjs'

await runScript(async () => {
  const node = await prepareCheckout(repositoryRoot, [])
  const program = join(repositoryRoot, 'scripts/emulators/run.mjs')
  const { code } = await runChild(node, ['--disable-warning=ExperimentalWarning', program], { cwd: repositoryRoot })
  return code
})
