import type { createDocuments } from '@faxdeck/documents'
import type { Counters } from './metrics/counts.ts'
import { timeDocuments } from './metrics/time-documents.ts'
import type { LiveSettings } from './settings/live-settings.ts'

/** Settings that a room of documents is opened with. */
const readHere: readonly string[] = ['fax_paper', 'fax_long_pages', 'fax_fonts']

/** Documents on the paper and with the fonts that are set; others open another room, and the old one's workers end by themselves. */
export function openDocuments(create: typeof createDocuments, settings: LiveSettings, counters: Counters) {
  const open = () => {
    const { fax_paper: paper, fax_long_pages: longPages, fax_fonts: folder } = settings.current()
    return create({ paper, longPages, fonts: folder === '' ? undefined : folder })
  }
  let current = open()
  settings.onChange(({ keys }) => {
    if (keys.some((key) => readHere.includes(key))) current = open()
  })
  return {
    documents: timeDocuments(
      () => current,
      (step, seconds) => counters.countConversion(step, seconds),
    ),
  }
}
