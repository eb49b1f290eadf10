import { strToU8, zipSync } from 'fflate'
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
    ['rtf', '{\\rtf1\\ansi'],
    ['msg', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
    ['html', '\xef\xbb\xbf <!-- saved -->\n<!DOCTYPE html><p>'],
    ['html', '<HTML lang=en>'],
    ['html', '\xff\xfe<\0h\0t\0m\0l\0>\0'],
    ['eml', 'From: a@b.example\nTo: c@d.example\nMIME-Version: 1.0\n\nhello'],
    ['eml', 'Received: from a by b\r\nFrom: a@b.c\r\nSubject: x\r\n\r\n'],
    ['text', 'From: Ann\nTo: Bob\nSubject: a note that is no mail\n'],
    ['text', 'How to write <html> by hand'],
    ['text', '\xef\xbb\xbfGr\xc3\xbc\xc3\x9fe'],
    ['text', '\xff\xfeH\0i\0'],
    ['text', 'Latin-1: Gr\xfc\xdfe aus K\xf6ln'],
    ['text', 'From: Dr. Lee\nTo: Dr. Roe\nSubject: a memo\nDate: Monday\n\nDear colleague'],
    ['text', 'a < b, and <html is no page'],
    ['tiff', 'II+\0\x08\0\0\0'],
    ['gif', 'GIF89a'],
    ['webp', 'RIFF\0\0\0\0WEBPVP8 '],
    ['avif', '\0\0\0\x1cftypavif'],
    ['avif', '\0\0\0\x1cftypmif1\0\0\0\0mif1avifmiaf'],
    ['heic', '\0\0\0\x18ftypheic'],
    ['heic', '\0\0\0\x18ftypmif1\0\0\0\0mif1heic'],
    ['html', '<p>Dear Ann,</p>'],
    ['html', '<meta charset="utf-8">\n<title>Letter</title>'],
    ['text', '<patient>not a page</patient>'],
    ['bmp', 'BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0'],
  ])('finds %s in %j', (kind, head) => expect(detectKind(bytes(head))).toBe(kind))

  it('takes text whose first kilobyte ends inside a character', () => {
    expect(detectKind(Buffer.from(`${'a'.repeat(1023)}ß`).subarray(0, 1024))).toBe('text')
  })

  it.each([
    ['office', Buffer.from(zipSync({ 'xl/workbook.xml': strToU8('x') })).toString('latin1')],
    ['saved as XML', '<?xml version="1.0"?>\n<office:document office:version="1.2">'],
    ['SVG', '<?xml version="1.0"?>\n<!-- made -->\n<svg xmlns="http://www.w3.org/2000/svg">'],
    ['printer', '\x1bE\x1b&l0Oreport'],
    ['JPEG 2000', '\0\0\0\x0cjP  \r\n\x87\n'],
    ['PostScript', '%!PS-Adobe-3.0'],
    ['not a PDF, a text or an image', 'junk \x01\x02\x03'],
    ['not a PDF, a text or an image', '\xd0\xd2\xc8\xc2\xd5\xd4 \xcd\xc9\xd2'],
  ])('refuses %s with advice', (word, head) => {
    expect(detectKind(bytes(head))).toBeUndefined()
    expect(() => requireKind(bytes(head))).toThrow(expect.objectContaining({ code: 'unsupported' }))
    expect(() => requireKind(bytes(head))).toThrow(word)
  })

  const odt = 'application/vnd.oasis.opendocument.text'

  it.each([
    ['docx', ['docProps/app.xml', 'customXml/item1.xml', 'word/document2.xml', '[Content_Types].xml'], ''],
    ['docx', ['word\\document.xml'], ''],
    ['odt', ['Thumbnails/thumbnail.png', 'content.xml', 'mimetype'], odt],
    ['odt', ['META-INF/manifest.xml', 'content.xml'], ''],
    [undefined, ['content.xml', 'mimetype'], 'application/vnd.oasis.opendocument.spreadsheet'],
  ])('finds %s by the directory of a zip file, whatever comes first: %j', (kind, names, text) => {
    expect(detectKind(zipSync(Object.fromEntries(names.map((name) => [name, strToU8(text)]))))).toBe(kind)
  })

  it('says of a zip file that was cut that it is incomplete', () => {
    const inner = zipSync({ 'xl/workbook.xml': strToU8('x') })
    const file = zipSync({ 'word/document.xml': strToU8('x'), 'word/embeddings/book.xlsx': [inner, { level: 0 }] })
    for (const cut of [1, 21, 60]) {
      expect(() => requireKind(file.subarray(0, -cut))).toThrow(expect.objectContaining({ code: 'broken' }))
      expect(() => requireKind(file.subarray(0, -cut))).toThrow('The file is incomplete')
    }
  })

  it('refuses nothing at all as empty', () => {
    expect(() => requireKind(new Uint8Array())).toThrow(expect.objectContaining({ code: 'empty' }))
  })
})
