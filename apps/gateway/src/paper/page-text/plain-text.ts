import type { PageTexts } from '@faxdeck/contract'
import type { PageWord } from '@faxdeck/documents'
import { recordView } from '../../access/record-view.ts'
import type { GatewayContext } from '../../base/context.ts'
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

/** What the pages of a fax say, as far as they were read, for somebody who may open it. Recorded as a view of its pages. */
export async function showPageTexts(
  context: GatewayContext,
  direction: Direction,
  { id, keyId }: { id: string; keyId: string },
): Promise<PageTexts> {
  const { db } = context.database
  const reading = db.selectFrom('page_readings').select('state').where('fax_id', '=', id)
  const state = (await reading.executeTakeFirst())?.state ?? 'waiting'
  const layouts = await readLayouts(db, direction, id)
  const pages = layouts.map(({ page, layout }) => ({ page, text: layout ? textOf(unpackWords(layout)) : '' }))
  const [first] = pages
  if (first) await recordView(context, { job_id: id, key_id: keyId, page: first.page, width: undefined })
  return { state: state === 'waiting' && !context.settings.current().fax_text ? 'off' : state, pages }
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
