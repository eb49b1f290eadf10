import type { Diagnostics, Finding } from '@faxdeck/contract'
import { expect, it } from 'vitest'
import { findingOf } from '../../demo/lines/fake-diagnostics.ts'
import { groupsOf } from './groups.ts'

const toneWith = (...findings: Finding[]) => {
  const checks = { phaxio: Object.fromEntries(findings.map(({ check, passed }) => [check, passed])) }
  return groupsOf({ checks, findings } as unknown as Diagnostics, undefined)[0]?.tone
}
const failed = (check: string, severity: Finding['severity']) =>
  findingOf('phaxio', check, { passed: false, severity, sentence: 'Not run.' })

it('a group is red only for an error, which is what makes the head red', () => {
  expect(toneWith(failed('auth', 'info'), failed('callback_url_set', 'warning'))).toBe('warn')
  expect(toneWith(failed('auth', 'info'), failed('api_key_set', 'critical'))).toBe('bad')
})
