import type { Provider } from '@faxdeck/provider-kit'
import { testlineSettings } from './settings.ts'
import { testlineTraits } from './traits.ts'

export const testline: Provider = {
  id: 'testline',
  name: 'Test line',
  kind: 'builtin',
  traits: testlineTraits,
  settings: testlineSettings,
  missing: () => undefined,
  webhooks: [],
  checks: [],
  concurrency: 64,
}
