import { isUtf8 } from 'node:buffer'
import { DocumentProblem } from './problem.ts'

export type DocumentKind = 'pdf' | 'text' | 'png' | 'jpeg' | 'tiff'

/** How many bytes of a file `detectKind` looks at; PDF readers accept the header anywhere within them. */
const headLength = 1024

const signatures: readonly { kind: DocumentKind; bytes: string }[] = [
  { kind: 'pdf', bytes: '%PDF-' },
  { kind: 'png', bytes: '\x89PNG\r\n\x1a\n' },
  { kind: 'jpeg', bytes: '\xff\xd8\xff' },
  { kind: 'tiff', bytes: 'II*\0' },
  { kind: 'tiff', bytes: 'MM\0*' },
]

/** Formats that are refused by name, with the way out. Offsets count from the start of the file. */
const foreign: readonly { bytes: string; at?: number; sentence: string }[] = [
  { bytes: '\xff\xfe', sentence: 'The text is stored as UTF-16. Save it as UTF-8 and send that file.' },
  { bytes: '\xfe\xff', sentence: 'The text is stored as UTF-16. Save it as UTF-8 and send that file.' },
  { bytes: 'PK\x03\x04', sentence: 'This is an office document or an archive. Save or print it as PDF and send that.' },
  { bytes: '\xd0\xcf\x11\xe0', sentence: 'This is an office document. Save or print it as PDF and send that.' },
  { bytes: '{\\rtf', sentence: 'This is a rich text document. Save or print it as PDF and send that.' },
  { bytes: '%!PS', sentence: 'This is a PostScript file. Convert it to PDF and send that.' },
  { bytes: 'ftyphei', at: 4, sentence: 'HEIC photos cannot be read. Save the photo as JPEG and send that.' },
  { bytes: 'ftyphev', at: 4, sentence: 'HEIC photos cannot be read. Save the photo as JPEG and send that.' },
  { bytes: 'ftypmif', at: 4, sentence: 'HEIC photos cannot be read. Save the photo as JPEG and send that.' },
  { bytes: 'ftypavif', at: 4, sentence: 'AVIF images cannot be read. Save the image as PNG or JPEG and send that.' },
  { bytes: 'WEBP', at: 8, sentence: 'WebP images cannot be read. Save the image as PNG or JPEG and send that.' },
  { bytes: 'GIF8', sentence: 'GIF images cannot be read. Save the image as PNG and send that.' },
  { bytes: 'II+\0', sentence: 'BigTIFF files cannot be read. Save the images as an ordinary TIFF or as PDF.' },
  { bytes: 'MM\0+', sentence: 'BigTIFF files cannot be read. Save the images as an ordinary TIFF or as PDF.' },
]

const unknown = 'This file is neither PDF, UTF-8 text, PNG, JPEG nor TIFF. Save or print it as PDF and send that.'

/**
 * Tells the kind of a document from its first bytes (1,024 are enough), never from a name; undefined when it is none
 * that can be sent. Says nothing about whether the rest of the file is sound.
 */
export function detectKind(head: Uint8Array): DocumentKind | undefined {
  const start = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, headLength))
  const found = signatures.find(({ bytes }) => hasAt(start, bytes, 0))
  if (found) return found.kind
  if (foreign.some(({ bytes, at }) => hasAt(start, bytes, at ?? 0))) return undefined
  const text = isTextStart(start)
  const header = start.indexOf('%PDF-', 0, 'latin1')
  if (header > 0 && (!text || start.toString('latin1', 0, header).trim() === '')) return 'pdf'
  return text ? 'text' : undefined
}

/** The kind of a document; throws `unsupported` with the way out, or `empty`. */
export function requireKind(bytes: Uint8Array): DocumentKind {
  if (bytes.length === 0) throw new DocumentProblem('empty', 'The file is empty. Choose a file with something to send.')
  const kind = detectKind(bytes)
  if (kind) return kind
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, headLength))
  const known = foreign.find(({ bytes: signature, at }) => hasAt(start, signature, at ?? 0))
  throw new DocumentProblem('unsupported', known?.sentence ?? unknown)
}

function hasAt(start: Buffer, signature: string, at: number): boolean {
  return start.toString('latin1', at, at + signature.length) === signature
}

/** UTF-8 without control characters other than tab, line feed, form feed and carriage return. */
function isTextStart(start: Buffer): boolean {
  if (start.length === 0) return false
  for (const byte of start) {
    if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13) return false
  }
  // The cut at the end of the head may split a character of up to four bytes.
  for (let cut = 0; cut < 4 && cut < start.length; cut++) {
    if (isUtf8(start.subarray(0, start.length - cut))) return true
  }
  return false
}
