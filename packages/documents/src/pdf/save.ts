import type { Pdfium } from './pdfium.ts'

/** FPDF_REMOVE_SECURITY of fpdf_save.h: the whole file again, without the encryption that a document may have had. */
const wholeFile = 3

/** The bytes of an open document as PDFium writes them; undefined when it cannot. Call it inside `guardPdfium`. */
export function savePdf(pdfium: Pdfium, document: number): Uint8Array | undefined {
  const runtime = pdfium.pdfium
  const blocks: Uint8Array[] = []
  const writeBlock = runtime.addFunction((_self, pointer = 0, length = 0) => {
    blocks.push(runtime.HEAPU8.slice(pointer, pointer + length))
    return 1
  }, 'iiii')
  // FPDF_FILEWRITE of fpdf_save.h: version 1, then the function that takes the blocks.
  runtime.HEAP32.set([1, writeBlock], pdfium.room >> 2)
  try {
    return pdfium.FPDF_SaveAsCopy(document, pdfium.room, wholeFile) ? Buffer.concat(blocks) : undefined
  } finally {
    runtime.removeFunction(writeBlock)
  }
}
