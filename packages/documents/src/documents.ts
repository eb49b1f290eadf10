import { encodeAll } from './worker/encode-all.ts'
import { dotsDown, type Paper, type Resolution, type Tones } from './raster/paper.ts'
import type { Cover } from './cover/cover-templates.ts'
import type { Coding, EncodedPage } from './t4-t6/encode-page.ts'
import type { HeaderLine } from './cover/header-line.ts'
import type { OfficeSetup } from './office/office.ts'
import { createIntake, type Intake, type IntakeParts } from './intake.ts'
import { type DocumentKind, requireKind } from './kinds/kind.ts'
import { defaultLimits, type Limits } from './base/limits.ts'
import { type MemoryPlan, planMemory } from './base/memory.ts'
import type { PageNote } from './raster/page-notes.ts'
import { Pool } from './worker/pool.ts'
import { DocumentProblem } from './base/problem.ts'
import type { PageCode, PageWord } from './raster/page-text.ts'
import type { ReadOptions } from './reading/read-pages.ts'
import type { Receipt } from './receipt.ts'
import type { LongPages } from './raster/sheets.ts'
import { readSource, share, sizeOfSource, type Source } from './base/source.ts'
import type { PageImage } from './preview.ts'
import type { Inspection, TaskInput, TaskName, TaskOf, TaskResult } from './worker/worker.ts'
import type { Tidied } from './tidy/tidy-to-pdf.ts'
import type { Tidying } from './tidy/tidy-page.ts'
import { createSplitting, type Splitting } from './worker/splitting.ts'
import { measureText } from './text/measure.ts'
import { receivedToPdf } from './tiff/received.ts'
import { writeTiff } from './tiff/write.ts'

/** A TIFF file that was written. */
export interface PreparedPages {
  pages: number
  /** Size of the file. */
  bytes: number
  /** Each page in pixels, and the bytes of its coded data: what the line has to carry. */
  sizes: { width: number; height: number; bytes: number }[]
  /** What is to be said of pages, counted from 1. */
  notes: (PageNote & { page: number })[]
}

/** Whether a document was received: then its pages are as they came, and are tidied by `tidyToPdf` alone. */
export interface Received {
  isReceived?: boolean
}

/** How pages are drawn. */
export interface PageOptions extends Received {
  resolution: Resolution
  paper: Paper
  tones?: Tones
  header?: HeaderLine | undefined
  /** Drawn as page 1, before the pages of the document. */
  cover?: Cover | undefined
}

/** Everything there is to do with documents. Every refusal is a `DocumentProblem`; files that cannot be read or written throw what Node throws. */
export interface Documents extends Splitting {
  /** The kind by content, never by name. Throws `unsupported` and `empty`. */
  kind(bytes: Uint8Array): DocumentKind
  /** A document as it is to be kept: a PDF of what is laid out by its name or by LibreOffice, all else as it came. Throws what reading it throws. */
  intake: Intake
  /**
   * Opens the document and measures every page without rendering. With `findsSheet` the first page is drawn if it may be a
   * separator sheet, and its QR codes are read. Throws every `DocumentProblem`.
   */
  inspect(source: Source, options?: Received & { findsSheet?: boolean }): Promise<Inspection>
  /**
   * Renders all pages to a TIFF class F file at `target`: bilevel, 1728 pixels across, one strip a page, coded with T.6
   * unless `coding` says otherwise, with the header line on top where one is given. The file appears whole or not at all. Rejects with the signal's reason when it is
   * aborted, after the pages at work.
   */
  toTiff(
    source: Source,
    target: string,
    options: PageOptions & { coding?: Coding },
    signal?: AbortSignal,
  ): Promise<PreparedPages>
  /**
   * One page, counted from 1, as it will be faxed, in the proportions of the paper: scaled smoothly to `width` pixels,
   * at most 1728. Renders no other page. Undefined when there is no such page.
   */
  page(source: Source, n: number, options: PageOptions & { width?: number }): Promise<PageImage | undefined>
  /**
   * The document as a PDF: a PDF unchanged unless it is damaged, text and images laid out on `paper`, TIFF pages at their
   * own size; behind a cover page where one is given.
   */
  toPdf(source: Source, options: { paper: Paper; cover?: Cover | undefined }): Promise<Uint8Array>
  /** The pages a cover adds. Throws `bad_cover` when it cannot be set. */
  measureCover(cover: Cover): Promise<{ pages: number }>
  /** The characters of a line of text that no font has a shape for, each with its code: `漢 (U+6F22)`. */
  findUnprintable(text: string): Promise<string[]>
  /** A TIFF file as a PDF, its G3 or G4 data untouched where each page has it in one strip. */
  tiffToPdf(tiff: Source): Promise<Uint8Array>
  /** A received TIFF or PDF with its pages tidied, as a PDF; undefined when there was nothing to do. */
  tidyToPdf(received: Source, tidying: Tidying): Promise<Tidied | undefined>
  /** A transmission report as a PDF. */
  receipt(receipt: Receipt, options: { paper: Paper }): Promise<Uint8Array>
  /**
   * Reads pages from `from` on, counted from 0: as many as one turn takes, at least one while there are any. The text is
   * the document's own where it has some, and recognized where not, in `languages` as Tesseract names them. With
   * `findsCodes` the barcodes and matrix codes on the first page are read too. Runs behind everything else.
   */
  read(source: Source, options: Received & ReadOptions, signal?: AbortSignal): Promise<TaskResult<'read'>>
  /** The barcodes and matrix codes on the first page of a received fax, which is announced with them. */
  codes(received: Source, options: { paper: Paper }): Promise<PageCode[]>
  /**
   * A PDF with the words of its fax pages on `paper` as text that cannot be seen but searched and copied. It is PDF/A-2u,
   * and says so, where its pages are nothing but gray or black and white pictures. Undefined when it is encrypted or
   * signed, has other pages, or all the words already. Throws what opening a PDF throws, and `too_slow`.
   */
  withText(
    pdf: Source,
    pages: readonly (readonly PageWord[])[],
    options: { paper: Paper },
  ): Promise<Uint8Array | undefined>
  /** Ends the workers. Calls that are under way fail. */
  close(): Promise<void>
}

