import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Runs vitest by itself, with the set-up of the real tests, over one file that says what is given. */
async function runVitest(body: string) {
  // Inside the repository, where `vitest` can be imported, and where git does not look.
  await mkdir(join(root, '.cache'), { recursive: true })
  const folder = await mkdtemp(join(root, '.cache/test-run-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(
    join(folder, 'vitest.config.mjs'),
    `import { ClosingLineReporter } from '../../scripts/test/closing-line.mjs'
     export default { test: { globalSetup: ['../../apps/gateway/src/testing/postgres-broker.ts'],
       pool: 'forks', include: ['*.test.mjs'], reporters: ['default', new ClosingLineReporter()] } }`,
  )
  await writeFile(
    join(folder, 'one.test.mjs'),
    `import { expect, inject, it } from 'vitest'
     it('asks for a database', async () => {
       expect((await fetch(inject('postgresBroker') + '/without-tables')).ok).toBe(true)
       ${body}
     }, 60_000)`,
  )
  const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', folder]
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')))
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'ignore'] })
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  return { code: Number(code), lastLine: printed.trimEnd().split('\n').at(-1) }
}

const isLong = process.env.FAXDECK_LONG !== undefined

describe('a test run that used PostgreSQL', { timeout: 120_000 }, () => {
  it('ends with an error when a test failed', async () => {
    expect(await runVitest('expect(1).toBe(2)')).toEqual({ code: 1, lastLine: '0 passed, 1 failed' })
  })

  // Each whole run proves it as well.
  it.runIf(isLong)('ends well when every test passed', async () => {
    expect(await runVitest('')).toEqual({ code: 0, lastLine: '1 passed, 0 failed' })
  })
})
