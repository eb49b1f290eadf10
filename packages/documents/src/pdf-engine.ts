import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { PDFiumModule } from '@hyzyla/pdfium'
import { DocumentProblem } from './problem.ts'
import { withQuickMasks } from './quick-masks.ts'

/** The functions of PDFium used here that its package does not declare. */
interface Undeclared {
  _FPDF_GetPageSizeByIndexF: (document: number, index: number, size: number) => number
  _FPDF_DocumentHasValidCrossReferenceTable: (document: number) => number
  _FPDF_GetFormType: (document: number) => number
  _FPDF_ImportPages: (target: number, source: number, pages: number, at: number) => number
  _FPDF_SaveAsCopy: (document: number, target: number, how: number) => number
  wasmExports: { __indirect_function_table: WebAssembly.Table }
  HEAPF32: Float32Array
}

/** PDFium compiled to WebAssembly: pointers are offsets into `HEAPU8`, whose view is replaced when memory grows. */
export type Pdfium = Awaited<ReturnType<typeof PDFiumModule>> & Undeclared

/** Memory PDFium may take for one document; a document that wants more is refused, not served by swapping. */
const mostMemory = 512 * 1024 * 1024
/** WebAssembly memory never shrinks: an instance that grew beyond this is thrown away after its document. */
const keptMemory = 96 * 1024 * 1024

let compiled: WebAssembly.Module | undefined
let running: Pdfium | undefined
let memoryRefused = false

/** The warm instance, started on first use. */
export async function startPdfium(): Promise<Pdfium> {
  compiled ??= await WebAssembly.compile(withQuickMasks(readPdfium()))
  running ??= await instantiate(compiled)
  return running
}

/** PDFium's code as its package has it. */
export function readPdfium(): Uint8Array {
  return readFileSync(fileURLToPath(import.meta.resolve('@hyzyla/pdfium/pdfium.wasm')))
}

/** Whether an instance has not crashed. */
export function isSound(pdfium: Pdfium): boolean {
  return running === pdfium
}

/**
 * Runs `work`, turning a crash inside PDFium or a demand for too much memory into a `DocumentProblem`; the next
 * document then gets a fresh instance.
 */
export function guardPdfium<T>(work: () => T): T {
  memoryRefused = false
  try {
    const result = work()
    // PDFium leaves out what it has no memory for; a page with a hole in it is not to be sent.
    if (!wasMemoryRefused()) return result
  } catch (error) {
    if (!wasMemoryRefused() && !isCrash(error)) throw error
  }
  running = undefined
  throw wasMemoryRefused() ? tooLarge() : new DocumentProblem('broken', brokenPdf)
}

/** A function, because the compiler does not see that PDFium's allocator sets it. */
const wasMemoryRefused = () => memoryRefused

export const brokenPdf =
  'The PDF is damaged and cannot be opened. Open it on your computer, save or print it as a new PDF and send that.'

/** Lets go of an instance whose memory has grown large; call it when no document is open. */
export function shedMemory(): void {
  if (running && running.HEAPU8.length > keptMemory) running = undefined
}

/** Traps of WebAssembly and emscripten's abort. */
function isCrash(error: unknown): boolean {
  return error instanceof WebAssembly.RuntimeError || (error instanceof RangeError && /call stack/i.test(error.message))
}

function tooLarge(): DocumentProblem {
  return new DocumentProblem(
    'too_large',
    'The PDF needs more memory than one document may take. Print it to a new PDF with smaller images and send that.',
  )
}

/** An instance of its own. */
export async function instantiate(wasm: WebAssembly.Module): Promise<Pdfium> {
  const options = {
    // PDFium reports crashes on the console; they reach people as a DocumentProblem instead.
    print: () => {},
    printErr: () => {},
    instantiateWasm: (imports: WebAssembly.Imports, receive: (instance: WebAssembly.Module) => void) => {
      const instance = new WebAssembly.Instance(wasm, capMemory(imports))
      receive(instance)
      return instance.exports
    },
  }
  const pdfium = (await PDFiumModule(options)) as Pdfium
  pdfium._FPDF_InitLibraryWithConfig({})
  return pdfium
}

function capMemory(imports: WebAssembly.Imports): WebAssembly.Imports {
  const grow = imports['env']?.['emscripten_resize_heap'] as (bytes: number) => boolean
  const capped = (bytes: number) => {
    if (bytes >>> 0 <= mostMemory) return grow(bytes)
    memoryRefused = true
    return false
  }
  return { ...imports, env: { ...imports['env'], emscripten_resize_heap: capped } }
}
