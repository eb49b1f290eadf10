import { isUtf8 } from 'node:buffer'
import { DocumentProblem } from '../base/problem.ts'
import { isUtf16, isWestern } from '../kinds/text-kind.ts'

const strayControl = /[^\P{Cc}\t\n\f\r]/u
const escape = '\x1b'
/** What ended a file under CP/M, and still ends those of some programs. */
const endOfFile = '\x1a'

/**
 * The text of a file in UTF-8, UTF-16 with its mark, or Windows-1252, without mark and end-of-file characters. Throws
 * `unsupported` for other encodings and for control characters other than tab, line feed, form feed and carriage return,
 * and `empty` when there is only white space.
 */
export function decodeText(bytes: Uint8Array): string {
  const whole = readCharacters(bytes)
  if (whole === undefined) {
    throw unprintable('is stored in an encoding that is not known here. Save it as UTF-8 and send that file.')
  }
  const text = dropEnd(whole)
  const control = strayControl.exec(text)?.[0]
  if (control === escape) {
    throw unprintable('contains commands for a printer or a terminal (ESC). Print the document to PDF and send that.')
  }
  if (control !== undefined) {
    const name = codeName(control)
    throw unprintable(
      `contains the control character ${name}, which cannot be printed. Remove it, or send the document as PDF.`,
    )
  }
  if (text.trim() === '') {
    throw new DocumentProblem('empty', 'The text has no visible characters. Choose another file.')
  }
  return text
}

function dropEnd(text: string): string {
  let end = text.trimEnd().length
  while (end > 0 && text[end - 1] === endOfFile) end--
  return end < text.length && text[end] === endOfFile ? text.slice(0, end) : text
}

function readCharacters(bytes: Uint8Array): string | undefined {
  if (isUtf16(bytes)) return decoded(bytes, bytes[0] === 0xff ? 'utf-16le' : 'utf-16be')
  if (isUtf8(bytes)) return decoded(bytes, 'utf-8')
  // Damaged UTF-8 would read as Windows-1252 too, each of its letters as two.
  const utf8 = new TextDecoder().decode(bytes)
  const sound = utf8.match(/[\u0080-\ufffc]/g)?.length ?? 0
  const damaged = utf8.match(/\ufffd/g)?.length ?? 0
  return sound > damaged || !isWestern(bytes) ? undefined : decoded(bytes, 'windows-1252')
}

function decoded(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function unprintable(why: string): DocumentProblem {
  return new DocumentProblem('unsupported', `The text ${why}`)
}

/** `漢 (U+6F22)` for a character, or for several that are set as one. */
export function nameOf(character: string): string {
  return `${character} (${codeName(character)})`
}

/** `U+0007` for a character, `U+0E17 U+0E35` for several that are set as one. */
export function codeName(characters: string): string {
  const codes = Array.from(characters, (character) => (character.codePointAt(0) ?? 0).toString(16).toUpperCase())
  return codes.map((code) => `U+${code.padStart(4, '0')}`).join(' ')
}
