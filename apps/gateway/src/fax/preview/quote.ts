import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { CoverFields, PageNote } from '@faxdeck/contract'
import type { Cover, Source, Tones } from '@faxdeck/documents'
import type { GatewayContext } from '../../base/context.ts'
import { chooseCover, datedCover } from '../../paper/pages/cover.ts'
import { previewsDirectory } from '../facts/drawn-pages.ts'
import { assertNoSheet } from '../facts/sheet-code.ts'
import type { Upload } from '../../base/http/handler.ts'
import { headerFor } from '../../paper/pages/header-values.ts'
import { readNumber } from '../../base/number.ts'
import { assertLikely } from '../accept/unlikely.ts'
import { wireNotes } from '../../paper/pages/page-notes.ts'

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
  /** The provider draws the pages itself: nothing is known of how they will look. */
  drawn_by_provider: boolean
}

/** How the fax would look: `to` is the number on its cover page, as typed. */
export type QuoteOptions = CoverFields & { to?: string | undefined; tones: Tones; allowsUnlikely?: boolean }

/** Dialing, answering, and phases A and B of a call (ITU-T T.30): what an ordinary call spends before page 1. */
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

/** How pages that are sent now are drawn. @param from the number that the fax comes from, where it is not that of the line */
export function pageSetup(context: GatewayContext, from?: string) {
  const { fax_paper: paper, fax_resolution: resolution } = context.settings.current()
  return { paper, resolution, header: headerFor(context, context.providers.outbound(), from) }
}

/** The cover page of a fax that is not sent yet. @throws {Problem} `bad_cover` */
export function coverFor(
  { settings, providers, now }: GatewayContext,
  given: CoverFields,
  toNumber: string | null,
  from?: string,
): Cover | undefined {
  const kept = chooseCover(settings.current(), providers.outbound(), given, from)
  return kept && datedCover(kept, toNumber, now())
}

/** Codes all pages of a document and its cover as they would be sent, and counts. @throws {DocumentProblem} when it cannot be faxed */
export async function quoteDocument(
  context: GatewayContext,
  source: Source,
  { tones, cover }: { tones: Tones; cover: Cover | undefined },
): Promise<Quote> {
  const path = join(previewsDirectory(context), `quote-${randomBytes(8).toString('hex')}.tiff`)
  try {
    const options = { ...pageSetup(context), tones, cover }
    const { pages, sizes, notes } = await context.documents.toTiff(source, path, options)
    const bytes_per_page = sizes.map(({ bytes }) => bytes)
    const seconds = callSeconds(bytes_per_page, 14_400)
    return {
      pages,
      bytes_per_page,
      seconds,
      seconds_at_33600: callSeconds(bytes_per_page, 33_600),
      minutes: Math.ceil(seconds / 60),
      page_notes: wireNotes(notes),
      drawn_by_provider: !context.providers.outbound().traits.requires_pages,
    }
  } finally {
    await rm(path, { force: true })
  }
}

/** Quotes a fax with its cover page. @throws {Problem} `bad_number`, `number_unlikely`, {DocumentProblem} */
export async function quoteFax(
  context: GatewayContext,
  file: Upload,
  { to, tones, allowsUnlikely, ...given }: QuoteOptions,
): Promise<Quote> {
  const number = to === undefined ? null : readNumber(to, context.settings.current().default_country)
  if (number !== null) await assertLikely(context, number, allowsUnlikely)
  const bytes = await context.documents.intake(file.bytes, file.fileName)
  assertNoSheet(await context.documents.inspect(bytes, { findsSheet: true }))
  return quoteDocument(context, bytes, { tones, cover: coverFor(context, given, number) })
}
