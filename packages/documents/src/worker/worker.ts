import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import type { Cover } from '../cover/cover-templates.ts'
import { encodePage } from '../t4-t6/encode-page.ts'
import type { FaxPages } from '../raster/fax-pages.ts'
import type { HeaderLine } from '../cover/header-line.ts'
import { requireKind } from '../kinds/kind.ts'
import { checkBytes } from '../base/limits.ts'
import type { Limits } from '../base/limits.ts'
import { lowerPriority } from '../base/lower-priority.ts'
import { needsMemoryExit, NeedsMemory } from '../base/memory.ts'
import { handling, mailToPdf } from '../open-document.ts'
import { notesOfCheck } from '../raster/page-notes.ts'
import type { FaxPage, PageNote } from '../raster/page-notes.ts'
import { previewPage } from '../preview.ts'
import { DocumentProblem } from '../base/problem.ts'
import { useSystemFonts } from '../fonts/system-fonts.ts'
import { nameOf } from '../text/decode.ts'
import { measureText } from '../text/measure.ts'
import type { TaskSource } from '../base/source.ts'
import { isWanted } from '../tidy/tidy-page.ts'
import { withTidying } from '../tidy/with-tidying.ts'
import { withHeader } from '../cover/with-header.ts'
import { withCover } from '../cover/with-cover.ts'
import type {
  Answer,
  AttachedTask,
  Done,
  CoverTask,
  EncodeTask,
  InspectTask,
  JoinTask,
  LayerTask,
  LayOutTask,
  MailTask,
  MarksTask,
  PdfTask,
  PreviewTask,
  ReadTask,
  ReceiptTask,
  ShapesTask,
  SheetTask,
  TakeTask,
  Task,
  TaskInput,
  TaskResult,
  TidyTask,
} from './tasks.ts'

type Work = { [Name in Task['name']]: (task: Extract<Task, { name: Name }>) => Promise<TaskResult[Name]> }

const work: Work = {
  ...{ inspect, encode, preview, pdf, layOut, tidy, cover, shapes, receipt, read, layer },
  ...{ marks, sheet, take, join, attached, mail },
}

lowerPriority()

/** Runs one task; the entry of every worker of the pool. */
export async function runTask<Name extends Task['name']>(task: Extract<Task, { name: Name }>): Promise<Done<Name>> {
  const before = process.threadCpuUsage()
  const answer = await answerTask<Name>(task)
  const { user, system } = process.threadCpuUsage(before)
  return { ...answer, worked: (user + system) / 1000 }
}

async function answerTask<Name extends Task['name']>(task: Extract<Task, { name: Name }>): Promise<Answer<Name>> {
  try {
    useSystemFonts(task.fonts)
    return { value: await work[task.name](task) }
  } catch (error) {
    if (!(error instanceof DocumentProblem)) throw error
    if (error instanceof NeedsMemory && !isMainThread) process.exit(needsMemoryExit)
    return { problem: { code: error.code, sentence: error.sentence } }
  }
}

