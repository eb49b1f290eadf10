import type { Provider } from '@faxdeck/provider-kit'
import { testlineChecks } from './checks.ts'
import { openTestLine } from './send.ts'
import { testlineSettings } from './settings.ts'
import { testlineTraits } from './traits.ts'

export const testline: Provider = {
  id: 'testline',
  name: 'Test line',
  kind: 'builtin',
  traits: testlineTraits,
  settings: testlineSettings,
  missing: () => undefined,
  open: openTestLine,
  webhooks: [],
  checks: testlineChecks,
  concurrency: 64,
}
