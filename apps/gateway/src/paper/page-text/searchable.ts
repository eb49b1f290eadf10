import { DocumentProblem } from '@faxdeck/documents'
import type { GatewayContext } from '../../base/context.ts'
import { unpackWords } from './layout.ts'
import { type Direction, readLayouts } from './store.ts'

/**
 * The PDF of a fax with the text that was recognized on its pages, for whoever downloads it. Undefined when nothing was
 * recognized, when not all pages were read yet, and when the text cannot be put into it: it is then handed out as it is.
 */
export async function searchablePdf(
  { database, documents, settings, log }: GatewayContext,
  direction: Direction,
  faxId: string,
  read: () => Promise<Uint8Array>,
): Promise<Uint8Array | undefined> {
  const pages = await readLayouts(database.db, direction, faxId)
  if (!pages.some(({ source }) => source === 'recognized' || source === 'both')) return undefined
  if (pages.some(({ page }, at) => page !== at + 1)) return undefined
  const words = pages.map(({ layout }) => (layout === null ? [] : unpackWords(layout)))
  const pdf = await read()
  try {
    return await documents.withText(pdf, words, { paper: settings.current().fax_paper })
  } catch (error) {
    if (!(error instanceof DocumentProblem)) throw error
    log.warn({ fax_id: faxId, code: error.code }, 'the text could not be put into a PDF, which is served without it')
    return undefined
  }
}
