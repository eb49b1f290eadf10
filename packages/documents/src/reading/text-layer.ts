import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { dotsAcross, faxWidth } from '../raster/paper.ts'
import { decimal } from '../pdf/write.ts'
import { archiveMetadata, greyProfile } from './archive.ts'
import { advance, ascent, glyphlessFont, LayerCodes } from './glyphless-font.ts'
import type { PageWord } from './page-text.ts'

/** The scan line in points; it lies in the middle of the paper. */
const faxPoints = (faxWidth * 72) / dotsAcross
const catalog = 1

/** A file as `PdfWriter` writes it, taken apart as far as is needed to go on writing. */
interface OwnPdf {
  size: number
  /** Where its cross-reference table begins. */
  start: number
  pages: { number: number; width: number; height: number; entries: string }[]
}

const pageObject =
  /^(\d+) 0 obj\n<<(\/Type\/Page\/Parent 2 0 R\/MediaBox\[0 0 ([\d.]+) ([\d.]+)\]\/Resources<<(.*)>>\/Contents (\d+) 0 R)>>\nendobj\n/

/** Undefined for what another program wrote: nothing is known of its inside. */
function readOwn(pdf: Buffer): OwnPdf | undefined {
  const end = /trailer\n<<\/Size (\d+)\/Root 1 0 R>>\nstartxref\n(\d+)\n%%EOF\n$/.exec(
    pdf.toString('latin1', Math.max(0, pdf.length - 200)),
  )
  if (!pdf.toString('latin1', 0, 20).startsWith('%PDF-1.4\n%') || !end) return undefined
  const [size, start] = [Number(end[1]), Number(end[2])]
  const offsets = pdf
    .toString('latin1', start)
    .split('\n')
    .filter((line) => /^\d{10} 00000 n $/.test(line))
    .map((line) => Number(line.slice(0, 10)))
  if (offsets.length !== size - 1) return undefined
  const pages = offsets.flatMap((offset) => {
    const found = pageObject.exec(pdf.toString('latin1', offset, offset + 4000))
    if (!found) return []
    const [, number, , width, height, resources, contents] = found
    const entries =
      `/Type/Page/Parent 2 0 R/MediaBox[0 0 ${width} ${height}]` +
      `/Resources<<${resources}/Font<</T FONT 0 R>>>>/Contents[${contents} 0 R LAYER 0 R]`
    return { number: Number(number), width: Number(width), height: Number(height), entries }
  })
  return { size, start, pages }
}

/** Words that cannot be seen, each over the place where it stands in the picture. */
function layerOf(words: readonly PageWord[], width: number, height: number, codes: LayerCodes): Buffer {
  const side = (width - faxPoints) / 2
  const content = words.flatMap((word) => {
    const { hex, length } = codes.encode(`${word.text} `)
    const size = word.height * height
    // The space behind a word is as wide as any letter, and not part of the place.
    const natural = ((length - 1) * advance * size) / 1000
    if (length < 2 || !(size > 0.5) || !(natural > 0)) return []
    const stretch = (100 * word.width * faxPoints) / natural
    const x = side + word.left * faxPoints
    const y = height * (1 - word.top - word.height) + size * (1 - ascent / 1000)
    return `/T ${decimal(size)} Tf ${decimal(stretch)} Tz 1 0 0 1 ${decimal(x)} ${decimal(y)} Tm<${hex}>Tj`
  })
  return Buffer.from(['BT 3 Tr', ...content, 'ET'].join('\n'), 'latin1')
}

/** Objects put behind a file, with a cross-reference table of their own (ISO 32000-1, 7.5.6). */
class Update {
  readonly #parts: Buffer[]
  readonly #offsets = new Map<number, number>()
  #length: number
  #next: number

  constructor(pdf: Buffer, size: number) {
    this.#parts = [pdf]
    this.#length = pdf.length
    this.#next = size
  }

  reserve(): number {
    return this.#next++
  }

