import type { FaxPages } from './raster/fax-pages.ts'
import type { Made } from './flow/flow.ts'
import type { LaidOut } from './flow/read/office-attachments.ts'
import type { MailKind } from './flow/read/read-mail.ts'
import { type DocumentKind, type FlowKind, requireKind } from './kinds/kind.ts'
import type { Limits } from './base/limits.ts'
import { leftOut, othersLeftOut, type PageNote } from './raster/page-notes.ts'
import type { Paper } from './raster/paper.ts'
import { DocumentProblem } from './base/problem.ts'
import type { LongPages } from './raster/sheets.ts'

/** What each kind of document can do. */
interface Handling {
  open(bytes: Uint8Array, paper: Paper, limits: Limits, longPages: LongPages): Promise<FaxPages>
  toPdf(bytes: Uint8Array, paper: Paper, limits: Limits): Promise<Uint8Array>
}

const picture: Handling = {
  open: async (bytes, paper, limits, longPages) => {
    const { bytes: file, name, pictures = 1 } = await requirePicture(bytes, limits)
    const pages = await (await import('./images/image-pages.ts')).openImage(file, name, paper, limits, longPages)
    return { ...pages, notes: [...othersLeftOut(pictures), ...(pages.notes ?? [])] }
  },
  toPdf: async (bytes, paper, limits) => {
    const { bytes: file, name } = await requirePicture(bytes, limits)
    return (await import('./images/picture-pdf.ts')).pictureToPdf(file, name, paper, limits)
  },
}

async function requirePicture(bytes: Uint8Array, limits: Limits) {
  const file = await (await import('./images/picture-file.ts')).readPictureFile(bytes, limits)
  if (!file) throw new Error('This is not a picture.')
  return file
}

/** The one place that knows all kinds. Each loads its libraries when it is first needed: a worker for PDFs stays small. */
export const handling: Record<DocumentKind, Handling> = {
  pdf: {
    open: async (...given) => (await import('./pdf/pages.ts')).openPdf(...given),
    toPdf: async (bytes) => (await import('./pdf/pages.ts')).soundPdf(bytes),
  },
  text: {
    open: async (bytes, paper, limits) => {
      const [{ textToPdf }, { openOwnPdf }] = await Promise.all([import('./text/pdf.ts'), import('./pdf/pages.ts')])
      return openOwnPdf(textToPdf(bytes, paper, limits), paper, limits)
    },
    toPdf: async (bytes, paper, limits) => (await import('./text/pdf.ts')).textToPdf(bytes, paper, limits),
  },
  png: picture,
  jpeg: picture,
  gif: picture,
  webp: picture,
  avif: picture,
  heic: picture,
  bmp: picture,
  tiff: {
    open: async (...given) => (await import('./tiff/pages.ts')).openTiff(...given),
    toPdf: async (bytes, _paper, limits) => (await import('./tiff/convert.ts')).tiffToPdf(bytes, limits),
  },
  html: flowing('html'),
  docx: flowing('docx'),
  odt: flowing('odt'),
  rtf: flowing('rtf'),
  eml: flowing('eml'),
  msg: flowing('msg'),
}

/** Kinds whose pages may have any size: office documents say it, and what is attached to a mail has its own. */
const sized: ReadonlySet<FlowKind> = new Set(['docx', 'odt', 'rtf', 'eml', 'msg'])

/** Documents without pages of their own are laid out as a PDF, which is opened. */
function flowing(kind: FlowKind): Handling {
  return {
    open: async (bytes, paper, limits, longPages) => {
      const { pdf, notes } = await makeFlow(kind, bytes, paper, limits)
      const { openOwnPdf, openPdf } = await import('./pdf/pages.ts')
      const pages = await (sized.has(kind) ? openPdf(pdf, paper, limits, longPages) : openOwnPdf(pdf, paper, limits))
      return { ...pages, notes: [...notes.map(leftOut), ...(pages.notes ?? [])] }
    },
    toPdf: async (bytes, paper, limits) => (await makeFlow(kind, bytes, paper, limits)).pdf,
  }
}

/** What the PDF that is made of an attachment does not say any more. */
const repeatedNotes: ReadonlySet<PageNote['kind']> = new Set(['left_out', 'lost_writing', 'repaired'])

async function makeFlow(
  kind: FlowKind,
  bytes: Uint8Array,
  paper: Paper,
  limits: Limits,
  { depth = 0, laidOut = {} }: { depth?: number; laidOut?: LaidOut } = {},
): Promise<Made> {
  const [{ makeFlowPdf }, { maxNesting, nameOfBytes }] = await Promise.all([
    import('./flow/to-pdf.ts'),
    import('./flow/read/office-attachments.ts'),
  ])
  const makePdf = async (attached: Uint8Array): Promise<Made> => {
    const made = laidOut[nameOfBytes(attached)]
    if (made) return { pdf: made, notes: [] }
    const inner = requireKind(attached)
    if (isFlow(inner)) {
      if (depth < maxNesting) return makeFlow(inner, attached, paper, limits, { depth: depth + 1, laidOut })
      throw new DocumentProblem('unsupported', 'Emails are nested too deeply. Send the inner one on its own.')
    }
    // Opened first: one that cannot be drawn is named, and does not spoil the mail.
    const pages = await handling[inner].open(attached, paper, limits, 'split')
    await pages.check?.()
    const notes = (pages.notes ?? []).filter(({ kind }) => repeatedNotes.has(kind)).map(({ text }) => text)
    pages.close?.()
    return { pdf: await handling[inner].toPdf(attached, paper, limits), notes }
  }
  return makeFlowPdf(kind, bytes, { paper, limits, makePdf })
}

/** A mail whose office attachments were laid out before, as a PDF that keeps its notes. Throws what reading it throws. */
export async function mailToPdf(
  kind: MailKind,
  bytes: Uint8Array,
  laidOut: LaidOut,
  { paper, limits }: { paper: Paper; limits: Limits },
): Promise<Uint8Array> {
  const { pdf, notes } = await makeFlow(kind, bytes, paper, limits, { laidOut })
  return (await import('./pdf/read-annotations.ts')).withNotes(pdf, notes)
}

const flowKinds: ReadonlySet<DocumentKind> = new Set(['html', 'docx', 'odt', 'rtf', 'eml', 'msg'])
const isFlow = (kind: DocumentKind): kind is FlowKind => flowKinds.has(kind)
