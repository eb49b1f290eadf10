import type { Cover } from '../cover/cover-templates.ts'
import type { FaxPages } from '../raster/fax-pages.ts'
import type { Paper } from '../raster/paper.ts'
import { mergeWords, type PageCode, type PageMarks, type PageText } from '../raster/page-text.ts'

/** Pages whose text the document gives take so little that several are read in one turn. */
const maxAtOnce = 20

/** What is read in one turn. */
export interface ReadOptions {
  paper: Paper
  cover?: Cover | undefined
  /** The first page of the turn, counted from 0. */
  from: number
  /** To recognize text in, as Tesseract names them: `eng`, `deu`. */
  languages: readonly string[]
  /** The codes of the first page too. */
  findsCodes?: boolean
}

/** What was read in one turn, with the codes of the first page where they were asked for. */
export interface ReadTurn {
  pages: PageText[]
  codes?: PageCode[]
}

/**
 * Reads pages from `from` on, counted from 0: until the end, or one that had to be recognized, or twenty. Languages are
 * those to recognize text in. With `findsCodes` those on the first page are read where it is drawn, and where it has
 * something that may be one.
 */
export async function readPages(
  pages: FaxPages,
  { from, languages, findsCodes = false }: Pick<ReadOptions, 'from' | 'languages' | 'findsCodes'>,
): Promise<ReadTurn> {
  const turn: ReadTurn = { pages: [], ...(findsCodes ? { codes: [] } : {}) }
  for (let index = from; index < Math.min(pages.sizes.length, from + maxAtOnce); index++) {
    const own = pages.words?.(index)
    const isKnown = own && own.words.length > 0 && !own.hasPictures
    const isLookedAt = findsCodes && index === 0 && own?.mayHoldCode !== false
    const page = isKnown && !isLookedAt ? undefined : await pages.render(index, 'fine', 'text')
    if (page && isLookedAt) turn.codes = await (await import('./codes.ts')).codesOn(page)
    if (isKnown || !page) turn.pages.push({ words: own?.words ?? [], source: 'document' })
    else {
      const { recognizeWords } = await import('./ocr.ts')
      const seen = page.words.every((word) => word === 0) ? [] : await recognizeWords(page, languages)
      const words = mergeWords(own?.words ?? [], seen)
      turn.pages.push({ words, source: own && own.words.length > 0 ? 'both' : 'recognized' })
      break
    }
  }
  return turn
}

/** The QR codes of each page from `from` on, counted from 0: as many pages as one turn takes, or `max`. */
export async function readMarks(pages: FaxPages, from: number, max = maxAtOnce): Promise<PageMarks[]> {
  const { marksOn } = await import('./codes.ts')
  const read: PageMarks[] = []
  for (let index = from; index < Math.min(pages.sizes.length, from + max); index++) {
    read.push(await marksOn(await pages.render(index, 'fine', 'text')))
  }
  return read
}
