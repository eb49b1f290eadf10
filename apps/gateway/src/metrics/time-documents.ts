import type { Documents } from '@faxdeck/documents'

/** The same documents room, telling how long each conversion took, also of one that failed. */
export function timeDocuments(documents: Documents, tell: (step: string, seconds: number) => void): Documents {
  const timed = async <T>(step: string, work: () => Promise<T>): Promise<T> => {
    const begun = performance.now()
    try {
      return await work()
    } finally {
      tell(step, (performance.now() - begun) / 1000)
    }
  }
  return {
    ...documents,
    inspect: (...given) => timed('inspect', () => documents.inspect(...given)),
    toTiff: (...given) => timed('to_tiff', () => documents.toTiff(...given)),
    page: (...given) => timed('page', () => documents.page(...given)),
    toPdf: (...given) => timed('to_pdf', () => documents.toPdf(...given)),
    tiffToPdf: (...given) => timed('tiff_to_pdf', () => documents.tiffToPdf(...given)),
  }
}
