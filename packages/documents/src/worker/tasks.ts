import type { Tones } from '../raster/tones.ts'
import type { Cover } from '../cover/cover-templates.ts'
import type { Coding } from '../t4-t6/encode-page.ts'
import type { HeaderLine } from '../cover/header-line.ts'
import type { LaidOut } from '../flow/read/office-attachments.ts'
import type { MailKind } from '../flow/read/read-mail.ts'
import type { DocumentKind, NamedKind } from '../kinds/kind.ts'
import type { Limits } from '../base/limits.ts'
import type { PageNote, PlacedNote } from '../raster/page-notes.ts'
import type { Paper, Resolution, Size } from '../raster/paper.ts'
import type { ProblemCode } from '../base/problem.ts'
import type { Receipt } from '../receipt.ts'
import type { PageMarks, PageWord } from '../raster/page-text.ts'
import type { ReadOptions, ReadTurn } from '../reading/read-pages.ts'
import type { SeparatorSheet } from '../separators/separator-sheet.ts'
import type { LongPages } from '../raster/sheets.ts'
import type { Tidied } from '../tidy/tidy-to-pdf.ts'
import type { TaskSource } from '../base/source.ts'
import type { Tidying } from '../tidy/tidy-page.ts'
import type { EncodedPage } from '../t4-t6/encode-page.ts'

/** What every task that sets text needs. */
interface Fonts {
  /** Folder of further fonts; those of the system when undefined. */
  fonts: string | undefined
}

/** What every task about a document needs. */
export interface TaskInput extends Fonts {
  source: TaskSource
  paper: Paper
  longPages: LongPages
  /** What is done to scans; nothing when left out. */
  tidying?: Tidying | undefined
  limits: Limits
}

/** Opens, checks and measures a document. */
export interface InspectTask extends TaskInput {
  name: 'inspect'
  /** Also looks for the codes of a separator sheet on the first page. */
  findsSheet?: boolean | undefined
}

/**
 * Renders and codes pages `from` (included) to `to` (excluded); with `unlessMore` none of them when more come after.
 * Tasks of the same `key` find the document open.
 */
export interface EncodeTask extends TaskInput {
  name: 'encode'
  key: number
  resolution: Resolution
  tones: Tones
  coding: Coding
  header: HeaderLine | undefined
  cover: Cover | undefined
  from: number
  to: number
  unlessMore: boolean
}

/** Renders one page, counted from 0, as a PNG of `width` pixels across; the whole page when undefined. */
export interface PreviewTask extends TaskInput {
  name: 'preview'
  resolution: Resolution
  tones: Tones
  header: HeaderLine | undefined
  cover: Cover | undefined
  index: number
  width: number | undefined
}

/** Makes a PDF of any kind of document. */
export interface PdfTask extends TaskInput {
  name: 'pdf'
  cover: Cover | undefined
}

/** Makes a PDF of a document whose kind is known by its name. */
export interface LayOutTask extends TaskInput {
  name: 'layOut'
  kind: NamedKind
}

/** Finds the office documents attached to a mail. */
export interface AttachedTask extends TaskInput {
  name: 'attached'
  kind: MailKind
}

/** Makes a PDF of a mail whose office attachments were laid out before. */
export interface MailTask extends TaskInput {
  name: 'mail'
  kind: MailKind
  laidOut: LaidOut
}

/** Tidies a received document. */
export interface TidyTask extends TaskInput {
  name: 'tidy'
}

/** Checks that a cover page can be set, and counts it. */
export interface CoverTask extends Fonts {
  name: 'cover'
  cover: Cover
}

/** Looks for characters that no font has a shape for. */
export interface ShapesTask extends Fonts {
  name: 'shapes'
  text: string
}

/** Sets a transmission report. */
export interface ReceiptTask extends Fonts {
  name: 'receipt'
  receipt: Receipt
  paper: Paper
}

/** Reads the text of pages. */
export interface ReadTask extends TaskInput, ReadOptions {
  name: 'read'
}

/** Looks for QR codes on pages from `from` on, counted from 0: as many as one turn takes. */
export interface MarksTask extends TaskInput {
  name: 'marks'
  from: number
}

/** Sets a separator sheet. */
export interface SheetTask extends Fonts {
  name: 'sheet'
  sheet: SeparatorSheet
  paper: Paper
}

/** Makes a PDF of some pages of another, counted from 0, `to` not included. */
export interface TakeTask extends Fonts {
  name: 'take'
  source: TaskSource
  limits: Limits
  from: number
  to: number
}

/** Makes one PDF of several. */
export interface JoinTask extends Fonts {
  name: 'join'
  sources: readonly TaskSource[]
  limits: Limits
}

/** Puts words that cannot be seen on pages, where they were read. */
export interface LayerTask extends TaskInput {
  name: 'layer'
  pages: readonly (readonly PageWord[])[]
}

export type Task =
  | InspectTask
  | EncodeTask
  | PreviewTask
  | PdfTask
  | LayOutTask
  | TidyTask
  | CoverTask
  | ShapesTask
  | ReceiptTask
  | ReadTask
  | LayerTask
  | MarksTask
  | SheetTask
  | TakeTask
  | JoinTask
  | AttachedTask
  | MailTask

export interface Inspection {
  kind: DocumentKind
  pages: number
  /** Sizes of all pages in points. */
  sizes: Size[]
  /** What whoever sends it should know before. */
  notes: PlacedNote[]
  /** Texts of the QR codes on the first page, where they were looked for and the page may be a separator sheet. */
  firstCodes?: string[]
}

export interface PageImage {
  png: Uint8Array
  /** Pixels. */
  width: number
  height: number
  /** What is to be said of the page. */
  notes: PageNote[]
}

/** What each task gives. */
export interface TaskResult {
  inspect: Inspection
  encode: { total: number; pages: EncodedPage[] }
  preview: PageImage | undefined
  pdf: Uint8Array
  layOut: Uint8Array
  tidy: Tidied | undefined
  cover: { pages: number }
  shapes: string[]
  receipt: Uint8Array
  layer: Uint8Array | undefined
  read: ReadTurn & { total: number }
  marks: { total: number; pages: PageMarks[] }
  sheet: Uint8Array
  take: Uint8Array
  join: Uint8Array
  attached: Uint8Array[]
  mail: Uint8Array
}

/** What a worker answers: errors of our own kind do not survive the way between threads. */
export type Answer<Name extends Task['name']> =
  { value: TaskResult[Name] } | { problem: { code: ProblemCode; sentence: string } }

/** An answer and the milliseconds of a processor that it took. */
export type Done<Name extends Task['name']> = Answer<Name> & { worked: number }
