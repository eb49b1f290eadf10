import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { findProgram } from '../../../scripts/find-browser.mjs'
import { commands } from './commands.ts'
import { manPage } from './man-page.ts'

const page = manPage(commands, '1.2.3')
const groff = findProgram('groff')

/** What a terminal without colors shows, in lines that never break. */
function rendered() {
  const args = ['-man', '-Kutf8', '-Tutf8', '-P-cbou', '-ww', '-rLL=5000n']
  const { stdout, stderr } = spawnSync('groff', args, { input: page, encoding: 'utf8' })
  expect(stderr).toBe('')
  return stdout
}

it('has the manual of every command, with its options and examples', () => {
  for (const { name, options, examples } of commands) {
    const [, part = ''] = new RegExp(`^\\.SS "${name.replaceAll('-', '\\\\-')}\\b(.*?)^\\.S[SH]`, 'ms').exec(page) ?? []
    expect(part.split('\n').length, name).toBeGreaterThan(examples.length + 3)
    for (const option of Object.keys(options)) expect(part, name).toContain(`\\-\\-${option.replaceAll('-', '\\-')}`)
  }
})

it.skipIf(!groff)('shows examples as they are typed, and gives roff nothing to complain about', () => {
  const shown = rendered()
  expect(shown).toContain('faxdeck - a fax gateway from the command line')
  for (const example of commands.flatMap(({ examples }) => examples)) expect(shown).toContain(example)
})
