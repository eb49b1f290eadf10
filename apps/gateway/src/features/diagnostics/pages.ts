import type { Documents } from '@faxdeck/documents'
import type { Provider } from '@faxdeck/provider-kit'
import { senderFor } from '../../paper/pages/header-values.ts'
import type { SettingsInForce } from '../../base/settings/settings.ts'
import type { Group } from '../../base/checks.ts'

/** What is printed on every page: a cover that cannot be set is refused, but nobody sees the header line beforehand. */
export function pagesGroup(
  documents: Pick<Documents, 'findUnprintable'>,
  values: SettingsInForce,
  provider: Provider,
): Group {
  return {
    name: 'pages',
    probes: [
      {
        name: 'header_line_printable',
        severity: 'warning',
        hint: 'The sender on the header line has characters that the fax font cannot draw; pages carry their codes instead: write the name another way, or install a font that has them.',
        setting: 'fax_header',
        run: async () => {
          if (!values.fax_header_line) return { passed: true, detail: 'no header line' }
          const missing = await documents.findUnprintable(senderFor(values, provider).sender ?? '')
          return missing.length === 0 ? { passed: true } : { passed: false, detail: `${missing.join(', ')}.` }
        },
      },
    ],
  }
}
