import type { PageMarks } from '@faxdeck/documents'
import { Problem } from '../../base/http/answers/problem.ts'
import type { Seals } from '../../base/settings/seal.ts'
import { readCode, type SheetContent } from '../facts/sheet-code.ts'

/** One fax of a document that is split: pages of it, counted from 0, `until` not included. */
export interface Part extends SheetContent {
  from: number
  until: number
}

/** Faxes that one document may become. */
export const maxParts = 50

const refuse = (sentence: string): Problem => new Problem('bad_document', `${sentence} Nothing was sent.`)

/**
 * What the sheet on a page says; undefined if the page is not a separator sheet. A page that may be one is refused: its
 * pages would go to the number before.
 */
function sheetOn({ texts, hasUnreadable }: PageMarks, page: number, seals: Seals): SheetContent | undefined {
  const codes = texts.flatMap((text) => readCode(seals, text) ?? [])
  const contents = codes.filter((code) => code !== 'foreign')
  if (contents.length < codes.length) {
    throw refuse(
      `Page ${page} is a separator sheet that another installation printed, or this one before its key was changed. Print a new sheet and scan again.`,
    )
  }
  const [content, other] = contents
  if (other) throw refuse(`Page ${page} shows two different separator sheets. Scan them one by one.`)
  if (!content && hasUnreadable) {
    throw refuse(
      `Page ${page} has a large QR code that cannot be read and may be a separator sheet. Scan the sheet again, flat and at 200 dpi or more, or send a page with a code of its own by itself.`,
    )
  }
  return content
}

/**
 * What a document becomes when it is split at its sheets.
 * @param pages the codes on each of its pages
 * @throws {Problem} `bad_document` when it is not sure to which number every page goes
 */
export function planSplit(pages: readonly PageMarks[], seals: Seals): Part[] {
  const parts: Part[] = []
  for (const [at, marks] of pages.entries()) {
    const sheet = sheetOn(marks, at + 1, seals)
    const last = parts.at(-1)
    if (sheet) parts.push({ ...sheet, from: at + 1, until: at + 1 })
    else if (last) last.until = at + 1
  }
  const [first] = parts
  if (!first) {
    throw refuse('There is no separator sheet in this document. Print one, put it on top of the pages and scan again.')
  }
  if (first.from > 1) {
    const before = first.from === 2 ? 'Page 1 comes' : `Pages 1 to ${first.from - 1} come`
    throw refuse(
      `${before} before the first separator sheet and have no number to go to. Put a separator sheet on top of them.`,
    )
  }
  const empty = parts.find(({ from, until }) => from === until)
  if (empty) {
    throw refuse(`Page ${empty.from} is a separator sheet with no pages after it. Remove it, or add its pages.`)
  }
  if (parts.length > maxParts) {
    throw refuse(
      `The document has ${parts.length} separator sheets; ${maxParts} can be sent at once. Scan it in parts.`,
    )
  }
  return parts
}
