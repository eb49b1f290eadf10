import { delimiter, dirname, join } from 'node:path'
import { runScript } from './problem.mjs'
import { repositoryRoot } from './repository.mjs'
import { runChild } from './run-child.mjs'
import { prepareCheckout } from './setup/prepare-checkout.mjs'
import { beginToInstallAsterisk } from './test/install-asterisk.mjs'
import { installJudges } from './test/install-judges.mjs'

await runScript(async () => {
  const long = process.argv.includes('--long')
  const forVitest = process.argv.slice(2).filter((argument) => argument !== '--long')
  const [node] = await Promise.all([prepareCheckout(repositoryRoot), installJudges(repositoryRoot, long)])
  const args = [join(repositoryRoot, 'node_modules/vitest/vitest.mjs'), 'run', ...forVitest]
  const asterisk = beginToInstallAsterisk(repositoryRoot, node, forVitest)
  const env = { ...testEnvironment(node), ...asterisk, ...(long ? { FAXDECK_LONG: '1' } : {}) }
  return (await runChild(node, args, { cwd: repositoryRoot, env })).code
})

/** Tests that start `node` get the Node that Faxdeck runs on and what it has compiled, and React its development build. */
function testEnvironment(node) {
  return {
    ...process.env,
    NODE_ENV: 'test',
    NODE_COMPILE_CACHE: join(repositoryRoot, '.cache/node'),
    PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`,
  }
}
