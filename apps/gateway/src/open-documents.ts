import type { createDocuments } from '@faxdeck/documents'
import type { Counters } from './metrics/counts.ts'
import { timeDocuments } from './metrics/time-documents.ts'
import type { LiveSettings } from './settings/live-settings.ts'

/** Settings that a room of documents is opened with. */
const readHere: readonly string[] = [
  'fax_paper',
  'fax_long_pages',
  'fax_fonts',
  'fax_scan_upright',
  'fax_scan_deskew',
  'fax_scan_despeckle',
  'fax_scan_drop_blank',
]

/** Documents on the paper and with the fonts that are set; others open another room, and the old one's workers end by themselves. */
export function openDocuments(create: typeof createDocuments, settings: LiveSettings, counters: Counters) {
  const open = () => {
    const now = settings.current()
    const tidying = {
      upright: now.fax_scan_upright,
      deskew: now.fax_scan_deskew,
      despeckle: now.fax_scan_despeckle,
      dropBlank: now.fax_scan_drop_blank,
    }
    const fonts = now.fax_fonts === '' ? undefined : now.fax_fonts
    return create({ paper: now.fax_paper, longPages: now.fax_long_pages, fonts, tidying })
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
