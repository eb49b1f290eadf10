import { randomBytes } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Documents, HeaderLine, PageImage, Paper, Resolution, Tones } from '@faxdeck/documents'
import { Problem } from '../http/problem.ts'
import { type Quote, quoteDocument } from './quote.ts'

const keptFor = 15 * 60_000
const mostPreviews = 50
const mostBytes = 200 * 1024 * 1024
/** Call set-up, and a page of about 45 KB at 14,400 bit/s: what an ordinary letter takes. */
const setUpSeconds = 12
const pageSeconds = 25

interface PageSetup {
  paper: Paper
  resolution: Resolution
  header?: HeaderLine | undefined
}

interface Preview {
  path: string
  bytes: number
  expiresAt: number
}

/** Documents that a person looks at before sending. They live for 15 minutes, in this process only. */
export interface Previews {
  /** @throws {DocumentProblem} when the document cannot be faxed */
  create: (
    bytes: Buffer,
  ) => Promise<{ id: string; kind: 'pdf' | 'text' | 'png' | 'jpeg' | 'tiff'; pages: number; estimated_seconds: number }>
  /** Undefined when the document has no such page. @throws {Problem} `document_not_found` once the preview has ended */
  page: (id: string, page: number, tones: Tones, width: number | undefined) => Promise<PageImage | undefined>
  /** What sending it takes. @throws {Problem} `document_not_found` once the preview has ended */
  quote: (id: string, tones: Tones) => Promise<Quote>
  clear: () => Promise<void>
}

/** @param directory a folder of its own; what an earlier process left there is removed */
export async function createPreviews(
  documents: Documents,
  directory: string,
  setup: () => PageSetup,
): Promise<Previews> {
  const previews = new Map<string, Preview>()
  const clear = () => rm(directory, { recursive: true, force: true })
  await clear()
  await mkdir(directory, { recursive: true, mode: 0o700 })

  const forget = async (id: string) => {
    const preview = previews.get(id)
    previews.delete(id)
    if (preview) await rm(preview.path, { force: true })
  }
  /** Makes room for one more, the oldest going first. */
  const makeRoom = async (bytes: number) => {
    let kept = [...previews.values()].reduce((sum, preview) => sum + preview.bytes, 0)
    for (const [id, preview] of previews) {
      if (previews.size < mostPreviews && kept + bytes <= mostBytes) return
      kept -= preview.bytes
      await forget(id)
    }
  }
  const find = (id: string): Preview => {
    const preview = previews.get(id)
    if (preview && preview.expiresAt > Date.now()) return preview
    throw new Problem('document_not_found', 'The preview has ended. Choose the document again.')
  }
  return {
    clear,
    create: async (bytes) => {
      const { kind, pages } = await documents.inspect(bytes)
      await makeRoom(bytes.length)
      const id = randomBytes(16).toString('hex')
      const path = join(directory, id)
      await writeFile(path, bytes, { mode: 0o600 })
      previews.set(id, { path, bytes: bytes.length, expiresAt: Date.now() + keptFor })
      // A preview that cannot be removed now is removed at the next start.
      setTimeout(() => void forget(id).catch(() => undefined), keptFor).unref()
      return { id, kind, pages, estimated_seconds: setUpSeconds + pages * pageSeconds }
    },
    quote: async (id, tones) => quoteDocument({ documents, directory, setup }, { path: find(id).path }, tones),
    page: async (id, page, tones, width) => {
      const options = { ...setup(), tones, ...(width === undefined ? {} : { width }) }
      return documents.page({ path: find(id).path }, page, options)
    },
  }
}