  add(entries: string, stream?: Buffer, number = this.reserve()): number {
    this.#offsets.set(number, this.#length)
    if (stream) {
      this.#push(Buffer.from(`${number} 0 obj\n<<${entries}/Length ${stream.length}>>stream\n`, 'latin1'))
      this.#push(stream)
      this.#push(Buffer.from('\nendstream\nendobj\n', 'latin1'))
    } else this.#push(Buffer.from(`${number} 0 obj\n<<${entries}>>\nendobj\n`, 'latin1'))
    return number
  }

  finish(before: number): Buffer {
    const start = this.#length
    const sections = [...this.#offsets]
      .toSorted(([a], [b]) => a - b)
      .map(([number, offset]) => `${number} 1\n${String(offset).padStart(10, '0')} 00000 n \n`)
    const id = createHash('sha256').update(Buffer.concat(this.#parts)).digest('hex').slice(0, 32)
    const trailer = `<</Size ${this.#next}/Root ${catalog} 0 R/Prev ${before}/ID[<${id}><${id}>]>>`
    this.#push(Buffer.from(`xref\n${sections.join('')}trailer\n${trailer}\nstartxref\n${start}\n%%EOF\n`, 'latin1'))
    return Buffer.concat(this.#parts)
  }

  #push(bytes: Buffer): void {
    this.#parts.push(bytes)
    this.#length += bytes.length
  }
}

const deflated = '/Filter/FlateDecode'

function addFont(update: Update, codes: LayerCodes, number: number): void {
  const file = glyphlessFont(codes.size)
  const program = update.add(`${deflated}/Length1 ${file.length}`, deflateSync(file))
  const descriptor = update.add(
    '/Type/FontDescriptor/FontName/AAAAAA+Glyphless/Flags 4/FontBBox[0 -200 500 800]/ItalicAngle 0/Ascent 800' +
      `/Descent -200/CapHeight 800/StemV 80/FontFile2 ${program} 0 R`,
  )
  const descendant = update.add(
    '/Type/Font/Subtype/CIDFontType2/BaseFont/AAAAAA+Glyphless/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)' +
      `/Supplement 0>>/FontDescriptor ${descriptor} 0 R/DW ${advance}/CIDToGIDMap/Identity`,
  )
  const unicode = update.add(deflated, codes.toUnicode())
  const entries = `/BaseFont/AAAAAA+Glyphless/Encoding/Identity-H/DescendantFonts[${descendant} 0 R]`
  update.add(`/Type/Font/Subtype/Type0${entries}/ToUnicode ${unicode} 0 R`, undefined, number)
}

/** The catalog, which says PDF/A-2u where all colors are greys. */
function addCatalog(update: Update, isGrey: boolean): void {
  if (!isGrey) return
  const metadata = update.add('/Type/Metadata/Subtype/XML', archiveMetadata)
  const profile = update.add(`/N 1${deflated}`, deflateSync(greyProfile()))
  const intent = `/Type/OutputIntent/S/GTS_PDFA1/OutputConditionIdentifier(Grey, gamma 2.2)/DestOutputProfile ${profile} 0 R`
  const entries = `/Type/Catalog/Pages 2 0 R/Metadata ${metadata} 0 R/OutputIntents[<<${intent}>>]`
  update.add(entries, undefined, catalog)
}

/**
 * A PDF that was made here of pictures, with the words of its pages as text that cannot be seen but searched and copied.
 * Undefined when the file was not made here, or does not have these pages. Pictures stay bit for bit as they are.
 */
export function addTextLayer(file: Uint8Array, pages: readonly (readonly PageWord[])[]): Buffer | undefined {
  const pdf = Buffer.from(file.buffer, file.byteOffset, file.length)
  const own = readOwn(pdf)
  if (own?.pages.length !== pages.length) return undefined
  const update = new Update(pdf, own.size)
  const codes = new LayerCodes()
  const font = update.reserve()
  own.pages.forEach(({ number, width, height, entries }, index) => {
    const layer = update.add(deflated, deflateSync(layerOf(pages[index] ?? [], width, height, codes)))
    update.add(entries.replace('FONT', String(font)).replace('LAYER', String(layer)), undefined, number)
  })
  addFont(update, codes, font)
  addCatalog(update, !pdf.includes('/DeviceRGB') && !pdf.includes('/DeviceCMYK'))
  return update.finish(own.start)
}
