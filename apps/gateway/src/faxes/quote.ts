import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { CoverFields, PageNote } from '@faxdeck/contract'
import type { Cover, Documents, HeaderLine, Paper, Resolution, Source, Tones } from '@faxdeck/documents'
import { wireNotes } from './page-notes.ts'

/** What a fax will take, before it is sent. */
export interface Quote {
  pages: number
  /** Bytes of each page as the line carries it, coded with T.6. */
  bytes_per_page: number[]
  /** Predicted seconds of the call at 14,400 bit/s (V.17), which nearly every machine has. */
  seconds: number
  /** At 33,600 bit/s (V.34). */
  seconds_at_33600: number
  /** Of `seconds`, begun minutes counted. */
  minutes: number
  /** What the check of the pages found. */
  page_notes: PageNote[]
}

/** How the fax would look: `to` is the number on its cover page, as typed. */
export type QuoteOptions = CoverFields & { to?: string | undefined; tones: Tones }

interface QuoteDoors {
  documents: Documents
  /** A folder for files that live as long as a quote is made. */
  directory: string
  setup: () => { paper: Paper; resolution: Resolution; header?: HeaderLine | undefined }
}

/** Dialling, answering, and phases A and B of a call (ITU-T T.30): what an ordinary call spends before page 1. */
const setUpSeconds = 12
/** Between pages: PPS, MCF and the training after it (T.30 Annex A). */
const turnSeconds = 4
/** Frames of error correction carry 256 bytes of page in about 264 (T.4 Annex A). */
const framing = 264 / 256

/** Predicted seconds of a call that carries pages of so many bytes at `rate` bits a second. */
export function callSeconds(bytesPerPage: readonly number[], rate: number): number {
  const bits = bytesPerPage.reduce((sum, bytes) => sum + bytes * 8 * framing, 0)
  return Math.round(setUpSeconds + bits / rate + bytesPerPage.length * turnSeconds)
}

/** Codes all pages of a document and its cover as they would be sent, and counts. @throws {DocumentProblem} when it cannot be faxed */
export async function quoteDocument(
  { documents, directory, setup }: QuoteDoors,
  source: Source,
  { tones, cover }: { tones: Tones; cover: Cover | undefined },
): Promise<Quote> {
  const path = join(directory, `quote-${randomBytes(8).toString('hex')}.tiff`)
  try {
    const { pages, sizes, notes } = await documents.toTiff(source, path, { ...setup(), tones, cover })
    const bytes_per_page = sizes.map(({ bytes }) => bytes)
    const seconds = callSeconds(bytes_per_page, 14_400)
    return {
      pages,
      bytes_per_page,
      seconds,
      seconds_at_33600: callSeconds(bytes_per_page, 33_600),
      minutes: Math.ceil(seconds / 60),
      page_notes: wireNotes(notes),
    }
  } finally {
    await rm(path, { force: true })
  }
}
