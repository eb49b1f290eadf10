import { deflateSync } from 'node:zlib'
import { PdfUpdate } from '../pdf-file/update.ts'
import { writeEntries } from '../pdf-file/values.ts'
import { WrittenPdf } from '../pdf-file/written-pdf.ts'
import type { WrittenPage } from '../pdf-file/objects.ts'
import { dotsAcross, faxWidth } from '../raster/paper.ts'
import { addArchiveClaim, addFont, deflated, LayerCodes } from './layer-font.ts'
import type { PageWord } from '../raster/page-text.ts'
import { layerOf, type PlacedWords } from './placed-words.ts'
import type { Matrix } from '../pdf/matrix.ts'

/** The scan line in points; it lies in the middle of the paper. */
const faxPoints = (faxWidth * 72) / dotsAcross
/** How the font of the layer is named on its pages. */
const fontName = 'FaxText'

const ownEnd = /trailer\n<<\/Size \d+\/Root 1 0 R>>\nstartxref\n\d+\n%%EOF\n$/

/** Undefined for what another program wrote. */
function readOwn(pdf: Buffer): WrittenPdf | undefined {
  const isOwn = ownEnd.test(pdf.toString('latin1', Math.max(0, pdf.length - 200)))
  return isOwn && pdf.toString('latin1', 0, 20).startsWith('%PDF-1.4\n%') ? WrittenPdf.read(pdf) : undefined
}

/**
 * A PDF that was made here of pictures, with the words of its pages as text that cannot be seen but searched and copied.
 * It says that it is PDF/A-2u where all its colors are grays. Undefined when the file was not made here, or does not have
 * these pages. Pictures stay bit for bit as they are.
 */
export function addTextLayer(file: Uint8Array, pages: readonly (readonly PageWord[])[]): Buffer | undefined {
  const pdf = Buffer.from(file.buffer, file.byteOffset, file.length)
  const own = readOwn(pdf)
  const found = own?.pages()
  if (!own || found?.length !== pages.length) return undefined
  const isGray = !pdf.includes('/DeviceRGB') && !pdf.includes('/DeviceCMYK')
  const placed = found.map((page, index) => [{ words: pages[index] ?? [], toPage: toOwnPage(page) }])
  return writeLayers(pdf, own, placed, isGray)
}

/**
 * The same for any PDF of this kind, its words placed on each of its pages. What its metadata say of it goes: whatever
 * standard they name, they were written before this.
 */
export function writeLayers(
  pdf: Buffer,
  written: WrittenPdf,
  placed: readonly (readonly PlacedWords[])[],
  isArchive: boolean,
): Buffer | undefined {
  const pages = written.pages()
  const root = written.entriesOf(written.root)
  if (pages?.length !== placed.length || !root) return undefined
  const update = new PdfUpdate(pdf, written.size)
  const codes = new LayerCodes()
  const font = update.reserve()
  for (const [index, page] of pages.entries()) {
    const words = placed[index] ?? []
    if (words.every((part) => part.words.length === 0)) continue
    const fonts = written.dictionary(page.resources.get('Font') ?? '<<>>')
    if (!fonts) return undefined
    const layer = update.add(deflated, deflateSync(layerOf(words, codes, fontName)))
    const entries = new Map(page.entries)
    fonts.set(fontName, `${font} 0 R`)
    const resources = new Map(page.resources).set('Font', `<<${writeEntries(fonts)}>>`)
    entries.set('Resources', `<<${writeEntries(resources)}>>`)
    // In front of everything else, where nothing has changed what coordinates mean.
    entries.set('Contents', `[${[`${layer} 0 R`, ...page.contents].join(' ')}]`)
    update.add(writeEntries(entries), undefined, page.number)
  }
  addFont(update, codes, font)
  root.delete('Metadata')
  const claim = isArchive ? addArchiveClaim(update) : ''
  update.add(writeEntries(root) + claim, undefined, written.root)
  return update.finish(written.root, written.start)
}

/** Own pages show the fax page as wide as it is, in their middle, from top to bottom. */
function toOwnPage({ entries }: WrittenPage): Matrix {
  const [, , width = 0, height = 0] = (entries.get('MediaBox') ?? '').replace(/[[\]]/g, '').split(' ').map(Number)
  return [faxPoints, 0, 0, -height, (width - faxPoints) / 2, height]
}
