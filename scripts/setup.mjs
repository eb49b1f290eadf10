import { runScript } from './problem.mjs'
import { repositoryRoot } from './repository.mjs'
import { prepareCheckout } from './setup/prepare-checkout.mjs'

await runScript(async () => {
  await prepareCheckout(repositoryRoot)
  return 0
})
