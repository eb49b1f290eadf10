import { join } from 'node:path'
import { type createDocuments, type Documents, findOffice, type Tidying } from '@faxdeck/documents'
import type { Provider } from '@faxdeck/provider-kit'
import type { Counters } from '../base/events/counters.ts'
import type { LiveSettings } from '../base/settings/live-settings.ts'
import type { SettingsInForce } from '../base/settings/settings.ts'

/** The documents engine in use, reporting how long each conversion took, also of one that failed. */
function timeDocuments(current: () => Documents, report: (step: string, seconds: number) => void): Documents {
  const timed = async <T>(step: string, work: () => Promise<T>): Promise<T> => {
    const begun = performance.now()
    try {
      return await work()
    } finally {
      report(step, (performance.now() - begun) / 1000)
    }
  }
  return {
    kind: (bytes) => current().kind(bytes),
    intake: (...given) => timed('intake', () => current().intake(...given)),
    inspect: (...given) => timed('inspect', () => current().inspect(...given)),
    toTiff: (...given) => timed('to_tiff', () => current().toTiff(...given)),
    page: (...given) => timed('page', () => current().page(...given)),
    toPdf: (...given) => timed('to_pdf', () => current().toPdf(...given)),
    tiffToPdf: (...given) => timed('tiff_to_pdf', () => current().tiffToPdf(...given)),
    tidyToPdf: (...given) => timed('tidy_to_pdf', () => current().tidyToPdf(...given)),
    measureCover: (...given) => timed('measure_cover', () => current().measureCover(...given)),
    findUnprintable: (...given) => timed('find_unprintable', () => current().findUnprintable(...given)),
    receipt: (...given) => timed('receipt', () => current().receipt(...given)),
    read: (...given) => timed('read', () => current().read(...given)),
    codes: (...given) => timed('codes', () => current().codes(...given)),
    withText: (...given) => timed('with_text', () => current().withText(...given)),
    separatorSheet: (...given) => timed('separator_sheet', () => current().separatorSheet(...given)),
    marks: (...given) => timed('marks', () => current().marks(...given)),
    takePages: (...given) => timed('take_pages', () => current().takePages(...given)),
    joinPdfs: (...given) => timed('join_pdfs', () => current().joinPdfs(...given)),
    close: () => current().close(),
  }
}

const readHere: readonly string[] = [
  'fax_paper',
  'fax_long_pages',
  'fax_fonts',
  'fax_scan_upright',
  'fax_scan_deskew',
  'fax_scan_despeckle',
  'fax_scan_drop_blank',
  'fax_disabled',
  'backend',
  'outbound_backend',
]

interface DocumentsParts {
  create: typeof createDocuments
  /** The data directory. */
  directory: string
  settings: LiveSettings
  counters: Counters
  providers: () => readonly Provider[]
}

/** What is done to scans that are sent. A provider that draws pages itself gets the document as it came. */
function tidyingOf(now: SettingsInForce, providers: readonly Provider[]): Tidying | undefined {
  const chosen = providers.find(({ id }) => id === (now.outbound_backend ?? now.backend))
  if (!now.fax_disabled && chosen?.traits.requires_pages !== true) return undefined
  return {
    upright: now.fax_scan_upright,
    deskew: now.fax_scan_deskew,
    despeckle: now.fax_scan_despeckle,
    dropBlank: now.fax_scan_drop_blank,
  }
}

/** Documents on the paper and with the fonts that are set; others open another room, and the old one's workers end by themselves. */
export function openDocuments({ create, directory, settings, counters, providers }: DocumentsParts): Documents {
  const program = findOffice(settings.current().libreoffice_program)
  const office = program === undefined ? undefined : { program, directory: join(directory, 'scratch') }
  const open = () => {
    const now = settings.current()
    const tidying = tidyingOf(now, providers())
    const fonts = now.fax_fonts === '' ? undefined : now.fax_fonts
    const pages = { paper: now.fax_paper, longPages: now.fax_long_pages, fonts, office }
    return create(tidying ? { ...pages, tidying } : pages)
  }
  let current = open()
  settings.onChange(({ keys }) => {
    if (keys.some((key) => readHere.includes(key))) current = open()
  })
  return timeDocuments(
    () => current,
    (step, seconds) => counters.countConversion(step, seconds),
  )
}
