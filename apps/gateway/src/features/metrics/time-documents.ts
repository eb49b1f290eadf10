import type { Documents } from '@faxdeck/documents'

/** The documents engine in use, reporting how long each conversion took, also of one that failed. */
export function timeDocuments(current: () => Documents, report: (step: string, seconds: number) => void): Documents {
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
