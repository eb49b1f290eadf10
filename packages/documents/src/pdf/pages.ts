import { type BilevelOptions, toBilevel } from '../contrast/bilevel.ts'
import type { FaxPages } from '../raster/fax-pages.ts'
import { bitmapOnPage } from '../raster/gray-page.ts'
import { checkPages, type Limits } from '../base/limits.ts'
import {
  damagedPage,
  type FaxPage,
  leftOut,
  type LostPlace,
  notesOfSheets,
  type PageNote,
  type PlacedNote,
  repairedFile,
} from '../raster/page-notes.ts'
import {
  faxRows,
  faxWidth,
  pageFit,
  type Paper,
  type Placement,
  placeOwnPage,
  type Resolution,
  type Size,
} from '../raster/paper.ts'
import { damagedPictures } from './pictures/damaged-pictures.ts'
import { hasContent, hasLargePicture, isOnePicture } from './content.ts'
import { wordsOnPage } from './page-words.ts'
import { type GrayPage, PdfDocument } from './document.ts'
import { checkFile } from '../pdf-file/check-file.ts'
import { wholeOf } from './end.ts'
import { guardPdfium, isSound, shedMemory, startPdfium } from './engine.ts'
import type { LargePicture, ShrunkPicture } from './pictures/large-pictures.ts'
import { whiteOnes } from './pictures/frail-pictures.ts'
import { DocumentProblem } from '../base/problem.ts'
import type { Scan } from './pictures/scan.ts'
import { type LongPages, planSheets, type Sheet } from '../raster/sheets.ts'

/** Opens a PDF. Throws `encrypted`, `broken`, `empty`, `too_many_pages` and `too_large`. */
export async function openPdf(
  bytes: Uint8Array,
  paper: Paper,
  limits: Limits,
  longPages: LongPages,
): Promise<FaxPages> {
  return open(bytes, limits, (sizes) => planSheets(sizes, paper, pageFit, longPages))
}

/** A PDF as it is, or repaired where its cross-reference table is wrong. */
export const soundPdf = (bytes: Uint8Array): Uint8Array => {
  const { file, isRepaired } = checkFile(wholeOf(bytes).source)
  return isRepaired ? file : bytes
}

/** Opens a PDF whose pages were made here for `paper` and lie on the grid of the fax page. Throws as `openPdf`. */
export async function openOwnPdf(bytes: Uint8Array, paper: Paper, limits: Limits): Promise<FaxPages> {
  const place = (resolution: Resolution) => ({
    place: placeOwnPage(paper, resolution),
    rows: faxRows(paper, resolution),
  })
  return open(bytes, limits, (sizes) => sizes.map((size, page) => ({ page, size, scale: 1, place })))
}

async function open(bytes: Uint8Array, limits: Limits, plan: (sizes: Size[]) => Sheet[]): Promise<FaxPages> {
  const pdfium = await startPdfium()
  const pdf = guardPdfium(() => new PdfDocument(pdfium, bytes, limits))
  const close = () => {
    guardPdfium(() => pdf.close())
    shedMemory()
  }
  try {
    const said = guardPdfium(() => pdf.readAnnotations()).map(leftOut)
    const sheets = plan(guardPdfium(() => pdf.measure()))
    checkPages(sheets.length, limits)
    const notes = [...said, ...(pdf.isDamaged ? [repairedFile] : []), ...notesOfSheets(sheets, true)]
    return { ...pagesOf(pdf, sheets, notes, limits), close, stale: () => !isSound(pdfium) }
  } catch (problem) {
    close()
    throw problem
  }
}

function pagesOf(pdf: PdfDocument, sheets: readonly Sheet[], notes: PlacedNote[], limits: Limits): FaxPages {
  const findDamaged = damagedPictures(limits)
  return {
    sizes: sheets.map(({ size }) => size),
    notes,
    async check() {
      guardPdfium(() => checkPdf(pdf, limits))
      for (const note of guardPdfium(() => proveSheets(pdf, sheets))) notes.push(note)
    },
    render: (index, resolution, tones) =>
      renderSheet(pdf, sheets[index]!, { resolution, tones }, { limits, findDamaged }),
    notesOn: (index) => notesOn(pdf, sheets[index]!.page, index + 1),
    isScan: (index) => guardPdfium(() => pdf.look(sheets[index]!.page, isOnePicture)) ?? false,
    mayBeSheet: (index) =>
      pdf.parts.look(sheets[index]!.page).mayHavePictures &&
      (guardPdfium(() => pdf.look(sheets[index]!.page, hasLargePicture)) ?? false),
    words(index) {
      const sheet = sheets[index]!
      const { place, rows } = sheet.place('fine')
      return guardPdfium(() => pdf.look(sheet.page, (pdfium, page) => wordsOnPage(pdfium, page, place, rows)))
    },
  }
}

