import type { Pdfium } from './pdfium.ts'

/** Kinds of objects of fpdf_edit.h, and of annotations of fpdf_annot.h that draw nothing. */
const type = { text: 1, path: 2, image: 3, form: 5 }
const undrawn: ReadonlySet<number> = new Set([2, 16])
/** A page of more objects is drawn and looked at instead. */
const maxObjects = 20_000
/** Points: pictures of less each way hold no code; bars and modules are thinner, shorter, and stand closer. */
const [leastPicture, thickest, longest, smallest, apart] = [10, 12, 150, 40, 12]
/** So many parts of one path, or bars in a row, may be a code. */
const [maxParts, maxBars] = [40, 16]
const barFonts = /bar|code|qr|matrix|of9|of5|c39|417|128|ean|upc|itf|imb|postnet/i

type Bounds = readonly [left: number, bottom: number, right: number, top: number]

/**
 * Whether an open page may show a barcode or a matrix code, told by its objects and without drawing it: it has a picture,
 * something drawn of many parts or of bars in a row, a font that is named as those of barcodes are, or annotations.
 * Bars of other fonts show in the boxes of their letters. @param room 64 bytes. Call it inside `guardPdfium`.
 */
export function mayHoldCode(pdfium: Pdfium, page: number, room: number): boolean {
  const annotations = Array.from({ length: pdfium.FPDFPage_GetAnnotCount(page) }, (_, index) => index)
  if (annotations.some((index) => isDrawn(pdfium, page, index))) return true
  const count = pdfium.FPDFPage_CountObjects(page)
  if (count > maxObjects) return true
  const fonts = new Set<number>()
  let before: Bounds | undefined
  let bars = 0
  for (let index = 0; index < count; index++) {
    const object = pdfium.FPDFPage_GetObject(page, index)
    const kind = pdfium.FPDFPageObj_GetType(object)
    if (kind === type.text) {
      const font = pdfium.FPDFTextObj_GetFont(object)
      if (!fonts.has(font) && barFonts.test(nameOf(pdfium, font, room))) return true
      fonts.add(font)
    } else if (kind === type.path || kind === type.image) {
      if (kind === type.path && pdfium.FPDFPath_CountSegments(object) > maxParts) return true
      if (!pdfium.FPDFPageObj_GetBounds(object, room, room + 4, room + 8, room + 12)) continue
      const bounds = new Float32Array(pdfium.pdfium.HEAPF32.buffer, room, 4).slice() as unknown as Bounds
      if (kind === type.image && Math.min(...sizeOf(bounds)) >= leastPicture) return true
      if (kind === type.path && before && followsBar(bounds, before) && ++bars > maxBars) return true
      before = bounds
    } else if (kind === type.form && holdsDrawing(pdfium, object, 0)) return true
  }
  return false
}

function isDrawn(pdfium: Pdfium, page: number, index: number): boolean {
  const annotation = pdfium.FPDFPage_GetAnnot(page, index)
  const kind = pdfium.FPDFAnnot_GetSubtype(annotation)
  pdfium.FPDFPage_CloseAnnot(annotation)
  return !undrawn.has(kind)
}

/** Empty for fonts without a name, as those of pictures are. */
function nameOf(pdfium: Pdfium, font: number, room: number): string {
  const length = pdfium.FPDFFont_GetBaseFontName(font, room, 64)
  return length <= 1 || length > 64 ? 'barcode' : pdfium.pdfium.UTF8ToString(room)
}

const sizeOf = ([left, bottom, right, top]: Bounds) => [right - left, top - bottom] as const

/** Whether something thin stands close beside the one before it, as bars do; rules that go on in one line do not. */
function followsBar(bounds: Bounds, before: Bounds): boolean {
  const [width, height] = sizeOf(bounds)
  const long = Math.max(width, height)
  if (Math.min(width, height) > thickest || long > longest) return false
  const [across, up] = [0, 1].map(
    (side) => Math.max(bounds[side]!, before[side]!) - Math.min(bounds[side + 2]!, before[side + 2]!),
  )
  const along = width > height ? across! : up!
  return Math.max(across!, up!) <= apart && (long <= smallest || along < -long / 2)
}

/** Whether a group holds a picture, or as many drawn parts as a code has. */
function holdsDrawing(pdfium: Pdfium, form: number, depth: number): boolean {
  const count = pdfium.FPDFFormObj_CountObjects(form)
  let parts = 0
  for (let index = 0; index < count; index++) {
    const object = pdfium.FPDFFormObj_GetObject(form, index)
    const kind = pdfium.FPDFPageObj_GetType(object)
    if (kind === type.image || depth > 4 || index > maxObjects) return true
    if (kind === type.form && holdsDrawing(pdfium, object, depth + 1)) return true
    if (kind === type.path) parts += pdfium.FPDFPath_CountSegments(object)
    if (parts > maxParts) return true
  }
  return false
}
