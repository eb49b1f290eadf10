import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Problem } from '../scripts/problem.mjs'
import { repositoryRoot } from '../scripts/repository.mjs'

/** Benches that drive a gateway over its API, which one of another commit answers as well. The others measure these sources. */
export const drivers = ['submit', 'health-status', 'console', 'live', 'memory', 'searchable', 'executed']

const git = (...args) => execFileSync('git', args, { cwd: repositoryRoot, encoding: 'utf8' }).trim()

/** Checks a commit out into a folder of its own and sets it up, with its own dependencies and builds. */
function checkOut(commit, folder) {
  git('worktree', 'add', '--quiet', '--detach', folder, commit)
  const { status } = spawnSync(process.execPath, ['scripts/setup.mjs'], { cwd: folder, stdio: 'inherit' })
  if (status !== 0) throw new Problem(`Commit ${commit} could not be set up (see above).`)
}

/** The measured values of a bench's tables, by what they are: "one-page text" is 974. */
function valuesOf(output) {
  const rows = output.matchAll(/^\| +(\S[^|]*?) +\| +([\d.,]+)(?: ([^|]*?))? +\|/gm)
  return [...rows].map(([, what, value, unit = '']) => ({
    what: `${what} ${unit}`,
    value: Number(value.replaceAll(',', '')),
  }))
}

const middle = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
const shown = (value) => value.toLocaleString('en-US', { maximumSignificantDigits: 3 })

/**
 * Lets this checkout and a commit take turns, and prints the median of each figure for both. The programs, the load and
 * Node are today's for both; only the gateway is the commit's. Its checkout is removed afterwards.
 * @param {string} commit
 * @param {readonly string[]} names of benches
 * @param {number} rounds
 * @param {(name: string, env: Record<string, string>) => Promise<{ code: number, output: string }>} run
 * @throws {Problem} when the commit cannot be set up, or a bench fails
 */
export async function compare(commit, names, rounds, run) {
  const outer = mkdtempSync(join(tmpdir(), 'faxdeck-beside-'))
  const folder = join(outer, 'checkout')
  const figures = new Map()
  try {
    checkOut(commit, folder)
    for (let round = 1; round <= rounds; round++) {
      for (const [column, env] of [{ FAXDECK_CHECKOUT: folder }, {}].entries()) {
        for (const name of names) {
          console.log(`\n## ${name}, ${column === 0 ? commit : 'here'}, round ${round} of ${rounds}\n`)
          const { code, output } = await run(name, env)
          if (code !== 0) throw new Problem(`The bench "${name}" failed (see above).`)
          for (const { what, value } of valuesOf(output)) {
            const both = figures.get(what) ?? [[], []]
            both[column].push(value)
            figures.set(what, both)
          }
        }
      }
    }
  } finally {
    spawnSync('git', ['worktree', 'remove', '--force', folder], { cwd: repositoryRoot })
    rmSync(outer, { recursive: true, force: true })
  }
  console.log(`\n| | ${commit} | here | here / ${commit} |\n| --- | --- | --- | --- |`)
  for (const [what, both] of figures) {
    const [before, here] = both.map(middle)
    console.log(`| ${what} | ${shown(before)} | ${shown(here)} | ${shown(here / before)} |`)
  }
}
