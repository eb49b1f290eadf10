import type { ProviderAccess } from '../providers/access.ts'
import { testLineSentence } from '../providers/test-line.ts'
import type { Group } from '../checks.ts'

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
