import { toBilevel } from '../raster/bilevel.ts'
import type { FaxPages } from '../raster/fax-pages.ts'
import { bitmapOnPage } from '../raster/gray-page.ts'
import { checkPages } from '../base/limits.ts'
import type { Limits } from '../base/limits.ts'
import { leftOut, notesOfSheets } from '../raster/page-notes.ts'
import type { FaxPage, LostPlace } from '../raster/page-notes.ts'
import { faxRows, faxWidth, pageFit, placeOwnPage } from '../raster/paper.ts'
import type { Paper, Placement, Resolution, Size } from '../raster/paper.ts'
import { damagedPictures } from './pictures/damaged-pictures.ts'
import { PdfDocument } from './document.ts'
import type { GrayPage } from './document.ts'
import { guardPdfium, isSound, shedMemory, startPdfium } from './engine.ts'
import { whiteOnes } from './pictures/frail-pictures.ts'
import { DocumentProblem } from '../base/problem.ts'
import type { Scan } from './pictures/scan.ts'
import { planSheets } from '../raster/sheets.ts'
import type { LongPages, Sheet } from '../raster/sheets.ts'

/** Opens a PDF. Throws `encrypted`, `broken`, `empty`, `too_many_pages` and `too_large`. */
export async function openPdf(
  bytes: Uint8Array,
  paper: Paper,
  limits: Limits,
  longPages: LongPages,
): Promise<FaxPages> {
  return open(bytes, limits, (sizes) => planSheets(sizes, paper, pageFit, longPages))
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
  let sheets: Sheet[]
  let said: string[]
  try {
    said = guardPdfium(() => pdf.readAnnotations())
    sheets = plan(guardPdfium(() => pdf.measure()))
    checkPages(sheets.length, limits)
  } catch (problem) {
    close()
    throw problem
  }
  const findDamaged = damagedPictures(limits)
  return {
    sizes: sheets.map(({ size }) => size),
    notes: [...said.map(leftOut), ...notesOfSheets(sheets, true)],
    async check() {
      guardPdfium(() => checkPdf(pdf, limits))
    },
    async render(index, resolution, tones) {
      const sheet = sheets[index]!
      const { place, rows } = sheet.place(resolution)
      const scan = guardPdfium(() => pdf.scan(sheet.page))
      const scanned = scan && (await scanOnPage(scan, place, rows, limits))
      if (scanned) return toBilevel(scanned, faxWidth, rows, { resolution, tones })
      const make = (gray: GrayPage): FaxPage => {
        const page = toBilevel(gray.pixels, gray.width, gray.height, { resolution, tones })
        return { ...page, lost: [...(page.lost ?? []), ...whiteOnes(pdf.frailPictures.undrawn, gray)] }
      }
      const drawn = guardPdfium(() => pdf.render(sheet.page, place, rows, make, resolution))
      const damaged = await findDamaged(pdf.frailPictures.coded, drawn)
      return withWhatIsLost(drawn, damaged, () => guardPdfium(() => pdf.hasContent(sheet.page)))
    },
    notesOn: (index) => pdf.notesOn(sheets[index]!.page),
    isScan: (index) => guardPdfium(() => pdf.isScan(sheets[index]!.page)),
    mayBeSheet: (index) => guardPdfium(() => pdf.hasLargePicture(sheets[index]!.page)),
    words(index) {
      const sheet = sheets[index]!
      const { place, rows } = sheet.place('fine')
      return guardPdfium(() => pdf.words(sheet.page, place, rows))
    },
    close,
    stale: () => !isSound(pdfium),
  }
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

/** Share of the working time of a call in which pages are tried; the pages behind them are only read. */
const trialShare = 0.25

/** Reads every page. Throws `broken` for one that cannot be read; what would take too long to draw does so here. */
function checkPdf(pdf: PdfDocument, limits: Limits): void {
  const before = process.threadCpuUsage()
  const isTime = () => {
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1e6 < limits.seconds * trialShare
  }
  for (let index = 0; index < pdf.pages; index++) pdf.check(index, isTime(), limits)
}
