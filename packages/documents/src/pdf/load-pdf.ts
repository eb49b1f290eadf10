import { type CheckedFile, checkFile, repairFile } from '../pdf-file/check-file.ts'
import { cutOff, needsKey, openProblem, wholeOf } from './end.ts'
import { allocate, type Pdfium, release } from './pdfium.ts'

/** A file in PDFium's memory, the document that PDFium has opened of it, and what it consists of. */
interface Loaded extends Omit<CheckedFile, 'file'> {
  bytes: number
  length: number
  document: number
}

/**
 * Has PDFium open a file, repaired where its cross-reference table is wrong: what PDFium itself makes of such a file
 * lacks whatever it does not find. Throws `encrypted` and `broken`, also when it is cut off.
 */
export function loadPdf(pdfium: Pdfium, file: Uint8Array): Loaded {
  const { source, isEnded } = wholeOf(file)
  const checked = checkFile(source)
  // What is left of a file that was cut off would be a fax without its last pages.
  if (checked.isRepaired && !isEnded) throw cutOff()
  const loaded = load(pdfium, checked)
  const { document } = loaded
  if (document !== 0 && (checked.isRepaired || pdfium.FPDF_DocumentHasValidCrossReferenceTable(document))) return loaded
  const error = pdfium.FPDF_GetLastError()
  unload(pdfium, loaded)
  if (checked.isRepaired || (document === 0 && needsKey(error))) throw openProblem(error, isEnded)
  if (!isEnded) throw cutOff()
  const repaired = load(pdfium, repairFile(source))
  if (repaired.document !== 0) return repaired
  unload(pdfium, repaired)
  throw openProblem(pdfium.FPDF_GetLastError(), isEnded)
}

function load(pdfium: Pdfium, { file, ...checked }: CheckedFile): Loaded {
  const bytes = allocate(pdfium, file.length)
  pdfium.pdfium.HEAPU8.set(file, bytes)
  return { ...checked, bytes, length: file.length, document: pdfium.FPDF_LoadMemDocument(bytes, file.length, '') }
}

function unload(pdfium: Pdfium, { bytes, document }: Loaded): void {
  if (document !== 0) pdfium.FPDF_CloseDocument(document)
  release(pdfium, bytes)
}
