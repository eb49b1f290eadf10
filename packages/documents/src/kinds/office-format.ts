import { DocumentProblem } from '../base/problem.ts'
import { listZip, readZip } from '../base/zip.ts'

/** How LibreOffice reads an office document. */
export interface OfficeFormat {
  ending: string
  /** The import filter: the document is read by no other. */
  filter: string
  /** "Excel workbooks", for sentences. */
  name: string
  /** Whether `flow/` lays it out where LibreOffice does not. */
  isBuiltIn: boolean
}

const format = (ending: string, filter: string, name: string, isBuiltIn = false): OfficeFormat => {
  return { ending, filter, name, isBuiltIn }
}

const rtf = format('rtf', 'Rich Text Format', 'RTF documents', true)

/** By the name of a stream in an OLE file (MS-CFB), in the order in which they are looked for. */
const streams: readonly (readonly [string, OfficeFormat])[] = [
  ['WordDocument', format('doc', 'MS Word 97', 'Old Word documents')],
  ['PowerPoint Document', format('ppt', 'MS PowerPoint 97', 'Old PowerPoint presentations')],
  ['Workbook', format('xls', 'MS Excel 97', 'Old Excel workbooks')],
]

/** By the folder of the parts of a zip file (ECMA-376). */
const parts: readonly (readonly [string, OfficeFormat])[] = [
  ['word/', format('docx', 'MS Word 2007 XML', 'Word documents', true)],
  ['xl/', format('xlsx', 'Calc MS Excel 2007 XML', 'Excel workbooks')],
  ['ppt/', format('pptx', 'Impress MS PowerPoint 2007 XML', 'PowerPoint presentations')],
]

/** By the media type that an OpenDocument file begins with (ISO/IEC 26300). */
const mediaTypes: Readonly<Record<string, OfficeFormat>> = {
  'application/vnd.oasis.opendocument.text': format('odt', 'writer8', 'OpenDocument texts', true),
  'application/vnd.oasis.opendocument.spreadsheet': format('ods', 'calc8', 'OpenDocument spreadsheets'),
  'application/vnd.oasis.opendocument.presentation': format('odp', 'impress8', 'OpenDocument presentations'),
}

/** Names in the directory of an OLE file are written so. */
const holds = (bytes: Buffer, name: string) => bytes.includes(Buffer.from(name, 'utf16le'))

function oleFormat(bytes: Buffer): OfficeFormat | undefined {
  // A mail of Outlook may hold office documents.
  if (holds(bytes, '__properties_version1.0')) return undefined
  if (holds(bytes, 'EncryptedPackage')) {
    throw new DocumentProblem(
      'encrypted',
      'The document is protected with a password. Save it without one, or print it as PDF and send that.',
    )
  }
  return streams.find(([name]) => holds(bytes, name))?.[1]
}

/** A damaged file is named when it is opened. */
function partsOf(bytes: Uint8Array): ReadonlySet<string> {
  try {
    return listZip(bytes)
  } catch (problem) {
    if (problem instanceof DocumentProblem && problem.code === 'broken') return new Set()
    throw problem
  }
}

function zipFormat(bytes: Uint8Array): OfficeFormat | undefined {
  const names = partsOf(bytes)
  const part = parts.find(([folder]) => [...names].some((name) => name.startsWith(folder)))?.[1]
  if (part || !names.has('mimetype')) return part
  const mediaType = readZip(bytes, (name) => name === 'mimetype').get('mimetype')
  return mediaTypes[
    Buffer.from(mediaType ?? [])
      .toString()
      .trim()
  ]
}

/**
 * Which office document a file is, by its content; undefined when LibreOffice does not read it.
 * @throws {DocumentProblem} `encrypted`; `too_large` for a file that unpacks to more than can be handled
 */
export function officeFormatOf(bytes: Uint8Array): OfficeFormat | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const start = file.toString('latin1', 0, 5)
  if (start === '{\\rtf') return rtf
  if (start.startsWith('\xd0\xcf\x11\xe0')) return oleFormat(file)
  return start.startsWith('PK\x03\x04') ? zipFormat(bytes) : undefined
}
