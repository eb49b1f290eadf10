import type { Pdfium } from './pdf-engine.ts'

/**
 * A module that imports a function of three numbers to one and exports it again: only functions that WebAssembly has
 * exported may stand in a table (WebAssembly JavaScript Interface, 5.6).
 */
const passThrough = new Uint8Array([
  // Magic number and version; type 0 is (i32, i32, i32) → i32; import "e" "f" of type 0; export function 0 as "f".
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, 8, 1, 0x60, 3, 0x7f, 0x7f, 0x7f, 1, 0x7f],
  ...[2, 7, 1, 1, 0x65, 1, 0x66, 0, 0],
  ...[7, 5, 1, 1, 0x66, 0, 0],
])

/** Index of the function a null pointer would call. PDFium's table cannot grow, and this is its only free place. */
const freePlace = 0
/** FPDF_REMOVE_SECURITY of fpdf_save.h: the whole file anew, without the encryption that a document may have had. */
const wholeFile = 3

type WriteBlock = (self: number, pointer: number, length: number) => number

function exported(write: WriteBlock): unknown {
  return new WebAssembly.Instance(new WebAssembly.Module(passThrough), { e: { f: write } }).exports['f']
}

/** The bytes of an open document as PDFium writes them; undefined when it cannot. Call it inside `guardPdfium`. */
export function savePdf(pdfium: Pdfium, document: number): Uint8Array | undefined {
  const table = pdfium.wasmExports.__indirect_function_table
  const blocks: Uint8Array[] = []
  const writeBlock: WriteBlock = (_self, pointer, length) => {
    blocks.push(pdfium.HEAPU8.slice(pointer, pointer + length))
    return 1
  }
  // FPDF_FILEWRITE of fpdf_save.h: version 1, then the function that takes the blocks.
  const target = pdfium.wasmExports.malloc(8)
  pdfium.HEAP32.set([1, freePlace], target >> 2)
  table.set(freePlace, exported(writeBlock))
  try {
    return pdfium._FPDF_SaveAsCopy(document, target, wholeFile) ? Buffer.concat(blocks) : undefined
  } finally {
    table.set(freePlace, null)
    pdfium.wasmExports.free(target)
  }
}
