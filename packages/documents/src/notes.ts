import type { PlacedNote } from './page-notes.ts'
import type { Sheet } from './sheets.ts'

/** Below this scale type of 10 points is smaller than 7. */
const readableScale = 0.7

/** What there is to say of how pages lie on paper. Pictures have no size of their own: for them `shrinks` is false. */
export function notesOfSheets(sheets: readonly Sheet[], shrinks: boolean): PlacedNote[] {
  return sheets.flatMap(({ page, scale }, index): PlacedNote[] => {
    if (index > 0 && sheets[index - 1]?.page === page) return []
    const count = sheets.filter((sheet) => sheet.page === page).length
    const number = index + 1
    return [
      ...(shrinks && scale < readableScale ? [shrunk(number, Math.floor(100 * scale))] : []),
      ...(count > 1 ? [split(number, count)] : []),
    ]
  })
}

const shrunk = (page: number, percent: number): PlacedNote => {
  const text = `Page ${page} is scaled down to ${percent} % of its size to fit; small type may not be readable.`
  return { page, kind: 'shrunk', text }
}

const split = (page: number, sheets: number): PlacedNote => {
  return { page, kind: 'split', text: `Page ${page} is longer than a sheet and goes out as ${sheets} pages.` }
}

/** Rows of a received page that were damaged on the line (T.4, 4.2.2 Note). */
export const repaired = (page: number, rows: number): PlacedNote => {
  const text = `${rows} damaged ${rows === 1 ? 'row' : 'rows'} of page ${page} ${rows === 1 ? 'is' : 'are'} drawn as the row above.`
  return { page, kind: 'repaired', text }
}
