import type { FakeCalls } from '../fake-calls.ts'
import { pagePng } from './fake-page.ts'
import { Refusal } from '../refusal.ts'
import type { World } from '../world.ts'

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
      const preview = world.previews.get(params.id)
      if (!preview) throw new Refusal('document_not_found')
      if ((body.cover_note ?? '').split('\n').length > 20) throw new Refusal('bad_cover', longNote)
      if ((body.cover ?? world.config.default_cover) === 'none') return { ...preview, estimated_seconds: 60 }
      const pages = preview.pages + 1
      const id = world.nextId()
      world.previews.set(id, { ...preview, id, pages, covered: true })
      return { id, kind: preview.kind, pages, estimated_seconds: 90 }
    },
    quotePreview: ({ params, query }) => {
      const preview = world.previews.get(params.id)
      if (!preview) throw new Refusal('page_not_found')
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
