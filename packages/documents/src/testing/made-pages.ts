import { PdfDocument } from '../pdf/document.ts'
import { startPdfium } from '../pdf/engine.ts'
import { defaultLimits } from '../base/limits.ts'
import { type Drawn, drawSvg, handwriting, imageOf, landscape, scan, signature } from './drawn-pictures.ts'
import { letterPdf, pdfOf, streamOf, textAt } from './pdf-samples.ts'

const words =
  'Please find the results of the examination of 14 March below; the values in brackets are those of last year (0.38 mg/l). '

const block = (x: number, top: number, size: number, lines: number, chars: number, text = words) =>
  Array.from({ length: lines }, (_, line) => {
    const from = (line * 37) % text.length
    const content = `${text}${text}${text}`.slice(from, from + chars).replace(/[()]/g, '\\$&')
    return textAt(x, top - line * size * 1.25, size, content)
  }).join('\n')

const heading = (text: string) => textAt(72, 730, 14, text)

const smallType = () =>
  [
    heading('Package leaflet'),
    ...[6, 7, 8].map((size, part) => block(72, 700 - 200 * part, size, 18, Math.floor(900 / size))),
  ].join('\n')

const lightType = () =>
  [0.45, 0.55, 0.65, 0.75]
    .map((tone, part) => `${tone} g\n${block(72, 720 - 170 * part, 9, 13, 100)}`)
    .concat(`0 g ${textAt(72, 745, 12, 'Statement of account')}`)
    .join('\n')

function table(): string {
  const rows = Array.from({ length: 34 }, (_, row) => {
    const y = 690 - row * 18
    const shade = row % 2 === 1 ? `0.92 g 60 ${y - 5} 492 18 re f 0 g` : ''
    const cells = [0, 1, 2, 3, 4].map((column) =>
      textAt(66 + column * 98, y, 8, `${(row + 1) * (column + 7) * 13}.${row}`),
    )
    return [shade, ...cells, `0.4 w 60 ${y - 5} m 552 ${y - 5} l S`].join('\n')
  })
  const columns = [60, 158, 256, 354, 452, 552].map((x) => `0.4 w ${x} 703 m ${x} 91 l S`)
  const head = `0.3 g 60 703 492 20 re f 1 g ${textAt(66, 709, 9, 'Item       Quantity       Price       Discount       Total')} 0 g`
  return [heading('Delivery note 4711'), head, ...rows, ...columns].join('\n')
}

function form(): string {
  const fields = Array.from({ length: 12 }, (_, row) => {
    const y = 640 - row * 34
    return [
      `0.5 g ${textAt(72, y + 14, 6, `FIELD ${row + 1} (REQUIRED)`)} 0 g`,
      `0.7 w 70 ${y - 8} 220 20 re S 310 ${y - 8} 230 20 re S`,
      textAt(76, y - 2, 10, `Value ${row * 7919}`),
      textAt(316, y - 2, 10, 'Miller, Katharina'),
    ].join('\n')
  })
  const box = [
    '0.7 g 60 90 492 110 re f 0 g',
    block(70, 184, 8, 6, 100),
    '0.45 g 60 205 492 18 re f 1 g',
    textAt(66, 210, 10, 'FOR OFFICE USE ONLY'),
    '0 g',
  ]
  return [heading('Application for reimbursement'), ...fields, ...box].join('\n')
}

export async function jpegStream(drawn: Drawn, quality = 85): Promise<string> {
  const jpeg = await imageOf(drawn).jpeg({ quality }).toBuffer()
  const { width, height } = drawn
  const entries = `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/DCTDecode`
  return streamOf(jpeg.toString('latin1'), entries)
}

async function photograph(): Promise<Buffer> {
  const picture = await jpegStream(landscape())
  const text = [heading('Site visit, north slope'), block(72, 340, 10, 16, 88)].join('\n')
  return pdfOf([{ content: `${text}\nq 468 0 0 312 72 390 cm /X Do Q` }], [picture])
}

async function signedLetter(): Promise<Buffer> {
  const signed = await drawSvg(600, 200, signature(30, 60))
  const picture = await jpegStream(await scan(signed), 80)
  const text = [heading('Agreement'), block(72, 690, 11, 26, 80)].join('\n')
  return pdfOf([{ content: `${text}\nq 220 0 0 73 72 180 cm /X Do Q` }], [picture])
}

const wholePage = async (drawn: Drawn) =>
  pdfOf([{ content: 'q 612 0 0 792 0 0 cm /X Do Q' }], [await jpegStream(await scan(drawn), 80)])

async function handwrittenScan(): Promise<Buffer> {
  return wholePage(await drawSvg(1700, 2200, handwriting(1700, 20) + signature(900, 2000)))
}

/** A page of a PDF as a scanner sees it, 1728 pixels across. */
async function scannedPage(pdf: Buffer): Promise<Buffer> {
  const document = new PdfDocument(await startPdfium(), pdf, defaultLimits)
  const [width, height] = [1728, 2236]
  const place = { left: 0, top: 0, width, height, turned: false }
  const pixels = document.render(0, place, height, (gray) => Buffer.from(gray.pixels))
  document.close()
  return wholePage({ pixels, width, height })
}

/** Pages of every kind that is faxed, made by code: what the coding and the black and white of pages is judged by. */
export const madePages = {
  'plain letter': async () => letterPdf(),
  'small type, 6 to 8 point': async () => pdfOf([{ content: smallType() }]),
  'light gray type': async () => pdfOf([{ content: lightType() }]),
  table: async () => pdfOf([{ content: table() }]),
  'form with a shaded box': async () => pdfOf([{ content: form() }]),
  'photograph with text': photograph,
  'letter with a signature': signedLetter,
  'scan of handwriting': handwrittenScan,
  'scan of small type': async () => scannedPage(pdfOf([{ content: smallType() }])),
} satisfies Record<string, () => Promise<Buffer>>
