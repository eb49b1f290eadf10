import { join } from 'node:path'
import { runScript } from './problem.mjs'
import { repositoryRoot } from './repository.mjs'
import { runQuietly } from './run-child.mjs'
import { prepareCheckout } from './setup/prepare-checkout.mjs'

const fix = process.argv.includes('--fix')

/** What is checked, in order: a name, and the arguments Node runs it with. */
const checks = [
  ['types', 'node_modules/typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.json'],
  ['types of the console', 'node_modules/typescript/bin/tsc', '--noEmit', '-p', 'apps/console/tsconfig.json'],
  ['lint', 'node_modules/eslint/bin/eslint.js', '--max-warnings', '0', ...(fix ? ['--fix'] : []), '.'],
  ['format', 'node_modules/prettier/bin/prettier.cjs', '--log-level', 'warn', fix ? '--write' : '--check', '.'],
  [
    'imports',
    'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
    'packages',
    'apps',
    'scripts',
    'e2e',
    'bench',
  ],
  ['sizes', 'scripts/check-sizes.mjs'],
  ['house rules', 'scripts/check-house-rules.mjs'],
  ['reference', 'scripts/write-reference.mjs', ...(fix ? [] : ['--check'])],
]

await runScript(async () => {
  const node = await prepareCheckout(repositoryRoot, [])
  let failed = 0
  for (const [name, program, ...args] of checks) {
    const begun = performance.now()
    const { code, output } = await runQuietly(node, [join(repositoryRoot, program), ...args], { cwd: repositoryRoot })
    const seconds = ((performance.now() - begun) / 1000).toFixed(1)
    console.log(`${code === 0 ? 'ok    ' : 'failed'}  ${name.padEnd(20)} ${seconds.padStart(5)} s`)
    if (code === 0) continue
    failed += 1
    console.log(output.trimEnd().replace(/^/gm, '    '))
  }
  if (failed > 0) console.log(`${failed} of ${checks.length} checks failed.`)
  return failed > 0 ? 1 : 0
})
