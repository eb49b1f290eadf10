import type { SplitPart } from '@faxdeck/contract'
import { type FakeCalls, found, Refusal } from '../fake-calls.ts'
import type { World } from '../world.ts'
import { pagePng, smallPdf } from './fake-page.ts'

const longNote = 'The note is too long for one cover page. Shorten it, or put it into the document.'

/** What is seen of a fax before it is sent. */
export function previewCalls(world: World) {
  return {
    createPreview: ({ form }) => {
      if (form.file.size === 0) throw new Refusal('bad_document', 'The file is empty.')
      const kind = form.file.name.endsWith('.txt') ? ('text' as const) : ('pdf' as const)
      const preview = { id: world.nextId(), kind, pages: 2 }
      world.previews.set(preview.id, preview)
      return { ...preview, estimated_seconds: 60 }
    },
    coverPreview: ({ params, body }) => {
      const preview = found(world.previews.get(params.id), 'document_not_found')
      if ((body.cover_note ?? '').split('\n').length > 20) throw new Refusal('bad_cover', longNote)
      if ((body.cover ?? world.config.default_cover) === 'none') return { ...preview, estimated_seconds: 60 }
      const pages = preview.pages + 1
      const id = world.nextId()
      world.previews.set(id, { ...preview, id, pages, covered: true })
      return { id, kind: preview.kind, pages, estimated_seconds: 90 }
    },
    quotePreview: ({ params, query }) => {
      const preview = found(world.previews.get(params.id), 'page_not_found')
      const bytes = query.tones === 'photo' ? 92_160 : 30_720
      const seconds = 16 + (preview.pages * bytes * 8) / 14_400
      return {
        pages: preview.pages,
        bytes_per_page: Array<number>(preview.pages).fill(bytes),
        seconds,
        seconds_at_33600: 16 + (preview.pages * bytes * 8) / 33_600,
        minutes: Math.ceil(seconds / 60),
        page_notes: [],
        drawn_by_provider: false,
      }
    },
    getPreviewPage: ({ params }) => {
      const preview = world.previews.get(params.id)
      if (!preview || Number(params.page) > preview.pages) throw new Refusal('page_not_found')
      return pagePng(Number(params.page) - (preview.covered ? 1 : 0))
    },
  } satisfies FakeCalls
}

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
