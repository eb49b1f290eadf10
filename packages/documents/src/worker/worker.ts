import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import { checkBytes, type Limits } from '../base/limits.ts'
import { lowerPriority } from '../base/lower-priority.ts'
import { needsMemoryExit, NeedsMemory } from '../base/memory.ts'
import { DocumentProblem, type ProblemCode } from '../base/problem.ts'
import type { TaskSource } from '../base/source.ts'
import type { Cover } from '../cover/cover-templates.ts'
import type { HeaderLine } from '../cover/header-line.ts'
import { withCover } from '../cover/with-cover.ts'
import { withHeader } from '../cover/with-header.ts'
import type { LaidOut } from '../flow/read/office-attachments.ts'
import type { MailKind } from '../flow/read/read-mail.ts'
import { useSystemFonts } from '../fonts/system-fonts.ts'
import { type DocumentKind, type NamedKind, requireKind } from '../kinds/kind.ts'
import { handling, mailToPdf } from '../open-document.ts'
import { type PageImage, previewPage } from '../preview.ts'
import type { FaxPages } from '../raster/fax-pages.ts'
import { type FaxPage, notesOfCheck, type PageNote, type PlacedNote } from '../raster/page-notes.ts'
import type { PageWord } from '../raster/page-text.ts'
import type { Paper, Resolution, Size, Tones } from '../raster/paper.ts'
import type { LongPages } from '../raster/sheets.ts'
import type { ReadOptions } from '../reading/read-pages.ts'
import type { Receipt } from '../receipt.ts'
import type { SeparatorSheet } from '../separators/separator-sheet.ts'
import { type Coding, type EncodedPage, encodePage } from '../t4-t6/encode-page.ts'
import { nameOf } from '../text/decode.ts'
import { measureText } from '../text/measure.ts'
import { isWanted, type Tidying } from '../tidy/tidy-page.ts'
import { withTidying } from '../tidy/with-tidying.ts'

