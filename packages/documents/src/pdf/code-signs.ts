import { type Bounds, boundsOf, kindOf, kinds, objectsIn, objectsOn } from './page-objects.ts'
import type { Pdfium } from './pdfium.ts'

/** Kinds of annotations of fpdf_annot.h that draw nothing. */
const undrawn: ReadonlySet<number> = new Set([2, 16])
/** A page of more objects is drawn and looked at instead. */
const maxObjects = 20_000
/** Points: pictures of less each way hold no code; bars and modules are thinner, shorter, and stand closer. */
const [leastPicture, thickest, longest, smallest, apart] = [10, 12, 150, 40, 12]
/** So many parts of one path, or bars in a row, may be a code. */
const [maxParts, maxBars] = [40, 16]
const barFonts = /bar|code|qr|matrix|of9|of5|c39|417|128|ean|upc|itf|imb|postnet/i

/**
 * Whether an open page may show a barcode or a matrix code, told by its objects and without drawing it: it has a picture,
 * something drawn of many parts or of bars in a row, a font that is named as those of barcodes are, or annotations.
 * Bars of other fonts show in the boxes of their letters. Call it inside `guardPdfium`.
 */
export function mayHoldCode(pdfium: Pdfium, page: number): boolean {
  const annotations = Array.from({ length: pdfium.FPDFPage_GetAnnotCount(page) }, (_, index) => index)
  if (annotations.some((index) => isDrawn(pdfium, page, index))) return true
  if (pdfium.FPDFPage_CountObjects(page) > maxObjects) return true
  const fonts = new Set<number>()
  let before: Bounds | undefined
  let bars = 0
  for (const object of objectsOn(pdfium, page)) {
    const kind = kindOf(pdfium, object)
    if (kind === kinds.text) {
      const font = pdfium.FPDFTextObj_GetFont(object)
      if (!fonts.has(font) && barFonts.test(nameOf(pdfium, font))) return true
      fonts.add(font)
    } else if (kind === kinds.path || kind === kinds.image) {
      if (kind === kinds.path && pdfium.FPDFPath_CountSegments(object) > maxParts) return true
      const bounds = boundsOf(pdfium, object)
      if (!bounds) continue
      if (kind === kinds.image && Math.min(bounds.width, bounds.height) >= leastPicture) return true
      if (kind === kinds.path && before && followsBar(bounds, before) && ++bars > maxBars) return true
      before = bounds
    } else if (kind === kinds.form && holdsDrawing(pdfium, object, 0)) return true
  }
  return false
}

function isDrawn(pdfium: Pdfium, page: number, index: number): boolean {
  const annotation = pdfium.FPDFPage_GetAnnot(page, index)
  const kind = pdfium.FPDFAnnot_GetSubtype(annotation)
  pdfium.FPDFPage_CloseAnnot(annotation)
  return !undrawn.has(kind)
}

/** "barcode" for fonts without a name, as those of pictures are. */
function nameOf(pdfium: Pdfium, font: number): string {
  const length = pdfium.FPDFFont_GetBaseFontName(font, pdfium.room, 64)
  return length <= 1 || length > 64 ? 'barcode' : pdfium.pdfium.UTF8ToString(pdfium.room)
}

/** Whether something thin stands close beside the one before it, as bars do; rules that go on in one line do not. */
function followsBar(bounds: Bounds, before: Bounds): boolean {
  const { width, height } = bounds
  const long = Math.max(width, height)
  if (Math.min(width, height) > thickest || long > longest) return false
  const across = Math.max(bounds.left, before.left) - Math.min(bounds.right, before.right)
  const up = Math.max(bounds.bottom, before.bottom) - Math.min(bounds.top, before.top)
  const along = width > height ? across : up
  return Math.max(across, up) <= apart && (long <= smallest || along < -long / 2)
}

/** Whether a group holds a picture, or as many drawn parts as a code has. */
function holdsDrawing(pdfium: Pdfium, form: number, depth: number): boolean {
  let [parts, looked] = [0, 0]
  return objectsIn(pdfium, form).some((object) => {
    const kind = kindOf(pdfium, object)
    if (kind === kinds.image || depth > 4 || looked++ > maxObjects) return true
    if (kind === kinds.path) parts += pdfium.FPDFPath_CountSegments(object)
    return parts > maxParts || (kind === kinds.form && holdsDrawing(pdfium, object, depth + 1))
  })
}
