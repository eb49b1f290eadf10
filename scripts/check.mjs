import { join } from 'node:path'
import { runScript } from './problem.mjs'
import { repositoryRoot } from './repository.mjs'
import { runQuietly } from './run-child.mjs'
import { prepareCheckout } from './setup/prepare-checkout.mjs'

const fix = process.argv.includes('--fix')

/** Remembered between runs, so that what did not change is not read again; a fresh clone, as in CI, remembers nothing. */
const kept = (name) => join('.cache/check', name)
const tsc = ['node_modules/typescript/bin/tsc', '--noEmit', '--incremental']
const eslint = ['node_modules/eslint/bin/eslint.js', '--max-warnings=0', '--cache', '--cache-strategy=content']
const prettier = ['node_modules/prettier/bin/prettier.cjs', '--log-level=warn', '--cache', '--cache-strategy=content']
const cruise = 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'

/** What is checked, the longest first: a name, and the arguments Node runs it with. */
const checks = [
  ['lint', ...eslint, `--cache-location=${kept('lint')}`, ...(fix ? ['--fix'] : []), '.'],
  ['lint by types', 'node_modules/oxlint/bin/oxlint', '--type-aware', '--quiet', ...(fix ? ['--fix'] : []), '.'],
  ['format', ...prettier, `--cache-location=${kept('format')}`, fix ? '--write' : '--check', '.'],
  ['types', ...tsc, '--project', 'tsconfig.json', '--tsBuildInfoFile', kept('types')],
  ['types of the console', ...tsc, '--project', 'apps/console/tsconfig.json', '--tsBuildInfoFile', kept('console')],
  ['imports', cruise, 'packages', 'apps', 'scripts', 'e2e', 'bench'],
  ['files', 'scripts/check-files.mjs'],
  ['reference', 'scripts/write-reference.mjs', ...(fix ? [] : ['--check'])],
]
/** Two at once; one by one where they write. */
const lanes = fix ? 1 : 2

await runScript(async () => {
  const node = await prepareCheckout(repositoryRoot, [])
  const waiting = [...checks]
  const failed = []
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) if (!(await passes(node, next))) failed.push(next)
  }
  await Promise.all(Array.from({ length: lanes }, work))
  if (failed.length > 0) console.log(`${failed.length} of ${checks.length} checks failed.`)
  return failed.length > 0 ? 1 : 0
})

async function passes(node, [name, program, ...args]) {
  const begun = performance.now()
  const { code, output } = await runQuietly(node, [join(repositoryRoot, program), ...args], { cwd: repositoryRoot })
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  console.log(`${code === 0 ? 'ok    ' : 'failed'}  ${name.padEnd(22)} ${seconds.padStart(5)} s`)
  if (code !== 0) console.log(output.trimEnd().replace(/^/gm, '    '))
  return code === 0
}
