import type { SplitPart } from '@faxdeck/contract'
import type { FakeCalls } from '../fake-calls.ts'
import { smallPdf } from './fake-page.ts'
import { Refusal } from '../refusal.ts'

const part = (to: string, reference: string | null, first_page: number, last_page: number): SplitPart => {
  const pages = last_page - first_page + 1
  const bytes_per_page = Array<number>(pages).fill(30_720)
  return {
    ...{ to, reference, first_page, last_page, pages, bytes_per_page, page_notes: [], drawn_by_provider: false },
    ...{ seconds: 16 + pages * 17, seconds_at_33600: 16 + pages * 8, minutes: 1 },
  }
}

/** What every scan becomes here. */
export const fakeParts = [part('+15555550123', 'Ann Miller, results', 2, 3), part('+15555550188', null, 5, 5)]

/** Separator sheets, and the scans that have some. */
export const splitCalls = {
  printSeparator: () => smallPdf(),
  quoteSplit: ({ form }) => {
    if (/no sheet/.test(form.file.name)) {
      throw new Refusal(
        'bad_document',
        'There is no separator sheet in this document. Print one, put it on top of the pages and scan again. Nothing was sent.',
      )
    }
    return { pages: 5, parts: fakeParts }
  },
} satisfies FakeCalls
