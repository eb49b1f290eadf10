import { expect, it } from 'vitest'
import { closest } from '@faxdeck/contract/closest'
import { commands } from './commands.ts'
import { run } from './run.ts'

it('finds what a slip of the fingers meant, and nothing that is far away', () => {
  const names = ['send', 'status', 'settings get', 'watch']
  expect(closest('sned', names)).toBe('send')
  expect(closest('statsu', names)).toBe('status')
  expect(closest('settings gte', names)).toBe('settings get')
  expect(closest('frobnicate', names)).toBeUndefined()
})

const refusal = (...args: string[]) =>
  run(args, { commands, version: '1', env: {} }).then(
    () => '',
    (error: unknown) => (error instanceof Error ? error.message : ''),
  )

it('is offered for commands and options', async () => {
  expect(await refusal('sned', 'a.pdf')).toBe(
    'There is no command "sned". Did you mean faxdeck send? faxdeck --help lists them.',
  )
  expect(await refusal('keys', 'creaet')).toContain(
    'There is no command "keys creaet". Did you mean faxdeck keys create?',
  )
  expect(await refusal('send', 'a.pdf', '+15555550123', '--wiat')).toBe(
    'There is no option "--wiat". Did you mean --wait? See faxdeck send --help.',
  )
})