/** What every task that sets text needs: a folder of further fonts; those of the system when undefined. */
interface Fonts {
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

/** What stands on and before the pages of a document. */
interface Additions {
  header: HeaderLine | undefined
  cover: Cover | undefined
}

/** Pages that are drawn. */
interface Drawing extends TaskInput, Additions {
  resolution: Resolution
  tones: Tones
}

export interface Inspection {
  kind: DocumentKind
  pages: number
  /** Sizes of all pages in points. */
  sizes: Size[]
  /** What the sender should know beforehand. */
  notes: PlacedNote[]
  /** Texts of the QR codes on the first page, where they were looked for and the page may be a separator sheet. */
  firstCodes?: string[]
}

/** Everything a worker does, by the name of the task. */
const work = {
  ...{ inspect, encode, preview, pdf, layOut, tidy, cover, shapes, receipt, read, layer },
  ...{ marks, sheet, take, join, attached, mail },
}

export type TaskName = keyof typeof work
/** What a task is given. */
export type TaskOf<Name extends TaskName> = Parameters<(typeof work)[Name]>[0]
export type TaskResult<Name extends TaskName> = Awaited<ReturnType<(typeof work)[Name]>>

/** What a worker answers, because errors of our own do not survive the way between threads. */
export type Answer<Name extends TaskName> =
  { value: TaskResult<Name> } | { problem: { code: ProblemCode; sentence: string } }

/** An answer and the milliseconds of a processor that it took. */
export type Done<Name extends TaskName> = Answer<Name> & { worked: number }

lowerPriority()

/** Runs one task; the entry of every worker of the pool. */
export async function runTask<Name extends TaskName>(task: { name: Name } & TaskOf<Name>): Promise<Done<Name>> {
  const before = process.threadCpuUsage()
  const answer = await answerTask<Name>(task)
  const { user, system } = process.threadCpuUsage(before)
  return { ...answer, worked: (user + system) / 1000 }
}

async function answerTask<Name extends TaskName>(task: { name: Name } & TaskOf<Name>): Promise<Answer<Name>> {
  try {
    useSystemFonts(task.fonts)
    const run = work[task.name] as (given: TaskOf<Name>) => Promise<TaskResult<Name>>
    return { value: await run(task) }
  } catch (error) {
    if (!(error instanceof DocumentProblem)) throw error
    if (error instanceof NeedsMemory && !isMainThread) process.exit(needsMemoryExit)
    return { problem: { code: error.code, sentence: error.sentence } }
  }
}

/** Opens, checks and measures a document; with `findsSheet` also looks for the codes of a separator sheet on its first page. */
async function inspect(task: TaskInput & { findsSheet?: boolean | undefined }): Promise<Inspection> {
  const bytes = readSource(task.source, task.limits)
  const kind = requireKind(bytes)
  if (kind === 'text') return measureText(bytes, task.paper, task.limits)
  const document = await handling[kind].open(bytes, task.paper, task.limits, task.longPages)
  try {
    await document.check?.()
    const pages = await withTidying(document, task.tidying)
    const found = { kind, pages: pages.sizes.length, sizes: [...pages.sizes], notes: [...(pages.notes ?? [])] }
    if (!task.findsSheet || !document.mayBeSheet?.(0)) return found
    const { readMarks } = await import('../reading/read-pages.ts')
    return { ...found, firstCodes: (await readMarks(document, 0, 1))[0]?.texts ?? [] }
  } finally {
    document.close?.()
  }
}

interface Encoding extends Drawing {
  /** Tasks of the same key find the document open. */
  key: number
  coding: Coding
  from: number
  to: number
  unlessMore: boolean
}

/** The document whose pages are being coded: its next pages are likely to be wanted next. */
let kept: { key: number; pages: FaxPages } | undefined

/** Renders and codes pages `from` (included) to `to` (excluded); with `unlessMore` none of them when more come after. */
async function encode(task: Encoding): Promise<{ total: number; pages: EncodedPage[] }> {
  const { key, from, to, unlessMore, resolution } = task
  if (kept && (kept.key !== key || kept.pages.stale?.())) {
    kept.pages.close?.()
    kept = undefined
  }
  kept ??= { key, pages: await open(task) }
  const { pages } = kept
  const total = pages.sizes.length
  const encoded: EncodedPage[] = []
  if (unlessMore && total > to) return { total, pages: encoded }
  for (let index = from; index < Math.min(to, total); index++) {
    const bitmap = await pages.render(index, resolution, task.tones)
    encoded.push({ ...encodePage(bitmap, task.coding, resolution), notes: notesOn(pages, bitmap, index) })
  }
  return { total, pages: encoded }
}

/** Renders one page, counted from 0, as a PNG of `width` pixels across, which is its own when undefined. */
function preview(task: Drawing & { index: number; width: number | undefined }): Promise<PageImage | undefined> {
  return withPages(task, async (pages) => {
    if (task.index >= pages.sizes.length) return undefined
    const page = await pages.render(task.index, task.resolution, task.tones)
    return { ...previewPage(page, task.resolution, task.width), notes: notesOn(pages, page, task.index) }
  })
}

/** What is to be said of a page that was rendered. */
function notesOn(pages: FaxPages, page: FaxPage, index: number): PageNote[] {
  const known = (pages.notes ?? []).filter((note) => note.page === index + 1)
  const own = known.map(({ kind, text }) => ({ kind, text }))
  return [...own, ...(pages.notesOn?.(index) ?? []), ...notesOfCheck(page, index + 1)]
}

/** Makes a PDF of any kind of document. */
async function pdf({ source, paper, limits, cover: front }: TaskInput & Pick<Additions, 'cover'>): Promise<Uint8Array> {
  const bytes = readSource(source, limits)
  const whole = await handling[requireKind(bytes)].toPdf(bytes, paper, limits)
  return front ? (await import('../cover/put-cover-before.ts')).putCoverBefore(whole, front, paper, limits) : whole
}

/** Makes a PDF of a document whose kind is known by its name. */
async function layOut({ kind, source, paper, limits }: TaskInput & { kind: NamedKind }): Promise<Uint8Array> {
  const { makeNamedPdf } = await import('../flow/to-pdf.ts')
  return makeNamedPdf(kind, readSource(source, limits), { paper, limits })
}

/** Finds the office documents attached to a mail. */
async function attached({ kind, source, limits }: TaskInput & { kind: MailKind }): Promise<Uint8Array[]> {
  const { findOfficeAttachments } = await import('../flow/read/office-attachments.ts')
  return findOfficeAttachments(kind, readSource(source, limits))
}

/** Makes a PDF of a mail whose office attachments were laid out before. */
async function mail(task: TaskInput & { kind: MailKind; laidOut: LaidOut }): Promise<Uint8Array> {
  return mailToPdf(task.kind, readSource(task.source, task.limits), task.laidOut, task)
}

/** Tidies a received document. */
async function tidy({ source, paper, limits, tidying }: TaskInput) {
  const bytes = readSource(source, limits)
  const kind = requireKind(bytes)
  if (!isWanted(tidying) || (kind !== 'pdf' && kind !== 'tiff')) return undefined
  return (await import('../tidy/tidy-to-pdf.ts')).tidyToPdf(bytes, kind, tidying, { paper, limits })
}

/** Checks that a cover page can be set, and counts it. */
async function cover({ cover: front }: Fonts & { cover: Cover }) {
  return (await import('../cover/cover.ts')).measureCover(front)
}

/** Looks for characters that no font has a shape for. */
async function shapes({ text }: Fonts & { text: string }): Promise<string[]> {
  return (await import('../text/typeset.ts')).missingShapes(text).map(nameOf)
}

/** Sets a transmission report. */
async function receipt({ receipt: seen, paper }: Fonts & { receipt: Receipt; paper: Paper }): Promise<Uint8Array> {
  return (await import('../receipt.ts')).receiptToPdf(seen, paper)
}

/** Reads the text of pages. */
async function read(task: TaskInput & ReadOptions) {
  const { readPages } = await import('../reading/read-pages.ts')
  return withPages(task, async (pages) => ({ total: pages.sizes.length, ...(await readPages(pages, task)) }))
}

/** Puts words that cannot be seen on pages, where they were read. */
async function layer(task: TaskInput & { pages: readonly (readonly PageWord[])[] }): Promise<Uint8Array | undefined> {
  const { addTextLayer } = await import('../reading/text-layer.ts')
  const { addForeignLayer } = await import('../reading/foreign-layer.ts')
  const bytes = readSource(task.source, task.limits)
  return addTextLayer(bytes, task.pages) ?? addForeignLayer(bytes, task.pages, task)
}

/**
 * Looks for QR codes on pages from `from` on, counted from 0: as many as one turn takes. The pages are those of the
 * document as it came: none is left out or split.
 */
async function marks(task: TaskInput & { from: number }) {
  const { readMarks } = await import('../reading/read-pages.ts')
  return withPages({ ...task, longPages: 'whole', tidying: undefined }, async (pages) => {
    return { total: pages.sizes.length, pages: await readMarks(pages, task.from) }
  })
}

/** Sets a separator sheet. */
async function sheet(task: Fonts & { sheet: SeparatorSheet; paper: Paper }): Promise<Uint8Array> {
  return (await import('../separators/separator-sheet.ts')).separatorSheetToPdf(task.sheet, task.paper)
}

type Part = Pick<TaskInput, 'source' | 'limits' | 'fonts'> & { from: number; to: number }

/** Makes a PDF of some pages of another, counted from 0, `to` not included. */
async function take({ source, limits, from, to }: Part): Promise<Uint8Array> {
  return (await import('../pdf/join-pdf.ts')).takePages(readSource(source, limits), from, to, limits)
}

/** Makes one PDF of several. */
async function join({ sources, limits }: Fonts & { sources: readonly TaskSource[]; limits: Limits }) {
  const pdfs = sources.map((source) => readSource(source, limits))
  return (await import('../pdf/join-pdf.ts')).joinPdfs(pdfs, limits)
}

async function open({ source, paper, longPages, tidying, limits, ...more }: TaskInput & Partial<Additions>) {
  const bytes = readSource(source, limits)
  const document = await withTidying(await handling[requireKind(bytes)].open(bytes, paper, limits, longPages), tidying)
  return withHeader(await withCover(document, more.cover, paper, limits), more.header, limits)
}

async function withPages<T>(task: TaskInput & Partial<Additions>, use: (pages: FaxPages) => Promise<T>): Promise<T> {
  const pages = await open(task)
  try {
    return await use(pages)
  } finally {
    pages.close?.()
  }
}

function readSource(source: TaskSource, limits: Limits): Uint8Array {
  // A copy of its own: the image library and the text decoder do not take shared memory.
  if ('shared' in source) return new Uint8Array(source.shared).slice()
  const file = openSync(source.path, 'r')
  try {
    checkBytes(fstatSync(file).size, limits)
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}
