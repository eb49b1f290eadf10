import { brokenPdf } from './engine.ts'
import type { Pdfium } from './pdfium.ts'
import { DocumentProblem } from '../base/problem.ts'

/** FPDF_GetLastError of fpdfview.h. */
const errors = { password: 4, security: 5 }

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

/**
 * Where a file ends: behind its last end-of-file mark (ISO 32000-1, 7.5.5), whatever was put behind that. Undefined when
 * there is none, or when objects follow: the file is cut off, and the mark is that of an earlier part.
 */
export function endOf(file: Uint8Array): number | undefined {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length)
  const mark = bytes.lastIndexOf('%%EOF')
  if (mark < 0) return undefined
  const end = mark + '%%EOF'.length
  return bytes.includes(' obj', end) ? undefined : end
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
