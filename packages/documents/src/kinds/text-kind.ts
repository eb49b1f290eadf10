import { isUtf8 } from 'node:buffer'

/** Control characters that a text may hold, beside tab, line feed, form feed and carriage return. */
const endOfFile = 0x1a
/** Beyond this share of bytes above 127 a text is not in a western language, or none at all. */
const maxAccents = 0.3

/** Headers that only programs write: a memo may begin with From, To, Subject and Date. */
const mailHeader =
  /^(received|return-path|message-id|mime-version|delivered-to|x-[a-z-]+|dkim-signature|content-type):/im
const headerLines = /^([!-9;-~]+:[^\r\n]*(\r?\n[ \t][^\r\n]*)*\r?\n){2}/
const webPage =
  /^(<\?xml[^>]*>|<!--[\s\S]*?-->|\s)*<(!doctype\s+html|html|head|body|meta|title|style|div|p|table|center|h[1-6])[\s>]/i
const drawing = /^(<\?xml[^>]*>|<!--[\s\S]*?-->|<!doctype\s+svg[^>]*>|\s)*<svg[\s>]/i
/** Flat OpenDocument, and Word documents as one XML file. */
const officeXml = /^<\?xml[^>]*>\s*(<\?mso-application[^>]*>\s*)?<(office:document|pkg:package|w:wordDocument)[\s>]/

/** Whether a file begins as a web page. @param start its first kilobyte */
export function isWebPage(start: Buffer): boolean {
  return webPage.test(textOf(start))
}

/** Whether a file begins as a mail does that a program saved (RFC 5322). @param start its first kilobyte */
export function isMail(start: Buffer): boolean {
  const text = textOf(start)
  if (/^From \S+.*\r?\n/.test(text)) return true
  return headerLines.test(text) && mailHeader.test(text.split(/\r?\n\r?\n/, 1)[0] ?? '')
}

/** Why what looks like a text is not faxed as one, and what to do; undefined when it may be. @param start its first kilobyte */
export function refuseText(start: Buffer): string | undefined {
  const text = textOf(start)
  if (drawing.test(text)) return 'SVG drawings cannot be read. Save the drawing as PDF or PNG and send that.'
  if (officeXml.test(text)) {
    return 'Office documents that are saved as XML cannot be read. Save the document as PDF and send that.'
  }
  if (!text.includes('\x1b')) return undefined
  return 'This file holds commands for a printer (PCL or ESC/P). Print the document to PDF and send that.'
}

function textOf(start: Buffer): string {
  if (isUtf16(start)) return new TextDecoder(start[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(start)
  return start.toString('latin1').replace(/^\xef\xbb\xbf/, '')
}

/** Whether a file begins as text does: UTF-16 with its mark, UTF-8, or Windows-1252 in a western language. */
export function isTextStart(start: Buffer): boolean {
  if (start.length === 0) return false
  if (isUtf16(start)) return true
  for (const byte of start) {
    if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== endOfFile) return false
  }
  // The cut at the end of the head may split a character of up to four bytes.
  for (let cut = 0; cut < 4 && cut < start.length; cut++) {
    if (isUtf8(start.subarray(0, start.length - cut))) return true
  }
  return isWestern(start)
}

/** Whether a file begins with the mark of UTF-16 in either order. */
export function isUtf16(bytes: Uint8Array): boolean {
  return bytes.length > 1 && ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
}

/** Whether bytes read as Windows-1252, of which Latin-1 is a part: mostly ASCII, and no byte that has no character. */
export function isWestern(bytes: Uint8Array): boolean {
  let accents = 0
  for (const byte of bytes) {
    if (byte === 0x81 || byte === 0x8d || byte === 0x8f || byte === 0x90 || byte === 0x9d) return false
    if (byte > 127) accents++
  }
  return accents <= maxAccents * bytes.length
}
