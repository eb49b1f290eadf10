import type { Cover, Inspection, PageImage, Tones } from '@faxdeck/documents'
import type { GatewayContext } from '../../base/context.ts'
import { previewsDirectory } from '../facts/drawn-pages.ts'
import type { Upload } from '../../base/http/handler.ts'
import { createPreviewShelf } from './preview-shelf.ts'
import { pageSetup, type Quote, quoteDocument } from './quote.ts'

/** Call set-up, and a page of about 45 KB at 14,400 bit/s: what an ordinary letter takes. */
const setUpSeconds = 12
const pageSeconds = 25

interface Measured {
  id: string
  kind: Inspection['kind']
  pages: number
  estimated_seconds: number
}

interface PageOptions {
  tones: Tones
  /** In pixels; that of the fax when undefined. */
  width: number | undefined
  /** The number that the fax comes from, where it is not that of the line. */
  from: string | undefined
}

/**
 * Documents as they would be faxed, for 15 minutes and for the key or person who made the preview. Every id throws
 * {Problem} `document_not_found` once it has ended, and to everybody else.
 */
export interface Previews {
  /** @throws {DocumentProblem} when the document cannot be faxed */
  create: (owner: string, file: Upload) => Promise<Measured>
  /**
   * The same document behind another cover, under an id of its own; without one the document as it was put in.
   * @throws {DocumentProblem} `bad_cover`
   */
  cover: (owner: string, id: string, cover: Cover | undefined) => Promise<Measured>
  /** Undefined when the document has no such page. */
  page: (owner: string, id: string, page: number, options: PageOptions) => Promise<PageImage | undefined>
  /** What sending it takes. */
  quote: (owner: string, id: string, tones: Tones) => Promise<Quote>
  clear: () => Promise<void>
}

function measured(id: string, kind: Inspection['kind'], pages: number): Measured {
  return { id, kind, pages, estimated_seconds: setUpSeconds + pages * pageSeconds }
}

/** What an earlier process left in the folder of previews is removed. */
export async function createPreviews(context: GatewayContext): Promise<Previews> {
  const { documents } = context
  const shelf = await createPreviewShelf(previewsDirectory(context))
  return {
    clear: shelf.clear,
    create: async (owner, file) => {
      const bytes = await documents.intake(file.bytes, file.fileName)
      const { kind, pages } = await documents.inspect(bytes)
      return measured(await shelf.put(owner, bytes, { kind, pages }), kind, pages)
    },
    cover: async (owner, id, cover) => {
      const { documentId, kind, pages } = shelf.find(owner, id)
      if (!cover) return measured(documentId, kind, pages)
      const front = await documents.measureCover(cover)
      return measured(shelf.putCover(documentId, cover), kind, front.pages + pages)
    },
    quote: async (owner, id, tones) => {
      const { path, cover } = shelf.find(owner, id)
      return quoteDocument(context, { path }, { tones, cover })
    },
    page: async (owner, id, page, { tones, width, from }) => {
      const { path, cover } = shelf.find(owner, id)
      return documents.page({ path }, page, {
        ...pageSetup(context, from),
        tones,
        cover,
        ...(width === undefined ? {} : { width }),
      })
    },
  }
}
