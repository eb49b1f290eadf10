import type { createDocuments } from '@faxdeck/documents'
import type { Counters } from './metrics/counts.ts'
import { timeDocuments } from './metrics/time-documents.ts'
import type { LiveSettings } from './settings/live-settings.ts'

/** Documents on the paper and with the fonts that are set; others open another room, and the old one's workers end by themselves. */
export function openDocuments(create: typeof createDocuments, settings: LiveSettings, counters: Counters) {
  const open = () => {
    const { fax_paper: paper, fax_fonts: folder } = settings.current()
    return create({ paper, fonts: folder === '' ? undefined : folder })
  }
  let current = open()
  settings.onChange(({ keys }) => {
    if (keys.includes('fax_paper') || keys.includes('fax_fonts')) current = open()
  })
  return {
    documents: timeDocuments(
      () => current,
      (step, seconds) => counters.countConversion(step, seconds),
    ),
  }
}
