import type { FaxPages } from '../raster/fax-pages.ts'
import { mergeWords } from '../raster/page-text.ts'
import type { PageCode, PageMarks, PageText } from '../raster/page-text.ts'

/** Pages whose text the document gives take so little that several are read in one turn. */
const maxAtOnce = 20

/**
 * Reads pages from `from` on, counted from 0: until the end, or one that had to be recognized, or twenty. Languages are
 * those to recognize text in.
 */
export async function readPages(pages: FaxPages, from: number, languages: readonly string[]): Promise<PageText[]> {
  const read: PageText[] = []
  for (let index = from; index < Math.min(pages.sizes.length, from + maxAtOnce); index++) {
    const own = pages.words?.(index)
    if (own && own.words.length > 0 && !own.hasPictures) {
      read.push({ words: own.words, source: 'document' })
      continue
    }
    const { recognizeWords } = await import('./ocr.ts')
    const page = await pages.render(index, 'fine', 'auto')
    const seen = page.words.every((word) => word === 0) ? [] : await recognizeWords(page, languages)
    const words = mergeWords(own?.words ?? [], seen)
    const found = own && own.words.length > 0 ? 'both' : 'recognized'
    return [...read, { words, source: found }]
  }
  return read
}

/** The codes on the first page. */
export async function readCodes(pages: FaxPages): Promise<PageCode[]> {
  const { codesOn } = await import('./codes.ts')
  return codesOn(await pages.render(0, 'fine', 'text'))
}

/** The QR codes of each page from `from` on, counted from 0: as many pages as one turn takes, or `most`. */
export async function readMarks(pages: FaxPages, from: number, max = maxAtOnce): Promise<PageMarks[]> {
  const { marksOn } = await import('./codes.ts')
  const read: PageMarks[] = []
  for (let index = from; index < Math.min(pages.sizes.length, from + max); index++) {
    read.push(await marksOn(await pages.render(index, 'fine', 'text')))
  }
  return read
}
