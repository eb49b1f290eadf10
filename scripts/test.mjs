import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { Problem, runScript } from './problem.mjs'
import { repositoryRoot } from './repository.mjs'
import { runChild } from './run-child.mjs'
import { prepareCheckout } from './setup/prepare-checkout.mjs'
import { installAsterisk } from './test/install-asterisk.mjs'
import { installJudges } from './test/install-judges.mjs'
import { closingLine, exitCodeOf } from './test/tally.mjs'

await runScript(async () => {
  const long = process.argv.includes('--long')
  const forVitest = process.argv.slice(2).filter((argument) => argument !== '--long')
  const [node] = await Promise.all([prepareCheckout(repositoryRoot), installJudges(repositoryRoot)])
  await installAsterisk(repositoryRoot, node, forVitest)

  const folder = mkdtempSync(join(tmpdir(), 'faxdeck-test-'))
  try {
    const tallyPath = join(folder, 'tally.json')
    const args = [join(repositoryRoot, 'node_modules/vitest/vitest.mjs'), 'run', ...forVitest]
    const env = { ...testEnvironment(node), FAXDECK_TEST_TALLY: tallyPath, ...(long ? { FAXDECK_LONG: '1' } : {}) }
    const { code } = await runChild(node, args, { cwd: repositoryRoot, env })
    const tally = readTally(tallyPath)
    console.log(closingLine(tally))
    return exitCodeOf(tally, code)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
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

function readTally(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
    throw new Problem('The tests ended before they could be counted (see above).')
  }
}
