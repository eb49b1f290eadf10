import { listZip, readZip } from '../base/zip.ts'
import { DocumentProblem } from '../base/problem.ts'
import { isMail, isTextStart, isWebPage, refuseText } from './text-kind.ts'

/** Kinds of documents that have no pages of their own. */
export type FlowKind = 'html' | 'docx' | 'odt' | 'rtf' | 'eml' | 'msg'

/** Kinds that are known only by a name, because their content is text. */
export type NamedKind = 'markdown' | 'csv'

export type DocumentKind =
  'pdf' | 'text' | 'png' | 'jpeg' | 'tiff' | 'gif' | 'webp' | 'avif' | 'heic' | 'bmp' | FlowKind

/** Whether a document is a picture that can stand in another. */
export const isPicture = (bytes: Uint8Array): boolean =>
  /^(png|jpeg|gif|webp|avif|heic|bmp)$/.test(detectKind(bytes) ?? '')

/** How many bytes of a file `detectKind` looks at; PDF readers accept the header anywhere within them. */
const headLength = 1024

const signatures: readonly { kind: DocumentKind; bytes: string; at?: number }[] = [
  { kind: 'pdf', bytes: '%PDF-' },
  { kind: 'png', bytes: '\x89PNG\r\n\x1a\n' },
  { kind: 'jpeg', bytes: '\xff\xd8\xff' },
  { kind: 'tiff', bytes: 'II*\0' },
  { kind: 'tiff', bytes: 'MM\0*' },
  { kind: 'tiff', bytes: 'II+\0' },
  { kind: 'tiff', bytes: 'MM\0+' },
  { kind: 'gif', bytes: 'GIF8' },
  { kind: 'webp', bytes: 'WEBP', at: 8 },
  { kind: 'rtf', bytes: '{\\rtf' },
  // Old office documents are stored the same way, and are refused when the file is read.
  { kind: 'msg', bytes: '\xd0\xcf\x11\xe0' },
]

const zip = 'PK\x03\x04'
/** The media types of texts, their templates among them (ISO/IEC 26300-2, 3.3). */
const openText = /^application\/vnd\.oasis\.opendocument\.text/

/** Formats that are refused by name, with the way out. Offsets count from the start of the file. */
const foreign: readonly { bytes: string; at?: number; sentence: string }[] = [
  { bytes: zip, sentence: 'This is an office document or an archive. Save or print it as PDF and send that.' },
  { bytes: '%!PS', sentence: 'This is a PostScript file. Convert it to PDF and send that.' },
  { bytes: 'jP  \r\n', at: 4, sentence: 'JPEG 2000 images cannot be read. Save the image as JPEG and send that.' },
  { bytes: '\xff\x4f\xff\x51', sentence: 'JPEG 2000 images cannot be read. Save the image as JPEG and send that.' },
  { bytes: '8BPS', sentence: 'Photoshop files cannot be read. Save the image as PNG or PDF and send that.' },
]

const unknown = 'This file is not a PDF, a text or an image that can be read. Save or print it as PDF and send that.'

/**
 * Tells the kind of a document from its first bytes and, for a zip file, from its directory, never from a name; undefined
 * when it cannot be sent. Says nothing about whether the rest of the file is sound.
 */
export function detectKind(bytes: Uint8Array): DocumentKind | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, headLength))
  const found = signatures.find(({ bytes, at }) => hasAt(start, bytes, at ?? 0))
  if (found) return found.kind
  if (isBmp(start)) return 'bmp'
  const heif = heifKindOf(start)
  if (heif) return heif
  const flow = hasAt(start, zip, 0) ? zipKindOf(bytes) : flowKindOf(start)
  if (flow) return flow
  if (foreign.some(({ bytes, at }) => hasAt(start, bytes, at ?? 0))) return undefined
  const text = isTextStart(start) && refuseText(start) === undefined
  const header = start.indexOf('%PDF-', 0, 'latin1')
  if (header > 0 && (!text || start.toString('latin1', 0, header).trim() === '')) return 'pdf'
  return text ? 'text' : undefined
}

/** The kind of a document; throws `unsupported` with the way out, `empty`, or `broken` for a zip file without its end. */
export function requireKind(bytes: Uint8Array): DocumentKind {
  if (bytes.length === 0) throw new DocumentProblem('empty', 'The file is empty. Choose another file.')
  const kind = detectKind(bytes)
  if (kind) return kind
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, headLength))
  // Says what is missing of a file that was cut off.
  if (hasAt(start, zip, 0)) listZip(bytes)
  const known = foreign.find(({ bytes: signature, at }) => hasAt(start, signature, at ?? 0))
  throw new DocumentProblem('unsupported', known?.sentence ?? refuseText(start) ?? unknown)
}

const namedKinds: readonly (readonly [RegExp, NamedKind])[] = [
  [/\.(md|markdown|mdown|mkdn?)$/i, 'markdown'],
  [/\.(csv|tsv|tab)$/i, 'csv'],
]

/** What the name of a file says it is, where its content is text and could be anything. */
export function namedKindOf(bytes: Uint8Array, fileName: string | null): NamedKind | undefined {
  const named = namedKinds.find(([ending]) => ending.test(fileName ?? ''))?.[1]
  return named && detectKind(bytes) === 'text' ? named : undefined
}

function flowKindOf(start: Buffer): FlowKind | undefined {
  if (isWebPage(start)) return 'html'
  return isMail(start) ? 'eml' : undefined
}

function zipKindOf(bytes: Uint8Array): 'docx' | 'odt' | undefined {
  try {
    const names = listZip(bytes)
    if ([...names].some((name) => /^word\/[^/]+\.xml$/i.test(name))) return 'docx'
    if (!names.has('mimetype')) return names.has('content.xml') ? 'odt' : undefined
    const mediaType = readZip(bytes, (name) => name === 'mimetype').get('mimetype')
    return openText.test(Buffer.from(mediaType ?? []).toString('latin1')) ? 'odt' : undefined
  } catch (problem) {
    if (problem instanceof DocumentProblem) return undefined
    throw problem
  }
}

function hasAt(start: Buffer, signature: string, at: number): boolean {
  return start.toString('latin1', at, at + signature.length) === signature
}

/** The brands with which files of pictures begin (ISO/IEC 23008-12, 10): the coding of what is in a `mif1` is said behind. */
function heifKindOf(start: Buffer): 'avif' | 'heic' | undefined {
  if (!hasAt(start, 'ftyp', 4) || !/^(avi|hei|hev|mif|msf)/.test(start.toString('latin1', 8, 12))) return undefined
  const brands = start.toString('latin1', 8, Math.min(start.readUInt32BE(0), start.length))
  return /^(.{4})*avi/s.test(brands) ? 'avif' : 'heic'
}

/** `BM`, four reserved bytes of 0, and a header of a size that there is: two letters alone begin many a text. */
function isBmp(start: Buffer): boolean {
  return hasAt(start, 'BM', 0) && start.length >= 18 && start.readUInt32LE(6) === 0 && start.readUInt32LE(14) <= 124
}
