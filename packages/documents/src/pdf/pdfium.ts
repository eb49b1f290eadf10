import type { init } from '@embedpdf/pdfium'

/** What emscripten gives beside PDFium's functions. Pointers are offsets into the views, which are replaced when memory grows. */
interface Runtime {
  HEAPU8: Uint8Array
  HEAP32: Int32Array
  HEAPF32: Float32Array
  wasmExports: Record<string, unknown> & { malloc: (bytes: number) => number; free: (pointer: number) => void }
  /** A pointer to a function of ours, with the types of what it gives and takes: `i` for numbers, `v` for nothing. */
  addFunction: (work: (...numbers: number[]) => number | undefined, types: string) => number
  removeFunction: (pointer: number) => void
  UTF8ToString: (pointer: number) => string
}

/** How PDFium asks for fonts, and is answered. */
export interface FontRequests {
  /** A page is being drawn: only then does PDFium look for single letters that a font lacks. */
  isDrawing: boolean
  /** The document that is read has letters that PDFium's built-in fonts lack: it gets none of those. */
  isWide: boolean
  /** A font was asked for that is not embedded. */
  wereMade: boolean
}

/** PDFium compiled to WebAssembly, whose memory and runtime are `pdfium.pdfium`. */
export type Pdfium = Omit<Awaited<ReturnType<typeof init>>, 'pdfium'> & {
  pdfium: Runtime
  fonts: FontRequests
  /** 64 bytes of its memory for what a call answers, to be read before the next call. */
  room: number
}

/** Memory of PDFium's; throws what `guardPdfium` takes for a crash when there is none left. */
export function allocate({ pdfium }: Pick<Pdfium, 'pdfium'>, bytes: number): number {
  const pointer = pdfium.wasmExports.malloc(bytes)
  if (pointer === 0) throw new WebAssembly.RuntimeError('PDFium has no memory left.')
  return pointer
}

/** Lends memory of PDFium's to `use`. */
export function withMemory<T>(pdfium: Pick<Pdfium, 'pdfium'>, bytes: number, use: (pointer: number) => T): T {
  const pointer = allocate(pdfium, bytes)
  try {
    return use(pointer)
  } finally {
    release(pdfium, pointer)
  }
}

/** FPDFBitmap_Gray of fpdfview.h. */
const grayFormat = 1

/** Lends a white gray bitmap to `use`, with its pixels, which are good until PDFium's next call but those of drawing. */
export function withBitmap<T>(
  pdfium: Pdfium,
  { width, height }: { width: number; height: number },
  use: (bitmap: number, pixels: () => Uint8Array) => T,
): T {
  return withMemory(pdfium, width * height, (at) => {
    const pixels = () => pdfium.pdfium.HEAPU8.subarray(at, at + width * height)
    pixels().fill(255)
    const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, grayFormat, at, width)
    try {
      return use(bitmap, pixels)
    } finally {
      pdfium.FPDFBitmap_Destroy(bitmap)
    }
  })
}

/** Gives memory of PDFium's back. */
export function release({ pdfium }: Pick<Pdfium, 'pdfium'>, pointer: number): void {
  pdfium.wasmExports.free(pointer)
}