async function inspect(task: InspectTask): Promise<TaskResult['inspect']> {
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

/** The document whose pages are being coded: its next pages are likely to be wanted next. */
let kept: { key: number; pages: FaxPages } | undefined

async function encode(task: EncodeTask): Promise<TaskResult['encode']> {
  const { key, from, to, unlessMore, resolution } = task
  if (kept && (kept.key !== key || kept.pages.stale?.())) {
    kept.pages.close?.()
    kept = undefined
  }
  kept ??= { key, pages: await open(task) }
  const { pages } = kept
  const total = pages.sizes.length
  const encoded: TaskResult['encode']['pages'] = []
  if (unlessMore && total > to) return { total, pages: encoded }
  for (let index = from; index < Math.min(to, total); index++) {
    const bitmap = await pages.render(index, resolution, task.tones)
    encoded.push({ ...encodePage(bitmap, task.coding, resolution), notes: notesOn(pages, bitmap, index) })
  }
  return { total, pages: encoded }
}

async function preview(task: PreviewTask): Promise<TaskResult['preview']> {
  const pages = await open(task)
  try {
    if (task.index >= pages.sizes.length) return undefined
    const page = await pages.render(task.index, task.resolution, task.tones)
    return { ...previewPage(page, task.resolution, task.width), notes: notesOn(pages, page, task.index) }
  } finally {
    pages.close?.()
  }
}

/** What is to be said of a page that was rendered. */
function notesOn(pages: FaxPages, page: FaxPage, index: number): PageNote[] {
  const known = (pages.notes ?? []).filter((note) => note.page === index + 1)
  const own = known.map(({ kind, text }) => ({ kind, text }))
  return [...own, ...(pages.notesOn?.(index) ?? []), ...notesOfCheck(page, index + 1)]
}

async function pdf({ source, paper, limits, cover: front }: PdfTask): Promise<TaskResult['pdf']> {
  const bytes = readSource(source, limits)
  const whole = await handling[requireKind(bytes)].toPdf(bytes, paper, limits)
  return front ? (await import('../cover/put-cover-before.ts')).putCoverBefore(whole, front, paper, limits) : whole
}

async function layOut({ kind, source, paper, limits }: LayOutTask): Promise<TaskResult['layOut']> {
  const { makeNamedPdf } = await import('../flow/to-pdf.ts')
  return makeNamedPdf(kind, readSource(source, limits), { paper, limits })
}

async function attached({ kind, source, limits }: AttachedTask): Promise<TaskResult['attached']> {
  const { findOfficeAttachments } = await import('../flow/read/office-attachments.ts')
  return findOfficeAttachments(kind, readSource(source, limits))
}

async function mail({ kind, source, paper, limits, laidOut }: MailTask): Promise<TaskResult['mail']> {
  return mailToPdf(kind, readSource(source, limits), laidOut, { paper, limits })
}

async function tidy({ source, paper, limits, tidying }: TidyTask): Promise<TaskResult['tidy']> {
  const bytes = readSource(source, limits)
  const kind = requireKind(bytes)
  if (!isWanted(tidying) || (kind !== 'pdf' && kind !== 'tiff')) return undefined
  return (await import('../tidy/tidy-to-pdf.ts')).tidyToPdf(bytes, kind, tidying, { paper, limits })
}

async function cover({ cover: front }: CoverTask): Promise<TaskResult['cover']> {
  return (await import('../cover/cover.ts')).measureCover(front)
}

async function shapes({ text }: ShapesTask): Promise<TaskResult['shapes']> {
  return (await import('../text/typeset.ts')).missingShapes(text).map(nameOf)
}

async function receipt({ receipt: seen, paper }: ReceiptTask): Promise<TaskResult['receipt']> {
  return (await import('../receipt.ts')).receiptToPdf(seen, paper)
}

async function read(task: ReadTask): Promise<TaskResult['read']> {
  const { readPages } = await import('../reading/read-pages.ts')
  const pages = await open(task)
  try {
    return { total: pages.sizes.length, ...(await readPages(pages, task)) }
  } finally {
    pages.close?.()
  }
}

async function layer({ source, pages, paper, longPages, limits }: LayerTask): Promise<TaskResult['layer']> {
  const { addTextLayer } = await import('../reading/text-layer.ts')
  const { addForeignLayer } = await import('../reading/foreign-layer.ts')
  const bytes = readSource(source, limits)
  return addTextLayer(bytes, pages) ?? addForeignLayer(bytes, pages, { paper, longPages, limits })
}

/** Of the pages of the document as it came: none is left out or split. */
async function marks(task: MarksTask): Promise<TaskResult['marks']> {
  const { readMarks } = await import('../reading/read-pages.ts')
  const pages = await open({ ...task, longPages: 'whole', tidying: undefined, cover: undefined })
  try {
    return { total: pages.sizes.length, pages: await readMarks(pages, task.from) }
  } finally {
    pages.close?.()
  }
}

async function sheet({ sheet: given, paper }: SheetTask): Promise<TaskResult['sheet']> {
  return (await import('../separators/separator-sheet.ts')).separatorSheetToPdf(given, paper)
}

async function take({ source, limits, from, to }: TakeTask): Promise<TaskResult['take']> {
  return (await import('../separators/take-pages.ts')).takePages(readSource(source, limits), from, to, limits)
}

async function join({ sources, limits }: JoinTask): Promise<TaskResult['join']> {
  const pdfs = sources.map((source) => readSource(source, limits))
  return (await import('../pdf/join-pdf.ts')).joinPdfs(pdfs, limits)
}

async function open({
  source,
  paper,
  longPages,
  tidying,
  limits,
  header,
  cover: front,
}: TaskInput & { header?: HeaderLine | undefined; cover?: Cover | undefined }): Promise<FaxPages> {
  const bytes = readSource(source, limits)
  const document = await withTidying(await handling[requireKind(bytes)].open(bytes, paper, limits, longPages), tidying)
  return withHeader(await withCover(document, front, paper, limits), header, limits)
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
