import type { Cover, Inspection, PageImage, Tones } from '@faxdeck/documents'
import type { GatewayContext } from '../../base/context.ts'
import { previewsDirectory } from '../facts/drawn-pages.ts'
import type { Upload } from '../../base/http/handler.ts'
import { pageSetup, type Quote, quoteDocument } from './quote.ts'
import { randomBytes } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../../base/http/answers/problem.ts'

const ttlMs = 15 * 60_000
const maxDocuments = 50
const maxBytes = 200 * 1024 * 1024
/** While somebody writes a note, many cover pages of one document are previewed. */
const maxCovers = 200

type Facts = Pick<Inspection, 'kind' | 'pages'>

interface Shelved extends Facts {
  /** The key or person who put it there; nobody else finds it. */
  owner: string
  path: string
  bytes: number
  expiresAt: number
}

interface Found extends Facts {
  /** Of the document itself. */
  documentId: string
  path: string
  cover: Cover | undefined
}

/** Documents that a person looks at before sending. They live for 15 minutes, in this process only. */
interface PreviewShelf {
  /** Keeps a document under a new id. */
  put: (owner: string, bytes: Uint8Array, facts: Facts) => Promise<string>
  /** A further id for a kept document, behind a cover; it ends with the document. */
  putCover: (documentId: string, cover: Cover) => string
  /** @throws {Problem} `document_not_found` once the document has left, and for somebody else's */
  find: (owner: string, id: string) => Found
  clear: () => Promise<void>
}

/** @param directory a folder of its own; what an earlier process left there is removed */
async function createPreviewShelf(directory: string): Promise<PreviewShelf> {
  const documents = new Map<string, Shelved>()
  const covers = new Map<string, { documentId: string; cover: Cover }>()
  const newId = () => randomBytes(16).toString('hex')
  const clear = () => rm(directory, { recursive: true, force: true })
  await clear()
  await mkdir(directory, { recursive: true, mode: 0o700 })

  const forget = async (id: string) => {
    const document = documents.get(id)
    documents.delete(id)
    for (const [front, { documentId }] of covers) if (documentId === id) covers.delete(front)
    if (document) await rm(document.path, { force: true })
  }
  /** Makes room for one more. The oldest go first, the owner's own before those of others. */
  const makeRoom = async (owner: string, bytes: number) => {
    let kept = [...documents.values()].reduce((sum, document) => sum + document.bytes, 0)
    const [own = [], others = []] = [true, false].map((isOwn) =>
      [...documents].filter(([, document]) => (document.owner === owner) === isOwn),
    )
    for (const [id, document] of [...own, ...others]) {
      if (documents.size < maxDocuments && kept + bytes <= maxBytes) return
      kept -= document.bytes
      await forget(id)
    }
  }
  return {
    clear,
    put: async (owner, bytes, { kind, pages }) => {
      await makeRoom(owner, bytes.length)
      const id = newId()
      const path = join(directory, id)
      await writeFile(path, bytes, { mode: 0o600 })
      documents.set(id, { owner, path, kind, pages, bytes: bytes.length, expiresAt: Date.now() + ttlMs })
      // A preview that cannot be removed now is removed at the next start.
      setTimeout(() => void forget(id).catch(() => undefined), ttlMs).unref()
      return id
    },
    putCover: (documentId, cover) => {
      const [oldest] = covers.keys()
      if (oldest !== undefined && covers.size >= maxCovers) covers.delete(oldest)
      const id = newId()
      covers.set(id, { documentId, cover })
      return id
    },
    find: (owner, id) => {
      const { documentId, cover } = covers.get(id) ?? { documentId: id, cover: undefined }
      const document = documents.get(documentId)
      if (document?.owner === owner && document.expiresAt > Date.now()) return { documentId, cover, ...document }
      throw new Problem('document_not_found', 'The preview has expired. Choose the document again.')
    },
  }
}

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
