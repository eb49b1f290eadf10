import { describe, expect, it } from 'vitest'
import { inspect, kindOf, sizeInWords } from './document-kind.ts'

const ascii = (text: string) => new TextEncoder().encode(text)

describe('the kind of a document', () => {
  it('is told by the name only where the content is text', async () => {
    expect(await inspect(new File(['# Visit'], 'visit.md'), 10)).toEqual({ kind: 'office' })
    expect(await inspect(new File(['a,b'], 'list.CSV'), 10)).toEqual({ kind: 'office' })
    expect(await inspect(new File(['# Visit'], 'visit.txt'), 10)).toEqual({ kind: 'text' })
    expect(await inspect(new File(['%PDF-1.7'], 'list.csv'), 10)).toEqual({ kind: 'pdf' })
  })

  it.each([
    ['pdf', ascii('%PDF-1.7\n')],
    ['pdf', ascii('\r\n\r\n%PDF-1.4\n')],
    ['png', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0)],
    ['jpeg', Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0)],
    ['tiff', Uint8Array.of(0x49, 0x49, 0x2a, 0, 8, 0)],
    ['tiff', Uint8Array.of(0x4d, 0x4d, 0, 0x2a, 0, 8)],
    ['text', ascii('Grüße, 你好\n')],
    ['text', Uint8Array.of(0x47, 0x72, 0xfc, 0xdf, 0x65)],
    ['text', Uint8Array.of(0xff, 0xfe, 0x48, 0)],
    ['gif', ascii('GIF89a')],
    ['webp', ascii('RIFF\0\0\0\0WEBPVP8 ')],
    ['avif', ascii('\0\0\0\u001cftypavif')],
    ['heic', ascii('\0\0\0\u0018ftypheic')],
    ['office', ascii('PK\u0003\u0004\u0000\u0000')],
    ['office', ascii('{\\rtf1')],
    ['bmp', ascii('BM\u0046\0\0\0\0\0\0\0')],
  ])('is %s by its first bytes', (kind, bytes) => {
    expect(kindOf(bytes)).toBe(kind)
  })

  it('is none for binary data', () => {
    expect(kindOf(ascii('MZ\u0000\u0000'))).toBeUndefined()
  })
})

describe('a chosen file', () => {
  it('is taken by content, whatever its name', async () => {
    expect(await inspect(new File(['%PDF-1.7'], 'scan.docx'), 10)).toEqual({ kind: 'pdf' })
  })

  it('is refused with a sentence when it is empty, too large or of no known kind', async () => {
    const large = new File([new Uint8Array(2 * 1024 * 1024 + 1)], 'scan.pdf')
    expect(await inspect(large, 2)).toEqual({
      problem: '“scan.pdf” has 2.1 MB; the limit is 2 MB. Split it, or save it at a lower resolution.',
    })
    expect(await inspect(new File([], 'none.txt'), 10)).toEqual({
      problem: '“none.txt” is empty. Choose a file with at least one page.',
    })
    expect(await inspect(new File(['PK\u0000'], 'letter.docx'), 10)).toEqual({
      problem: expect.stringMatching(/^Please select a PDF or TXT file to send\. “letter\.docx” is not supported/),
    })
  })
})

describe('a size', () => {
  it('is said in KB below a megabyte and in MB above, never as less than it is', () => {
    expect([1, 831_488, 3_565_159].map(sizeInWords)).toEqual(['1 KB', '812 KB', '3.5 MB'])
  })
})