async function renderSheet(
  pdf: PdfDocument,
  sheet: Sheet,
  options: BilevelOptions,
  { limits, findDamaged }: { limits: Limits; findDamaged: ReturnType<typeof damagedPictures> },
): Promise<FaxPage> {
  const { place, rows } = sheet.place(options.resolution)
  const scan = guardPdfium(() => pdf.scan(sheet.page))
  const scanned = scan && (await scanOnPage(scan, place, rows, limits))
  if (scanned) return toBilevel(scanned, faxWidth, rows, options)
  const large = guardPdfium(() => pdf.largePictures(sheet.page, place))
  const shrunk = await shrinkAll(large, limits)
  const make = (gray: GrayPage): FaxPage => {
    const page = toBilevel(gray.pixels, gray.width, gray.height, options)
    return { ...page, lost: [...(page.lost ?? []), ...whiteOnes(pdf.frailPictures.undrawn, gray)] }
  }
  const drawn = guardPdfium(() => pdf.render(sheet.page, place, rows, make, options.resolution, shrunk))
  const damaged = await findDamaged(pdf.frailPictures.coded, drawn)
  return withWhatIsLost(drawn, damaged, () => mayHaveHad(pdf, sheet.page))
}

/** A page with its damaged pictures; one that is blank without them, and should not be, is blank and no more. */
function withWhatIsLost(drawn: FaxPage, damaged: readonly LostPlace[], hasContent: () => boolean): FaxPage {
  const isBlank = damaged.length === 0 && drawn.words.every((word) => word === 0) && hasContent()
  return isBlank ? { ...drawn, lost: [], isBlank } : { ...drawn, lost: [...(drawn.lost ?? []), ...damaged] }
}

/** The pixels of a white fax page with what it shows of a scan; undefined for a JPEG that is not what the PDF says. */
async function scanOnPage(scan: Scan, place: Placement, rows: number, limits: Limits): Promise<Uint8Array | undefined> {
  if ('bitmap' in scan) return bitmapOnPage(scan.bitmap, place, rows)
  const { scannedJpeg } = await import('../images/image-read.ts')
  try {
    return await scannedJpeg(scan, place, rows, limits)
  } catch (problem) {
    // PDFium draws what there is of it.
    if (problem instanceof DocumentProblem) return undefined
    throw problem
  }
}

/** Whether a page that came out white should not be: something is on it, or was on it in a file that is damaged. */
const mayHaveHad = (pdf: PdfDocument, page: number): boolean =>
  pdf.isDamaged || pdf.parts.isDamaged(page) || guardPdfium(() => pdf.look(page, hasContent) === true)

/** What is to be said of a page that was rendered, by its number on the fax. */
function notesOn(pdf: PdfDocument, page: number, number: number): PageNote[] {
  const { kind, text } = damagedPage(number)
  return [...pdf.notesOn(page), ...(pdf.parts.isDamaged(page) ? [{ kind, text }] : [])]
}

/** Names pages of damaged data. Refuses one of a damaged file that comes out white: what it had on it may be lost. */
function proveSheets(pdf: PdfDocument, sheets: readonly Sheet[]): PlacedNote[] {
  return sheets.flatMap((sheet, index) => {
    const { page } = sheet
    const { isDamaged } = pdf.parts.look(page)
    if (!pdf.isDamaged && !isDamaged) return []
    const { place, rows } = sheet.place('standard')
    const hasInk = (gray: GrayPage) => gray.pixels.some((tone) => tone < darkest)
    if (!pdf.render(page, place, rows, hasInk, 'standard')) throw nothingOn(index + 1)
    return isDamaged && sheets[index - 1]?.page !== page ? [damagedPage(index + 1)] : []
  })
}

function nothingOn(page: number): DocumentProblem {
  return new DocumentProblem(
    'broken',
    `The PDF is damaged, and nothing can be seen on page ${page}. Open it on your computer, save or print it as a new PDF and send that.`,
  )
}

/** Tones below this are ink. */
const darkest = 160

/** Pictures as large as they are shown; those that are damaged are left to PDFium, which draws what there is of them. */
async function shrinkAll(pictures: readonly LargePicture[], limits: Limits): Promise<ShrunkPicture[]> {
  if (pictures.length === 0) return []
  const { shrinkPicture } = await import('../images/shrink-picture.ts')
  const shrunk: ShrunkPicture[] = []
  for (const picture of pictures) {
    const gray = await shrinkPicture(picture, limits)
    if (gray) shrunk.push({ index: picture.index, gray })
  }
  return shrunk
}

/** Share of the working time of a call in which pages are tried; the pages behind them are only read. */
const trialShare = 0.25

/** Tries every page that may take long to draw. Throws `broken` for one that cannot be read. */
function checkPdf(pdf: PdfDocument, limits: Limits): void {
  const before = process.threadCpuUsage()
  const isTime = () => {
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1e6 < limits.seconds * trialShare
  }
  for (let index = 0; index < pdf.pages; index++) {
    if (!pdf.parts.look(index).isPlain) pdf.tryPage(index, isTime(), limits)
  }
}
