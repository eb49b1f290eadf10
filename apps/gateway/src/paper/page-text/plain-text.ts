import type { PageWord } from '@faxdeck/documents'
import type { Reader } from '../../base/db/database.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { unpackWords } from './layout.ts'
import { type Direction, readLayouts } from './store.ts'

/** A line ends where a word stands left of the one before it, or below it. */
function textOf(words: readonly PageWord[]): string {
  return words
    .map((word, at) => {
      const before = words[at - 1]
      if (!before) return word.text
      const isNewLine = word.left < before.left || word.top > before.top + before.height
      return (isNewLine ? '\n' : ' ') + word.text
    })
    .join('')
}

/**
 * What was recognized on the pages of a fax, with a form feed between pages.
 * @throws {Problem} `conflict` while its pages are being read, `document_not_found` where they are not
 */
export async function readText(db: Reader, direction: Direction, faxId: string): Promise<string> {
  const reading = db.selectFrom('page_readings').select('state').where('fax_id', '=', faxId)
  const state = (await reading.executeTakeFirst())?.state
  if (state === undefined || state === 'waiting')
    throw new Problem(
      'conflict',
      'The pages of this fax are still being read. Ask again after the event inbound.updated.',
    )
  if (state !== 'read')
    throw new Problem(
      'document_not_found',
      'There is no text of this fax: its pages could not be read, or reading them is off, or its document was removed.',
    )
  const pages = await readLayouts(db, direction, faxId)
  const last = pages.at(-1)?.page ?? 0
  const byPage = new Map(pages.map(({ page, layout }) => [page, layout]))
  return Array.from({ length: last }, (_, at) => {
    const layout = byPage.get(at + 1)
    return layout ? textOf(unpackWords(layout)) : ''
  }).join('\f')
}
