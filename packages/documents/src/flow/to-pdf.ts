import type { FlowKind, NamedKind } from '../kinds/kind.ts'
import type { Limits } from '../base/limits.ts'
import { withNotes } from '../pdf/read-annotations.ts'
import { joinPdfs } from '../pdf/join-pdf.ts'
import type { Paper } from '../raster/paper.ts'
import { fontsToInstall } from '../fonts/font-packages.ts'
import { nameOf } from '../text/decode.ts'
import { missingShapes } from '../text/typeset.ts'
import { decodeHtml } from './read/decode-html.ts'
import { type Flow, type Made, textIn, type Undrawn } from './flow.ts'
import { flowToPdf } from './flow-to-pdf.ts'
import type { WideTables } from './layout.ts'
import { DocumentProblem } from '../base/problem.ts'
import { type MakePdf, messageToPdf } from './message-to-pdf.ts'
import { readMail } from './read/read-mail.ts'

const readers = {
  html: async (bytes) => (await import('./read/read-html.ts')).readHtml(decodeHtml(bytes)),
  docx: async (bytes) => (await import('./read/read-docx.ts')).readDocx(bytes),
  odt: async (bytes) => (await import('./read/read-odt.ts')).readOdt(bytes),
  rtf: async (bytes) => (await import('./read/read-rtf.ts')).readRtf(bytes),
} satisfies Partial<Record<FlowKind, (bytes: Uint8Array) => Promise<Flow>>>

function noteMissing({ blocks }: Flow): string[] {
  const missing = missingShapes(blocks.map(textIn).join(' '))
  if (missing.length === 0) return []
  const named = missing.slice(0, 5).map(nameOf).join(', ')
  const more = missing.length > 5 ? ` and ${missing.length - 5} more` : ''
  return [
    `Characters that no font can draw are printed as codes: ${named}${more}. ${fontsToInstall(missing)}`.trimEnd(),
  ]
}

const plurals: Readonly<Record<Undrawn, string>> = {
  chart: 'charts',
  equation: 'equations',
  diagram: 'diagrams',
  drawing: 'drawings',
  'embedded object': 'embedded objects',
  picture: 'pictures',
}

/** "A chart and 2 equations": what was met in a document and is not drawn. */
function named(undrawn: readonly Undrawn[]): string {
  const kinds = [...new Set(undrawn)].map((kind) => {
    const count = undrawn.filter((each) => each === kind).length
    return count > 1 ? `${count} ${plurals[kind]}` : `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`
  })
  const list = new Intl.ListFormat('en-US').format(kinds)
  return list.charAt(0).toUpperCase() + list.slice(1)
}

function notesOf({ notes, undrawn = [] }: Flow): string[] {
  if (undrawn.length === 0) return notes
  const were = undrawn.length > 1 ? 'were' : 'was'
  return [`${named(undrawn)} ${were} left out. Print the document as PDF to send all of it.`, ...notes]
}

const hasContent = ({ blocks }: Flow) =>
  blocks.some((block) => ['picture', 'drawing'].includes(block.kind) || textIn(block).trim() !== '')

/** Lays out a document that was read. @throws {DocumentProblem} `empty` also for one of nothing that can be drawn */
async function layOut(flow: Flow, paper: Paper, limits: Limits, wideTables?: WideTables): Promise<Made> {
  const { undrawn = [] } = flow
  if (undrawn.length > 0 && !hasContent(flow)) {
    const only = named(undrawn).replace(/^An? /, (article) => article.toLowerCase())
    throw new DocumentProblem(
      'empty',
      `The document shows only ${only}, which cannot be drawn here. Print it as PDF and send that.`,
    )
  }
  const pdf = await flowToPdf(flow.blocks, paper, limits, wideTables)
  return { pdf, notes: [...notesOf(flow), ...noteMissing(flow)] }
}

/**
 * Makes a PDF of a document without pages of its own. Nothing is loaded, run or followed.
 * @param makePdf for what is attached to a mail
 * @throws {DocumentProblem} every one that reading and laying out throw
 */
export async function makeFlowPdf(
  kind: FlowKind,
  bytes: Uint8Array,
  { paper, limits, makePdf }: { paper: Paper; limits: Limits; makePdf: MakePdf },
): Promise<Made> {
  if (kind === 'eml' || kind === 'msg') {
    const message = await readMail(kind, bytes)
    const { parts, notes } = await messageToPdf(message, makePdf, { paper, limits })
    return { pdf: await joinPdfs(parts, limits), notes }
  }
  return layOut(await readers[kind](bytes), paper, limits)
}

/**
 * Makes a PDF of a document whose kind is known by its name. It keeps its notes, so that they are known wherever it is
 * opened.
 * @throws {DocumentProblem} every one that reading and laying out throw
 */
export async function makeNamedPdf(
  kind: NamedKind,
  bytes: Uint8Array,
  { paper, limits }: { paper: Paper; limits: Limits },
): Promise<Uint8Array> {
  const flow =
    kind === 'markdown'
      ? (await import('./read/read-markdown.ts')).readMarkdown(bytes)
      : (await import('./read/read-csv.ts')).readCsv(bytes, limits)
  const { pdf, notes } = await layOut(flow, paper, limits, 'landscape')
  return withNotes(pdf, notes)
}