/** Texts up to this size are measured at once: that is faster than asking a worker. */
const smallText = 64 * 1024

/** Working time of a turn of reading, and of looking for codes. */
const readingMs = 180_000
const codesMs = 10_000
/** Working time of putting words on pages: who downloads a PDF does not wait longer for them. */
const layerMs = 20_000

const plain = /^[\x20-\x7e]*$/

/** What a room of documents is opened with. */
interface DocumentsOptions {
  threads?: number
  limits?: Limits
  /** The paper that `inspect` counts the pages of a text on. */
  paper?: Paper
  /** How pages longer than 14 inches are sent: on several sheets when left out. */
  longPages?: LongPages
  /** What is done to scans before they are drawn; nothing when left out. */
  tidying?: Tidying
  /** A folder of fonts for what the bundled ones lack; the usual folders of the system when left out. */
  fonts?: string | undefined
  /** LibreOffice, which lays out office documents; they are laid out here or refused when it is left out. */
  office?: OfficeSetup | undefined
  /** Megabytes for a document, where what the machine has is not to decide. */
  memory?: Pick<MemoryPlan, 'usual' | 'large'>
}

function openPool({ threads, memory }: Pick<DocumentsOptions, 'threads' | 'memory'>): Pool {
  const plan = planMemory()
  return new Pool({ ...plan, ...(memory && { background: memory.large }), threads: threads ?? plan.threads, ...memory })
}

/** Opens the room: nothing is started before there is work, and idle workers end after ten seconds. */
export function createDocuments({
  threads,
  limits = defaultLimits,
  paper: usualPaper = 'letter',
  longPages = 'split',
  tidying,
  fonts,
  memory,
  office,
}: DocumentsOptions = {}): Documents {
  const pool = openPool({ threads, memory })
  const input: MakeInput = async (source, paper = usualPaper, isReceived = false) => {
    const given = { source: await share(source, limits), paper, longPages, limits, fonts }
    return isReceived ? given : { ...given, tidying }
  }
  const run: Run = (name, task, urgent) => pool.run(name, task, { urgent, budget: { left: limits.seconds * 1000 } })
  const makePdf = async (bytes: Uint8Array, paper: Paper, cover?: Cover) =>
    run('pdf', { ...(await input(bytes, paper)), cover }, false)

  return {
    kind: requireKind,
    intake: createIntake({ limits, office, ...layouts(run, input) }),
    inspect: (source, { isReceived, findsSheet } = {}) =>
      inspectSource(source, { paper: usualPaper, limits }, async (own) =>
        run('inspect', { ...(await input(own, usualPaper, isReceived)), findsSheet }, true),
      ),
    async toTiff(source, target, { resolution, paper, tones = 'auto', coding = 'MMR', header, cover }, signal) {
      const request = { ...(await input(source, paper)), resolution, tones, coding, header, cover, signal }
      return writePrepared(target, await encodeAll(pool, request), dotsDown[resolution])
    },
    async page(source, n, { width, resolution, paper, tones = 'auto', header, cover, isReceived }) {
      if (!Number.isInteger(n) || n < 1) return undefined
      const wanted = { resolution, tones, header, cover, index: n - 1, width }
      return run('preview', { ...(await input(source, paper, isReceived)), ...wanted }, true)
    },
    async toPdf(source, { paper, cover }) {
      return makePdf(await readSource(source, limits), paper, cover)
    },
    tiffToPdf: (tiff) => receivedToPdf(tiff, limits, (bytes) => makePdf(bytes, usualPaper)),
    ...typesetters(run, fonts),
    ...readers(pool, input),
    ...createSplitting({ run, input, fonts }),
    close: () => pool.close(),
  }
}

