import { codePoint as dingbat } from 'dingbat-to-unicode'
import { decoderOf } from '../../text/code-pages.ts'

/** A control word with its number, a byte in hexadecimal, a control sign, a brace, or text up to the next of them. */
export const rtfToken = /\\([a-zA-Z]+)(-?\d+)? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|([^\\{}\r\n]+)|[\r\n]+/g

/** Code pages by the numbers that Windows gives its character sets. */
const codePages: Readonly<Record<number, number>> = {
  77: 10000,
  128: 932,
  129: 949,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
}
/** Fonts whose letters are other signs: an m of Symbol is a µ. */
const signFont = /^(symbol|webdings|wingdings( [23])?)$/i
/** Where programs put the codes of such fonts in Unicode: 256 of the private use area. */
const privateSigns = 0xf000

/** Characters of the font table that are looked at. */
const maxTable = 500_000

interface Font {
  /** Undefined where it is that of the document. */
  page: number | undefined
  name: string
}

/** The fonts of a rich text document, which say what its bytes mean (RTF 1.9.1, Font Table). */
export class RtfFonts {
  readonly #fonts = new Map<number, Font>()
  readonly #page: number
  /** The font of text that names none. */
  readonly usual: number

  constructor(rtf: string) {
    this.#page = Number(/\\ansicpg(\d+)/.exec(rtf)?.[1] ?? 1252)
    this.usual = Number(/\\deff(\d+)/.exec(rtf)?.[1] ?? 0)
    const start = rtf.indexOf('{\\fonttbl')
    const table = start < 0 ? '' : (rtf.slice(start, start + maxTable).split(/\}\s*\}/, 1)[0] ?? '')
    for (const [, number, font = ''] of table.matchAll(/\\f(\d+)(?![a-zA-Z\d])([^;]*);/g)) {
      const set = Number(/\\fcharset(\d+)/.exec(font)?.[1])
      const name = font.replace(/\{[^{}]*\}|\\[a-z]+-?\d* ?|[{}\r\n]/g, '').trim()
      this.#fonts.set(Number(number), { page: codePages[set], name })
    }
  }

  /** What bytes mean in a font. */
  decode(bytes: readonly number[], font: number): string {
    const { page = this.#page, name = '' } = this.#fonts.get(font) ?? {}
    const text = decoderOf(page).decode(Uint8Array.from(bytes))
    return signFont.test(name) ? bytes.map((byte, at) => signOf(name, byte) ?? text[at] ?? '').join('') : text
  }

  /** What a character of Unicode means in a font. */
  read(code: number, font: number): string {
    const name = this.#fonts.get(font)?.name ?? ''
    const isSign = code >= privateSigns && code < privateSigns + 256 && signFont.test(name)
    return (isSign ? signOf(name, code - privateSigns) : undefined) ?? String.fromCharCode(code)
  }
}

/** The character that a font of signs shows; undefined when it is not known. */
export function signOf(font: string, code: number): string | undefined {
  return signFont.test(font) ? dingbat(font, code)?.string : undefined
}
