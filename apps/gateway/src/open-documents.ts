import { createDocuments } from '@faxdeck/documents'
import type { Counters } from './metrics/counts.ts'
import { timeDocuments } from './metrics/time-documents.ts'
import type { LiveSettings } from './settings/live-settings.ts'

/** Documents on the paper that is set; another paper opens another room, and the old one's workers end by themselves. */
export function openDocuments(settings: LiveSettings, counters: Counters) {
  const open = () => createDocuments({ paper: settings.current().fax_paper })
  let current = open()
  settings.onChange(({ keys }) => {
    if (keys.includes('fax_paper')) current = open()
  })
  return {
    documents: timeDocuments(
      () => current,
      (step, seconds) => counters.countConversion(step, seconds),
    ),
  }
}
