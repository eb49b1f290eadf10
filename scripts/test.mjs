import { existsSync, readFileSync, rmSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { runScript } from './problem.mjs'
import { repositoryRoot } from './repository.mjs'
import { runChild } from './run-child.mjs'
import { prepareCheckout } from './setup/prepare-checkout.mjs'
import { installAsterisk } from './test/install-asterisk.mjs'
import { installJudges } from './test/install-judges.mjs'
import { afterSecondTry, filesToTryAgain } from './test/second-try.mjs'

const tallyPath = join(repositoryRoot, '.cache/test-tally.json')

await runScript(async () => {
  const long = process.argv.includes('--long')
  const forVitest = process.argv.slice(2).filter((argument) => argument !== '--long')
  const [node] = await Promise.all([prepareCheckout(repositoryRoot), installJudges(repositoryRoot)])
  await installAsterisk(repositoryRoot, node, forVitest)

  const env = { ...testEnvironment(node), ...(long ? { FAXDECK_LONG: '1' } : {}) }
  const first = await runVitest(node, env, forVitest)
  const again = first.code === 1 && !long ? filesToTryAgain(first.tally) : []
  if (again.length === 0) return first.code

  console.log('\nA test that failed beside others is tried again by itself (decision 29).')
  const second = await runVitest(node, env, ['--maxWorkers=1', '--no-file-parallelism', ...again])
  if (second.tally) console.log(afterSecondTry(first.tally, second.tally).join('\n'))
  return second.code
})

/** Tests that start `node` get the Node that Faxdeck runs on and what it has compiled, and React its development build. */
function testEnvironment(node) {
  const compiled = join(repositoryRoot, '.cache/node')
  return {
    ...process.env,
    NODE_ENV: 'test',
    NODE_COMPILE_CACHE: compiled,
    PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`,
  }
}

/** @returns its code, and what it counted unless it ended before */
async function runVitest(node, env, forVitest) {
  rmSync(tallyPath, { force: true })
  const args = [join(repositoryRoot, 'node_modules/vitest/vitest.mjs'), 'run', ...forVitest]
  const { code } = await runChild(node, args, { cwd: repositoryRoot, env: { ...env, FAXDECK_TALLY: tallyPath } })
  return { code, tally: existsSync(tallyPath) ? JSON.parse(readFileSync(tallyPath, 'utf8')) : undefined }
}
