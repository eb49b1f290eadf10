import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { PageWord } from '@faxdeck/documents'

/** Places are kept in parts of 65,535 of the page's width and height. */
const parts = 65_535
const bytesABox = 8
/** The number of words. */
const head = 4

/** Words and where they stand, compressed: a page of 300 words takes about 3 kB. */
export function packWords(words: readonly PageWord[]): string {
  const text = Buffer.from(words.map((word) => word.text.replace(/[\n\0]/g, ' ')).join('\n'))
  const boxes = Buffer.alloc(head + words.length * bytesABox)
  boxes.writeUInt32LE(words.length)
  words.forEach(({ left, top, width, height }, at) => {
    ;[left, top, width, height].forEach((share, side) => {
      boxes.writeUInt16LE(Math.round(Math.min(1, Math.max(0, share)) * parts), head + at * bytesABox + 2 * side)
    })
  })
  return deflateRawSync(Buffer.concat([boxes, text])).toString('base64')
}

/** What `packWords` made. */
export function unpackWords(packed: string): PageWord[] {
  const bytes = inflateRawSync(Buffer.from(packed, 'base64'))
  const count = bytes.readUInt32LE()
  const texts = bytes.toString('utf8', head + count * bytesABox).split('\n')
  return Array.from({ length: count }, (_, at) => {
    const side = (n: number) => bytes.readUInt16LE(head + at * bytesABox + 2 * n) / parts
    return { text: texts[at] ?? '', left: side(0), top: side(1), width: side(2), height: side(3) }
  })
}
