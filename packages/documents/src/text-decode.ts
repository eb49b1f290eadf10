import { isUtf8 } from 'node:buffer'
import { DocumentProblem } from './problem.ts'

const strayControl = /[^\P{Cc}\t\n\f\r]/u

/**
 * The text of a UTF-8 file without its byte order mark. Throws `unsupported` for other encodings and for control
 * characters other than tab, line feed, form feed and carriage return, and `empty` when there is only white space.
 */
export function decodeText(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) {
    throw new DocumentProblem('unsupported', 'The text is not stored as UTF-8. Save it as UTF-8 and send that file.')
  }
  const text = new TextDecoder().decode(bytes)
  const control = strayControl.exec(text)?.[0]
  if (control !== undefined) {
    throw new DocumentProblem(
      'unsupported',
      `The text contains the control character ${codeName(control)}, which cannot be printed. Remove it, or send the document as PDF.`,
    )
  }
  if (text.trim() === '') {
    throw new DocumentProblem('empty', 'The text has no visible characters. Choose a file with something to send.')
  }
  return text
}

/** `漢 (U+6F22)` for a character. */
export function nameOf(character: string): string {
  return `${character} (${codeName(character)})`
}

/** `U+0007` for the first character of a string. */
export function codeName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
