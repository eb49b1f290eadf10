import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type KernelMemory, startKernel } from './kernel.ts'
import { defaultLimits } from './limits.ts'
import { faxRows, pageFit, placeOnPaper } from './paper.ts'
import { PdfDocument } from './pdf-document.ts'
import { instantiate, readPdfium, startPdfium } from './pdf-engine.ts'
import type { Pdfium } from './pdf-engine.ts'
import { withQuickMasks } from './quick-masks.ts'
import { madePages } from './testing/made-pages.ts'
import { pdfOf, streamOf, textAt } from './testing/pdf-samples.ts'

const kernel = startKernel('lay-masks') as {
  memory: KernelMemory
  lay: (compositor: number, dest: number, mask: number, width: number, clip: number) => void
}

const format = { mask: 0x108, grey: 8 }
/** Where things stand in the kernel's memory; rows come at `rows` and, as far as they may, at its end. */
const at = { compositor: 0, dest: 64, mask: 80, clip: 96, rows: 1024 }

interface Laying {
  onGrey: boolean
  tone: number
  alpha: number
  dest: Uint8Array
  mask: Uint8Array
}

/** What the kernel makes of the bytes around and in a row, with a change of what it is told. */
function lay({ onGrey, tone, alpha, dest, mask }: Laying, change: (view: DataView) => void = () => undefined) {
  const { buffer } = kernel.memory
  const view = new DataView(buffer)
  const maskAt = at.rows + dest.length
  view.setUint16(at.compositor, format.mask, true)
  view.setUint16(at.compositor + 2, onGrey ? format.grey : format.mask, true)
  view.setUint8(at.compositor + 16, onGrey ? tone : alpha)
  view.setUint8(at.compositor + 17, onGrey ? alpha : 0)
  view.setUint8(at.compositor + 20, onGrey ? 1 : 2)
  view.setUint8(at.compositor + 28, 0)
  const spans = [at.rows, dest.length, maskAt, mask.length, 0, 0]
  for (const [index, place] of [at.dest, at.dest + 4, at.mask, at.mask + 4, at.clip, at.clip + 4].entries()) {
    view.setUint32(place, spans[index]!, true)
  }
  const bytes = new Uint8Array(buffer)
  bytes.set(dest, at.rows)
  bytes.set(mask, maskAt)
  // What follows the mask is ink, which is not to be seen.
  bytes.fill(255, maskAt + mask.length, maskAt + mask.length + 16)
  change(view)
  kernel.lay(at.compositor, at.dest, at.mask, mask.length, at.clip)
  return bytes.slice(at.rows, at.rows + dest.length)
}

/** The same as PDFium has it: pixel by pixel, in whole numbers. */
function laySlowly({ onGrey, tone, alpha, dest, mask }: Laying) {
  return dest.map((below, index) => {
    const share = Math.floor(((mask[index] ?? 0) * alpha) / 255)
    if (onGrey) return Math.floor((below * (255 - share) + tone * share) / 255)
    return below + share - Math.floor((below * share) / 255)
  })
}

const tones = fc.oneof(fc.constantFrom(0, 1, 127, 254, 255), fc.nat(255))
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const anyLaying = fc
  .record({
    onGrey: fc.boolean(),
    tone: tones,
    alpha: tones,
    dest: bytes(90),
    mask: fc.uint8Array({ minLength: 1, maxLength: 70 }),
    sparse: fc.boolean(),
  })
  .map(({ mask, sparse, ...rest }): Laying => ({
    ...rest,
    mask: mask.map((byte) => (sparse && byte < 200 ? 0 : byte)),
  }))

/** Pages on which letters and pictures are laid in every way that a PDF knows. */
function pages(): Uint8Array {
  const states = '/ExtGState<</A<</ca 0.4/CA 0.7>>/M<</BM/Multiply/ca 0.6>>>>'
  const stencil = streamOf('\xf0\x0f\xaa\x55', '/Type/XObject/Subtype/Image/Width 8/Height 4/ImageMask true')
  const line = (y: number, size = 14) => textAt(60, y, size, 'The quick brown fox, 0123456789 %&?!')
  const content = [
    `0.3 g ${line(700)} 1 g 50 640 300 40 re f 0.5 g 60 645 280 30 re f 1 g ${line(655)}`,
    `q /A gs 0 g ${line(600)} 0.8 g ${line(604, 30)} Q`,
    `q /M gs 0.2 0.7 0.1 rg ${line(560)} 40 540 200 30 re f Q`,
    `q 0.9 0.3 -0.3 0.9 200 100 cm 0 g ${line(300, 9)} Q`,
    `q BT /F1 60 Tf 7 Tr 60 440 Td (Clipped) Tj ET 0 g 50 430 400 30 re f /A gs ${line(462, 20)} Q`,
    `q 0.5 w BT /F1 40 Tf 2 Tr 60 380 Td (Outlined) Tj ET Q`,
    `q 0.4 g 100 0 0 100 400 200 cm /X Do Q q 50 100 m 300 130 l 200 20 l h W n /A gs 0 g ${line(80, 50)} Q`,
  ]
  const page = { content: content.join('\n') }
  const pages = [page, { ...page, entries: '/Rotate 90' }, { ...page, width: 300, height: 250 }]
  const file = pdfOf(pages, [stencil]).toString('latin1')
  return Buffer.from(file.replaceAll('/Resources<<', `/Resources<<${states}`), 'latin1')
}

