import type { ProviderAccess } from '../../base/providers/access.ts'
import { testLineSentence } from '../../base/providers/test-line.ts'
import type { Group } from '../../base/checks.ts'

/** While the test line carries every fax: whether a provider is set up that should. */
export function testLineGroups(providers: Pick<ProviderAccess, 'outbound' | 'bypassed'>): Group[] {
  if (providers.outbound().kind !== 'builtin') return []
  const unused = providers.bypassed()
  return [
    {
      name: 'test_line',
      probes: [
        {
          name: 'no_provider_bypassed',
          severity: 'critical',
          hint: testLineSentence(unused?.name ?? 'A provider'),
          setting: 'fax_disabled',
          run: () => ({ passed: unused === undefined }),
        },
      ],
    },
  ]
}
