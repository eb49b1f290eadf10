import { faxWidth, type Placement } from '../raster/paper.ts'
import { boundsOf, kindOf, kinds, objectsIn, objectsOn, toFaxPage } from './page-objects.ts'
import type { Pdfium } from './pdfium.ts'
import { mayHoldCode } from './code-signs.ts'
import type { OwnWords, PageWord } from '../raster/page-text.ts'

/** A page may hold more characters than anybody reads. */
const maxCharacters = 100_000
const maxObjects = 2000
/** From this share of the page on, pictures may hold writing. */
const leastPictures = 0.2
/** So many words upon the pictures are the text layer of a scan: it was read before. */
const layerWords = 10
/** Above this share of characters without a meaning, the text says nothing and the picture is read. */
const maxUnknown = 0.1
/** How PDFium marks a hyphen at the end of a line. */
const softHyphen = 2

interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

/**
 * The words of an open page of a PDF, where they lie on the fax page of `rows` rows that it is placed on. What lies
 * beyond the paper is left out. Call it inside `guardPdfium`.
 */
export function wordsOnPage(pdfium: Pdfium, page: number, place: Placement, rows: number): OwnWords {
  const text = pdfium.FPDFText_LoadPage(page)
  try {
    const [a, b, c, d, e, f] = toFaxPage(pdfium, page, place)
    const toFax: ToFax = (x, y) => ({ x: a * x + c * y + e, y: b * x + d * y + f })
    const pictures = picturesOn(pdfium, page, toFax)
    const { words, hasBars } = gatherWords(pdfium, text, toFax)
    const seen = words.flatMap(({ text: word, box }) => onPaper(word, box, rows) ?? [])
    const share = pictures.reduce((sum, box) => sum + areaOf(box), 0) / (faxWidth * rows)
    const upon = seen.filter((word) => pictures.some((box) => isUpon(word, box, rows)))
    const hasPictures = share >= leastPictures && upon.length < layerWords
    return { words: seen, hasPictures, mayHoldCode: hasBars || mayHoldCode(pdfium, page) }
  } finally {
    if (text !== 0) pdfium.FPDFText_ClosePage(text)
  }
}

type ToFax = (x: number, y: number) => { x: number; y: number }

const around = (a: { x: number; y: number }, b: { x: number; y: number }): Box => ({
  left: Math.min(a.x, b.x),
  top: Math.min(a.y, b.y),
  right: Math.max(a.x, b.x),
  bottom: Math.max(a.y, b.y),
})

const areaOf = ({ left, top, right, bottom }: Box) => Math.max(0, right - left) * Math.max(0, bottom - top)

const isUpon = (word: PageWord, box: Box, rows: number) => {
  const x = (word.left + word.width / 2) * faxWidth
  const y = (word.top + word.height / 2) * rows
  return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom
}

/** A word while its letters are gathered; `isEven` as long as all are of one height, as bars are. */
interface Gathered {
  text: string
  box: Box
  isEven: boolean
}

/** So many letters, some of them different, and all of one height in pixels are a code in a font of bars. */
const bars = { letters: 5, different: 3, height: 24, slack: 0.6 }

const isBarred = ({ text, box, isEven }: Gathered) =>
  isEven && text.length >= bars.letters && new Set(text).size >= bars.different && box.bottom - box.top >= bars.height

/** Characters between white space, each with the box around them; none when the text has no meaning, which may be bars. */
function gatherWords(pdfium: Pdfium, text: number, toFax: ToFax): { words: readonly Gathered[]; hasBars: boolean } {
  const { room } = pdfium
  const words: Gathered[] = []
  const count = text === 0 ? 0 : Math.min(pdfium.FPDFText_CountChars(text), maxCharacters)
  let isOpen = false
  let unknown = 0
  for (let index = 0; index < count; index++) {
    const code = pdfium.FPDFText_GetUnicode(text, index)
    const character = characterOf(code)
    if (code === 0 || pdfium.FPDFText_HasUnicodeMapError(text, index) === 1) unknown++
    if (character === undefined || !pdfium.FPDFText_GetCharBox(text, index, room, room + 8, room + 16, room + 24)) {
      isOpen = false
      continue
    }
    const [left, right, bottom, top] = new Float64Array(pdfium.pdfium.HEAPU8.buffer, room, 4)
    const box = around(toFax(left!, bottom!), toFax(right!, top!))
    const last = words.at(-1)
    if (isOpen && last) {
      last.text += character
      last.isEven &&=
        Math.abs(last.box.top - box.top) < bars.slack && Math.abs(last.box.bottom - box.bottom) < bars.slack
      last.box = around(
        { x: Math.min(last.box.left, box.left), y: Math.min(last.box.top, box.top) },
        { x: Math.max(last.box.right, box.right), y: Math.max(last.box.bottom, box.bottom) },
      )
    } else words.push({ text: character, box, isEven: true })
    isOpen = true
  }
  const isUnknown = unknown > maxUnknown * count
  return { words: isUnknown ? [] : words, hasBars: isUnknown || words.some(isBarred) }
}

const space = /^[\s\p{Cc}\p{Cs}]$/u

/** Undefined for white space and for what is no character. */
function characterOf(code: number): string | undefined {
  if (code === softHyphen) return '-'
  if (code === 0 || code > 0x10ffff) return undefined
  const character = String.fromCodePoint(code)
  return space.test(character) ? undefined : character
}

function onPaper(text: string, { left, top, right, bottom }: Box, rows: number): PageWord | undefined {
  const x = (left + right) / 2
  const y = (top + bottom) / 2
  if (x < 0 || x >= faxWidth || y < 0 || y >= rows) return undefined
  const from = { x: Math.max(0, left), y: Math.max(0, top) }
  return {
    text: text.normalize('NFKC'),
    left: from.x / faxWidth,
    top: from.y / rows,
    width: (Math.min(faxWidth, right) - from.x) / faxWidth,
    height: (Math.min(rows, bottom) - from.y) / rows,
  }
}

/** Where pictures lie on the fax page; groups count as pictures when they hold one. */
function picturesOn(pdfium: Pdfium, page: number, toFax: ToFax): Box[] {
  let looked = 0
  const hasPicture = (object: number, depth: number): boolean => {
    if (++looked > maxObjects || depth > 4) return false
    const kind = kindOf(pdfium, object)
    if (kind !== kinds.form) return kind === kinds.image
    return objectsIn(pdfium, object, maxObjects).some((inner) => hasPicture(inner, depth + 1))
  }
  return objectsOn(pdfium, page, maxObjects).flatMap((object) => {
    const bounds = hasPicture(object, 0) ? boundsOf(pdfium, object) : undefined
    return bounds ? [around(toFax(bounds.left, bounds.bottom), toFax(bounds.right, bounds.top))] : []
  })
}