/** The grey pixels of every page, at both resolutions. */
function drawAll(pdfium: Pdfium, file: Uint8Array): Buffer[] {
  const pdf = new PdfDocument(pdfium, file, defaultLimits)
  return (['fine', 'standard'] as const).flatMap((resolution) =>
    pdf.measure().map((size, index) => {
      const place = placeOnPaper(size, 'letter', resolution, pageFit)
      return pdf.render(index, place, faxRows('letter', resolution), ({ pixels }) => Buffer.from(pixels))
    }),
  )
}

describe('laying a row of a mask', () => {
  it('gives what PDFium gives, for any row, and changes nothing beside it', () => {
    const same = fc.property(anyLaying, (laying) => {
      expect(lay(laying)).toEqual(laySlowly(laying))
    })
    fc.assert(same, { numRuns: 1000 })
  })

  it('gives what PDFium gives for every pair of tones', () => {
    const all = Uint8Array.from({ length: 256 }, (_, tone) => tone)
    for (const onGrey of [true, false]) {
      for (const dest of all) {
        const laying = { onGrey, tone: 0, alpha: 255, dest: new Uint8Array(256).fill(dest), mask: all }
        expect(lay(laying)).toEqual(laySlowly(laying))
      }
    }
  })

  it.for<[string, (view: DataView) => void]>([
    ['of bits', (view) => view.setUint16(at.compositor, 0x101, true)],
    ['on colours', (view) => view.setUint16(at.compositor + 2, 24, true)],
    ['on colours that are turned round', (view) => view.setUint8(at.compositor + 28, 1)],
    ['on what is told to be something else', (view) => view.setUint8(at.compositor + 20, 0)],
    ['within a soft clip', (view) => view.setUint32(at.clip + 4, 8, true)],
    ['that is too short', (view) => view.setUint32(at.mask + 4, 7, true)],
    ['of no width', (view) => view.setUint32(at.mask + 4, 0, true)],
    ['at the end of memory', (view) => view.setUint32(at.dest, view.byteLength - 9, true)],
    ['from the end of memory', (view) => view.setUint32(at.mask, view.byteLength - 9, true)],
  ])('leaves a mask %s to PDFium', ([, change]) => {
    for (const onGrey of [true, false]) {
      const dest = new Uint8Array(20).fill(200)
      expect(lay({ onGrey, tone: 0, alpha: 255, dest, mask: new Uint8Array(8).fill(255) }, change)).toEqual(dest)
    }
  })
})

describe('PDFium with quick masks', () => {
  it('is the one that is installed, and no other module is touched', () => {
    const pdfium = readPdfium()
    const quick = withQuickMasks(pdfium)
    expect(quick.length).toBeGreaterThan(pdfium.length)
    expect(withQuickMasks(quick)).toBe(quick)
    for (const other of ['tile-band', 't6-rows']) {
      const wasm = readFileSync(new URL(`./${other}.wasm`, import.meta.url))
      expect(withQuickMasks(wasm)).toBe(wasm)
    }
    const empty = pdfium.subarray(0, 8)
    expect(withQuickMasks(empty)).toBe(empty)
  })

  it('draws the same pixels as without', async () => {
    const plain = await instantiate(await WebAssembly.compile(readPdfium()))
    const quick = await startPdfium()
    const files = [pages(), ...(await Promise.all(Object.values(madePages).map((make) => make())))]
    for (const file of files) {
      const [drawn, expected] = [drawAll(quick, file), drawAll(plain, file)]
      expect(drawn.every((page) => page.some((pixel) => pixel < 200))).toBe(true)
      expect(drawn.map((page, index) => page.equals(expected[index]!))).toEqual(drawn.map(() => true))
    }
  })
})