type Run = <Name extends TaskName>(name: Name, task: TaskOf<Name>, urgent: boolean) => Promise<TaskResult<Name>>

/** What lays out documents when they are taken in. */
function layouts(run: Run, input: MakeInput): Omit<IntakeParts, 'limits' | 'office'> {
  return {
    layOut: async (kind, bytes) => run('layOut', { kind, ...(await input(bytes)) }, true),
    findAttached: async (kind, bytes) => run('attached', { kind, ...(await input(bytes)) }, true),
    layOutMail: async (kind, bytes, laidOut) => run('mail', { kind, laidOut, ...(await input(bytes)) }, true),
  }
}

/** What sets text of our own. */
function typesetters(
  run: Run,
  fonts: string | undefined,
): Pick<Documents, 'measureCover' | 'findUnprintable' | 'receipt'> {
  return {
    measureCover: (cover) => run('cover', { cover, fonts }, true),
    // Letters that every font has need no worker.
    findUnprintable: async (text) => (plain.test(text) ? [] : run('shapes', { text, fonts }, true)),
    receipt: async (receipt, { paper }) => run('receipt', { receipt, paper, fonts }, true),
  }
}

type MakeInput = (source: Source, paper?: Paper, isReceived?: boolean) => Promise<TaskInput>

/** What reads pages instead of drawing them, and what is done to received ones. */
function readers(pool: Pool, input: MakeInput): Pick<Documents, 'read' | 'codes' | 'withText' | 'tidyToPdf'> {
  return {
    async read(source, { isReceived, ...options }, signal) {
      const task = { ...options, ...(await input(source, options.paper, isReceived)) }
      return pool.run('read', task, { urgent: false, isBackground: true, budget: { left: readingMs }, signal })
    },
    async codes(received, { paper }) {
      const turn = { from: 0, languages: [], findsCodes: true }
      const task = { ...turn, ...(await input(received, paper, true)) }
      const { codes = [] } = await pool.run('read', task, { urgent: false, budget: { left: codesMs } })
      return codes
    },
    async tidyToPdf(received, tidying) {
      const task = { ...(await input(received)), tidying }
      return pool.run('tidy', task, { urgent: false, budget: { left: task.limits.seconds * 1000 } })
    },
    async withText(pdf, pages, { paper }) {
      const task = { ...(await input(pdf, paper, true)), pages }
      return pool.run('layer', task, { urgent: true, budget: { left: layerMs } })
    },
  }
}

/** Small texts are measured here; everything else, and what needs the fonts of the system, by a worker. */
async function inspectSource(
  source: Source,
  { paper, limits }: { paper: Paper; limits: Limits },
  inPool: (source: Source) => ReturnType<Documents['inspect']>,
): ReturnType<Documents['inspect']> {
  if ((await sizeOfSource(source)) > smallText) return inPool(source)
  const bytes = await readSource(source, limits)
  if (requireKind(bytes) !== 'text') return inPool(bytes)
  try {
    return measureText(bytes, paper, limits)
  } catch (problem) {
    if (problem instanceof DocumentProblem && problem.code === 'unsupported') return inPool(bytes)
    throw problem
  }
}

async function writePrepared(
  target: string,
  { total, pages }: Awaited<ReturnType<typeof encodeAll>>,
  rowsAnInch: number,
): Promise<PreparedPages> {
  const sizes: PreparedPages['sizes'] = []
  const notes: PreparedPages['notes'] = []
  const bytes = await writeTiff(target, noting(pages, sizes, notes), total, rowsAnInch)
  return { pages: total, bytes, sizes, notes }
}

async function* noting(
  pages: AsyncIterable<EncodedPage>,
  sizes: PreparedPages['sizes'],
  notes: PreparedPages['notes'],
): AsyncGenerator<EncodedPage> {
  for await (const page of pages) {
    sizes.push({ width: page.width, height: page.height, bytes: page.data.length })
    notes.push(...(page.notes ?? []).map((note) => ({ page: sizes.length, ...note })))
    yield page
  }
}
