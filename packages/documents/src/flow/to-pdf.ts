import type { FlowKind, NamedKind } from '../kind.ts'
import type { Limits } from '../base/limits.ts'
import { withNotes } from '../pdf/read-annotations.ts'
import { joinPdfs } from '../pdf/join-pdf.ts'
import type { Paper } from '../raster/paper.ts'
import { fontsToInstall } from '../fonts/font-packages.ts'
import { nameOf } from '../text/decode.ts'
import { missingShapes } from '../text/typeset.ts'
import { decodeHtml } from './read/decode-html.ts'
import type { Flow } from './flow.ts'
import { textIn } from './flow.ts'
import { flowToPdf } from './flow-to-pdf.ts'
import type { Made } from './made.ts'
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
  const flow = await readers[kind](bytes)
  return { pdf: await flowToPdf(flow.blocks, paper, limits), notes: [...flow.notes, ...noteMissing(flow)] }
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
  const pdf = await flowToPdf(flow.blocks, paper, limits, 'landscape')
  return withNotes(pdf, [...flow.notes, ...noteMissing(flow)])
}
