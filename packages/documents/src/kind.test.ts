import { describe, expect, it } from 'vitest'
import { detectKind, requireKind } from './kind.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')

describe('detecting the kind of a document', () => {
  it.each([
    ['pdf', '%PDF-1.7\n'],
    ['pdf', '\r\n  %PDF-1.4'],
    ['pdf', '\x1b%-12345X@PJL\n%PDF-1.4'],
    ['png', '\x89PNG\r\n\x1a\n'],
    ['jpeg', '\xff\xd8\xff\xe0'],
    ['tiff', 'II*\0\x08\0\0\0'],
    ['tiff', 'MM\0*\0\0\0\x08'],
    ['text', 'Dear doctor,\r\n\tplease see \f the %PDF-1.7 file'],
    ['text', '\xef\xbb\xbfGr\xc3\xbc\xc3\x9fe'],
  ])('finds %s in %j', (kind, head) => expect(detectKind(bytes(head))).toBe(kind))

  it('takes text whose first kilobyte ends inside a character', () => {
    expect(detectKind(Buffer.from(`${'a'.repeat(1023)}ß`).subarray(0, 1024))).toBe('text')
  })

  it.each([
    ['UTF-16', '\xff\xfeH\0i\0'],
    ['office', 'PK\x03\x04\x14\0'],
    ['HEIC', '\0\0\0\x18ftypheic'],
    ['WebP', 'RIFF\0\0\0\0WEBPVP8 '],
    ['rich text', '{\\rtf1\\ansi'],
    ['PostScript', '%!PS-Adobe-3.0'],
    ['neither', 'junk \x01\x02\x03'],
    ['neither', 'Latin-1: Gr\xfc\xdfe aus K\xf6ln'],
  ])('refuses %s with advice', (word, head) => {
    expect(detectKind(bytes(head))).toBeUndefined()
    expect(() => requireKind(bytes(head))).toThrow(expect.objectContaining({ code: 'unsupported' }))
    expect(() => requireKind(bytes(head))).toThrow(word)
  })

  it('refuses nothing at all as empty', () => {
    expect(() => requireKind(new Uint8Array())).toThrow(expect.objectContaining({ code: 'empty' }))
  })
})
