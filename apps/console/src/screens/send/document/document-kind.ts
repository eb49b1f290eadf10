/** `office` stands for everything that is laid out anew; the gateway decides what it is, and whether it can be faxed. */
export type DocumentKind =
  'pdf' | 'text' | 'png' | 'jpeg' | 'tiff' | 'gif' | 'webp' | 'avif' | 'heic' | 'bmp' | 'office'

const bytesPerMegabyte = 1024 * 1024
/** Readers look for the header of a PDF in its first kilobyte (ISO 32000-1, annex H.3.4.1). */
const headerBytes = 1024

const starts = {
  png: [[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  jpeg: [[0xff, 0xd8, 0xff]],
  tiff: [
    [0x49, 0x49, 0x2a, 0x00],
    [0x4d, 0x4d, 0x00, 0x2a],
    [0x49, 0x49, 0x2b, 0x00],
    [0x4d, 0x4d, 0x00, 0x2b],
  ],
  gif: [[0x47, 0x49, 0x46, 0x38]],
  // A zip file, an old office document or Outlook message, rich text.
  office: [
    [0x50, 0x4b, 0x03, 0x04],
    [0xd0, 0xcf, 0x11, 0xe0],
    [0x7b, 0x5c, 0x72, 0x74, 0x66],
  ],
} satisfies Partial<Record<DocumentKind, number[][]>>

const beginsWith = (bytes: Uint8Array, start: number[]) => start.every((byte, at) => bytes[at] === byte)

/** Marks at the beginning of a text in UTF-16, the one encoding whose letters may hold zeros. */
const utf16Marks = [
  [0xff, 0xfe],
  [0xfe, 0xff],
]

/** What may be a text: the gateway recognizes its encoding, or refuses it. */
function isText(bytes: Uint8Array): boolean {
  const isUtf16 = utf16Marks.some((mark) => beginsWith(bytes, mark))
  return isUtf16 || !bytes.includes(0)
}

/** Texts that the gateway lays out by what their name says they are. */
const laidOutByName = /\.(md|markdown|mdown|mkdn?|csv|tsv|tab)$/i

/** What a document is by its content, whatever its name says; undefined when it cannot be faxed. */
export function kindOf(bytes: Uint8Array): DocumentKind | undefined {
  const header = new TextDecoder('latin1').decode(bytes.subarray(0, headerBytes))
  if (header.includes('%PDF-')) return 'pdf'
  if (header.startsWith('WEBP', 8)) return 'webp'
  if (header.startsWith('ftypavi', 4)) return 'avif'
  if (/^.{4}ftyp(hei|hev|mif|msf)/s.test(header)) return 'heic'
  if (header.startsWith('BM') && header.startsWith('\0\0\0\0', 6)) return 'bmp'
  for (const kind of ['png', 'jpeg', 'tiff', 'gif', 'office'] as const) {
    if (starts[kind].some((start) => beginsWith(bytes, start))) return kind
  }
  return isText(bytes) ? 'text' : undefined
}

/** A size as people say it, megabytes rounded up: "812 KB", "3.5 MB". */
export function sizeInWords(bytes: number): string {
  if (bytes < bytesPerMegabyte) return `${Math.max(1, Math.round(bytes / 1024))} KB`
  return `${(Math.ceil((bytes * 10) / bytesPerMegabyte) / 10).toFixed(1)} MB`
}

/** The kind of a chosen file, or a sentence saying why it cannot be faxed and what to do. */
export async function inspect(file: File, limitMb: number): Promise<{ kind: DocumentKind } | { problem: string }> {
  if (file.size === 0) return { problem: `“${file.name}” is empty. Choose a file with at least one page.` }
  if (file.size > limitMb * bytesPerMegabyte) {
    const size = `“${file.name}” has ${sizeInWords(file.size)}; the limit is ${limitMb} MB.`
    return { problem: `${size} Split it, or save it at a lower resolution.` }
  }
  const bytes = await file.arrayBuffer().catch(() => undefined)
  if (!bytes) return { problem: `“${file.name}” could not be read. It may have been moved; choose it again.` }
  const kind = kindOf(new Uint8Array(bytes))
  if (kind === 'text' && laidOutByName.test(file.name)) return { kind: 'office' }
  if (kind) return { kind }
  const advice = `“${file.name}” is not supported. You can also send Markdown, CSV, office files, email, HTML and pictures.`
  return { problem: `Please select a PDF or TXT file to send. ${advice}` }
}
