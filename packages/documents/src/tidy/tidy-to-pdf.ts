import type { Bitmap } from '../raster/bitmap.ts'
import { withPdfs } from '../pdf/join-pdf.ts'
import type { Limits } from '../base/limits.ts'
import type { PlacedNote } from '../raster/page-notes.ts'
import { dotsAcross, dotsDown, type Paper } from '../raster/paper.ts'
import { encodeT6 } from '../t4-t6/t6-encode.ts'
import { decodeTiffPage } from '../tiff/decode.ts'
import { ccittImage, imagesToPdf } from '../tiff/pdf.ts'
import { isCcitt, readTiff } from '../tiff/read.ts'
import { dotsOf } from '../tiff/size.ts'
import { isBlankPage, notesOfBlanks, notesOfTidying, type Tidying, tidyPage, type TidyPage } from './tidy-page.ts'

/** A received document, tidied. */
export interface Tidied {
  pdf: Uint8Array
  /** Of the PDF. */
  pages: number
  notes: PlacedNote[]
}

interface Sheet {
  bitmap: Bitmap
  rowsAnInch: number
}

/** The pages as they came: those of a fax in their own pixels. */
async function* sheetsOf(bytes: Uint8Array, kind: 'pdf' | 'tiff', paper: Paper, limits: Limits): AsyncGenerator<Sheet> {
  if (kind === 'tiff') {
    const pages = readTiff(bytes, limits)
    if (pages.every(isCcitt)) {
      for (const page of pages) yield { bitmap: decodeTiffPage(bytes, page).bitmap, rowsAnInch: dotsOf(page).down }
      return
    }
  }
  const pages =
    kind === 'pdf'
      ? await (await import('../pdf/pages.ts')).openPdf(bytes, paper, limits, 'whole')
      : await (await import('../tiff/pages.ts')).openTiff(bytes, paper, limits, 'whole')
  try {
    for (const index of pages.sizes.keys()) {
      yield { bitmap: await pages.render(index, 'fine', 'auto'), rowsAnInch: dotsDown.fine }
    }
  } finally {
    pages.close?.()
  }
}

/** What becomes of one page: nothing, or a turn, or other pixels, or it goes. */
type Change = TidyPage & { isBlank: boolean; isRedrawn: boolean; rowsAnInch: number }

function changeOf({ bitmap, rowsAnInch }: Sheet, tidying: Tidying): Change {
  const isBlank = tidying.dropBlank === true && isBlankPage(bitmap)
  const tidy = isBlank
    ? { bitmap, turns: 0 as const, degrees: 0, hasLostSpecks: false }
    : tidyPage(bitmap, rowsAnInch, tidying)
  return { ...tidy, isBlank, isRedrawn: tidy.degrees !== 0 || tidy.hasLostSpecks, rowsAnInch }
}

/**
 * A received TIFF or PDF as a PDF with its pages tidied; undefined when there was nothing to do. What is not changed
 * stays as it came, and a turn is only noted in the page. A document of nothing but blank pages keeps them. Throws
 * what opening it throws.
 */
export async function tidyToPdf(
  bytes: Uint8Array,
  kind: 'pdf' | 'tiff',
  tidying: Tidying,
  { paper, limits }: { paper: Paper; limits: Limits },
): Promise<Tidied | undefined> {
  const changes: Change[] = []
  for await (const sheet of sheetsOf(bytes, kind, paper, limits)) changes.push(changeOf(sheet, tidying))
  if (changes.every(({ isBlank }) => isBlank)) return undefined
  if (!changes.some(({ isBlank, isRedrawn, turns }) => isBlank || isRedrawn || turns !== 0)) return undefined
  const redrawn = changes.filter(({ isRedrawn }) => isRedrawn)
  const whole =
    kind === 'pdf'
      ? (await import('../pdf/pages.ts')).soundPdf(bytes)
      : await (await import('../tiff/convert.ts')).tiffToPdf(bytes, limits)
  const pdf = await withPdfs(limits, (open) =>
    open(whole, (document) => {
      const rework = (made?: typeof document) => {
        const { editor } = document
        let next = redrawn.length
        // From the last to the first, so that the numbers of those before stay true.
        for (const [index, { isBlank, isRedrawn, turns }] of [...changes.entries()].toReversed()) {
          if (isRedrawn && made) editor.replacePage(index, made.editor, (next -= 1))
          if (turns !== 0) editor.turnPage(index, turns)
          if (isBlank) editor.dropPage(index)
        }
        return editor.saved()
      }
      return redrawn.length === 0 ? rework() : open(drawAnew(redrawn), rework)
    }),
  )
  const kept = changes.filter(({ isBlank }) => !isBlank)
  const blanks = [...changes.entries()].filter(([, { isBlank }]) => isBlank).map(([index]) => index + 1)
  const notes = [...notesOfBlanks(blanks), ...kept.flatMap((change, index) => notesOfTidying(index + 1, change))]
  return { pdf, pages: kept.length, notes }
}

function drawAnew(changes: readonly Change[]): Uint8Array {
  return imagesToPdf(
    changes.map(({ bitmap, rowsAnInch }) => ({
      size: { width: (bitmap.width * 72) / dotsAcross, height: (bitmap.height * 72) / rowsAnInch },
      image: ccittImage({ width: bitmap.width, height: bitmap.height, photometric: 0 }, encodeT6(bitmap), '/K -1'),
    })),
  )
}
