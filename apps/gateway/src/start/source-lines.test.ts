import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { expect, it, onTestFinished } from 'vitest'
import { withSourceLines } from './log.ts'

it('names the line of the source that an error of the bundle came from, and leaves other lines as they are', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'faxdeck-lines-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const source = join(folder, 'fail.ts')
  await writeFile(
    source,
    'type Reason = string\n\nexport function fail(reason: Reason) {\n  throw new Error(reason)\n}\n',
  )
  const bundled = join(folder, 'bundled.js')
  const build = await rolldown({ input: source, logLevel: 'silent' })
  await build.write({ file: bundled, sourcemap: true, minify: true })
  const { fail } = (await import(pathToFileURL(bundled).href)) as { fail: (reason: string) => never }
  let stack = ''
  try {
    fail('No socket.')
  } catch (error) {
    stack = (error as Error).stack ?? ''
  }
  const lines = withSourceLines(stack).split('\n')
  expect(lines[0]).toBe('Error: No socket.')
  expect(lines[1]).toContain(`${source}:4:`)
  expect(lines.slice(2)).toEqual(stack.split('\n').slice(2))
})
