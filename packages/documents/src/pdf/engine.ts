import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { init } from '@embedpdf/pdfium'
import { allowedMegabytes, NeedsMemory } from '../base/memory.ts'
import { serveFonts } from './fonts.ts'
import { allocate, type Pdfium } from './pdfium.ts'
import { DocumentProblem } from '../base/problem.ts'

/** WebAssembly memory never shrinks: an instance that grew beyond this is thrown away after its document. */
const maxRetainedBytes = 64 * 1024 * 1024

let compiled: WebAssembly.Module | undefined
let running: Pdfium | undefined
let memoryRefused = false

/** The warm instance, started on first use. */
export async function startPdfium(): Promise<Pdfium> {
  compiled ??= await WebAssembly.compile(
    readFileSync(fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm'))),
  )
  running ??= await instantiate(compiled)
  return running
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
  throw wasMemoryRefused() ? new NeedsMemory(allowedMegabytes()) : new DocumentProblem('broken', brokenPdf)
}

/** A function, because the compiler does not see that PDFium's allocator sets it. */
const wasMemoryRefused = () => memoryRefused

export const brokenPdf =
  'The PDF is damaged and cannot be opened. Open it on your computer, save or print it as a new PDF and send that.'

/** Lets go of an instance whose memory has grown large; call it when no document is open. */
export function shedMemory(): void {
  if (running && running.pdfium.HEAPU8.length > maxRetainedBytes) running = undefined
}

/** Traps of WebAssembly and emscripten's abort. */
function isCrash(error: unknown): boolean {
  return error instanceof WebAssembly.RuntimeError || (error instanceof RangeError && /call stack/i.test(error.message))
}

async function instantiate(wasm: WebAssembly.Module): Promise<Pdfium> {
  const options = {
    // PDFium reports crashes on the console; they reach people as a DocumentProblem instead.
    print: () => {},
    printErr: () => {},
    instantiateWasm: (imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => void) => {
      const instance = new WebAssembly.Instance(wasm, capMemory(imports))
      receive(instance)
      return instance.exports
    },
  }
  // The package's types leave out the memory that emscripten gives.
  const pdfium = (await init(options)) as unknown as Omit<Pdfium, 'fonts' | 'room'>
  Object.assign(pdfium, bareCalls(pdfium.pdfium.wasmExports))
  pdfium.FPDF_InitLibrary()
  return Object.assign(pdfium, { fonts: serveFonts(pdfium), room: allocate(pdfium, 64) })
}

/** Calls that are given text, which has to be put into memory first. */
const givenText = /^(FPDF_LoadMemDocument|FPDF_ImportPages|FPDF_GetMetaText|FPDFAnnot_GetStringValue)$/

/** The package checks and converts what each call is given, which takes longer than most calls: numbers need none of it. */
function bareCalls(exports: object): object {
  return Object.fromEntries(
    Object.entries(exports).filter(([name]) => /^F(PDF|ORM)/.test(name) && !givenText.test(name)),
  )
}

function capMemory(imports: WebAssembly.Imports): WebAssembly.Imports {
  const grow = imports['env']?.['emscripten_resize_heap'] as (bytes: number) => boolean
  const max = allowedMegabytes() * 1024 * 1024
  const capped = (bytes: number) => {
    if (bytes >>> 0 <= max) return grow(bytes)
    memoryRefused = true
    return false
  }
  return { ...imports, env: { ...imports['env'], emscripten_resize_heap: capped } }
}
