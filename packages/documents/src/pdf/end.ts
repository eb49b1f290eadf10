import { brokenPdf } from './engine.ts'
import type { Pdfium } from './pdfium.ts'
import { DocumentProblem } from '../base/problem.ts'

/** FPDF_GetLastError of fpdfview.h. */
const errors = { password: 4, security: 5 }

/** Whether a file may be sound and only its password is missing. */
export const needsKey = (error: number) => error === errors.password || error === errors.security

/** Why a file could not be opened, by what PDFium says. */
export function openProblem(error: number, hasEnd: boolean): DocumentProblem {
  if (error === errors.password) {
    return new DocumentProblem(
      'encrypted',
      'The PDF is protected by a password. Save it without one and send that file.',
    )
  }
  if (error === errors.security) {
    return new DocumentProblem(
      'encrypted',
      'The PDF is encrypted in a way that cannot be opened. Print it to a new PDF.',
    )
  }
  return hasEnd ? new DocumentProblem('broken', brokenPdf) : cutOff()
}

/** Readers look for the header in so many first bytes. */
const headerBytes = 1024

/**
 * A file from its header to its last end-of-file mark (ISO 32000-1, 7.5.5), without what was put before or behind. It is
 * not ended when there is no mark, or when objects follow: the file is cut off, and the mark is that of an earlier part.
 */
export function wholeOf(file: Uint8Array): { source: Buffer; isEnded: boolean } {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length)
  const header = bytes.subarray(0, headerBytes).indexOf('%PDF-')
  const mark = bytes.lastIndexOf('%%EOF')
  const end = mark + '%%EOF'.length
  const isEnded = mark >= 0 && !bytes.includes(' obj', end)
  return { source: bytes.subarray(Math.max(0, header), isEnded ? end : undefined), isEnded }
}

/** Of fpdf_formfill.h: a form whose pages are made by the program that shows it. */
const dynamicForm = 2

/** Refuses a PDF whose pages say no more than that another program is needed to see them. */
export function checkForm(pdfium: Pdfium, document: number): void {
  if (pdfium.FPDF_GetFormType(document) !== dynamicForm) return
  throw new DocumentProblem(
    'unsupported',
    'This PDF is a dynamic form (XFA): only Adobe Reader shows its pages. Open it there, print it to a new PDF and send that.',
  )
}

/** The end of a file is missing. */
export function cutOff(): DocumentProblem {
  return new DocumentProblem(
    'broken',
    'The PDF is damaged or incomplete: its end is missing. Upload the whole file again.',
  )
}
