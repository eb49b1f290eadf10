import { fileOf } from '../fonts/font-subset.ts'
import { type Font, type FontName, openFont } from '../fonts/font.ts'
import { allocate, type FontRequests, type Pdfium } from './pdfium.ts'
import { systemFontOf } from '../fonts/system-fonts.ts'
import type { Region } from '../fonts/region.ts'

/** Windows' numbers of character sets, as MapFont of fpdf_sysfontinfo.h is given them. */
const charsets: Partial<Record<number, Region>> = { 128: 'JP', 129: 'KR', 130: 'KR', 134: 'SC', 136: 'TC' }

/** Fonts that PDFs name and that do not say by their encoding whose characters they have. */
const families: readonly (readonly [RegExp, Region])[] = [
  [/simsun|simhei|simkai|song|kaiti|fangsong|yahei|dengxian/i, 'SC'],
  [/mingliu|jhenghei|msung|mhei|dfkai/i, 'TC'],
  [/gothic|mincho|heisei|kozmin|kozgo|meiryo|hiragino/i, 'JP'],
  [/batang|gulim|dotum|malgun|gungsuh|hysmyeong|hygothic|nanum/i, 'KR'],
]
/** Families in whose names those of others occur. */
const latin = /century ?gothic|letter ?gothic|franklin ?gothic|news ?gothic|trade ?gothic|copperplate/i

/** Fonts of signs, which PDFium has itself. */
const ownLetters = /symbol|dingbats/i
/** Of pitch and family in Windows' LOGFONT. */
const fixedPitch = 1

/**
 * Gives PDFium a font for text whose own is not embedded. Its built-in fonts, as wide as Helvetica, Times and Courier,
 * come first; Chinese, Japanese and Korean are set in a font of the system, and what the built-in ones lack (Greek,
 * Cyrillic, Polish …) in a bundled one.
 */
export function serveFonts(pdfium: Omit<Pdfium, 'fonts' | 'room'>): FontRequests {
  const runtime = pdfium.pdfium
  const requests: FontRequests = { isDrawing: false, isWide: false, wereMade: false }
  const shop = new FontShop()
  const mapFont = (_self: number, _weight = 0, _italic = 0, charset = 0, pitch = 0, name = 0): number => {
    requests.wereMade = true
    const face = runtime.UTF8ToString(name)
    const region = charsets[charset] ?? regionOfFace(face)
    if (region) return shop.handleOf(region, charset)
    // PDFium asks for the font of single letters under the name of Helvetica.
    const isFallback = requests.isDrawing && face === 'Helvetica'
    const isWide = requests.isWide && !ownLetters.test(face)
    if (!isFallback && !isWide) return 0
    return shop.handleOf((pitch & fixedPitch) !== 0 ? 'DejaVuSansMono' : 'DejaVuSans', charset)
  }
  const copy = (bytes: Uint8Array, target: number, room: number): number => {
    if (target !== 0 && room >= bytes.length) runtime.HEAPU8.set(bytes, target)
    return bytes.length
  }
  // Table 0 is the whole file. Collections are taken apart here.
  const dataOf = (_self: number, handle = 0, table = 0, target = 0, room = 0): number =>
    table === 0 ? copy(shop.fileOf(handle), target, room) : 0
  // PDFium keeps faces by their names.
  const nameOf = (_self: number, handle = 0, target = 0, room = 0): number =>
    copy(Buffer.from(`Faxdeck${handle}\0`), target, room)
  // Each is a function of its own, because emscripten gives the same pointer for the same one.
  const nothing = (types: string) => runtime.addFunction(() => undefined, types)
  // FPDF_SYSFONTINFO of fpdf_sysfontinfo.h, which PDFium keeps for good.
  const info = [
    ...[1, nothing('vi'), nothing('vii')],
    ...[runtime.addFunction(mapFont, 'iiiiiiii'), runtime.addFunction(() => 0, 'iii')],
    ...[runtime.addFunction(dataOf, 'iiiiii'), runtime.addFunction(nameOf, 'iiiii')],
    runtime.addFunction((_self, handle = 0) => shop.charsetOf(handle), 'iii'),
    nothing('vii'),
  ]
  const struct = allocate(pdfium, 4 * info.length)
  runtime.HEAP32.set(info, struct >> 2)
  pdfium.FPDF_SetSystemFontInfo(struct)
  return requests
}

/** Fonts that were handed out, each by a number; 0 is none. They are read when they are first asked for. */
class FontShop {
  readonly #handed: { font: Font | FontName; file: Uint8Array; charset: number }[] = []

  handleOf(wanted: Region | FontName, charset: number): number {
    const font = isBundled(wanted) ? wanted : systemFontOf(wanted)
    if (!font) return 0
    const same = this.#handed.filter((handed) => handed.font === font)
    const known = same.find((handed) => handed.charset === charset)
    if (known) return this.#handed.indexOf(known) + 1
    const file = same[0]?.file ?? fileOf(isBundled(font) ? openFont(font) : font)
    return this.#handed.push({ font, file, charset })
  }

  fileOf(handle: number): Uint8Array {
    return this.#handed[handle - 1]?.file ?? new Uint8Array()
  }

  charsetOf(handle: number): number {
    return this.#handed[handle - 1]?.charset ?? 0
  }
}

const isBundled = (font: Region | FontName | Font): font is FontName =>
  font === 'DejaVuSans' || font === 'DejaVuSansMono'

function regionOfFace(face: string): Region | undefined {
  return latin.test(face) ? undefined : families.find(([names]) => names.test(face))?.[1]
}
