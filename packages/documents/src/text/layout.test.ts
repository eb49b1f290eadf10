import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultLimits } from '../base/limits.ts'
import { decodeText } from './decode.ts'
import { layoutText, textGrid } from './layout.ts'

const { columns, lines } = textGrid('letter')
const pagesOf = (text: string) => layoutText(text, 'letter', defaultLimits).map((page) => page.map((line) => line.text))

describe('laying out text', () => {
  it('fits 80 columns and more on both papers', () => {
    expect(textGrid('letter')).toEqual({ columns: 84, lines: 58 })
    expect(textGrid('a4').columns).toBeGreaterThanOrEqual(80)
  })

  it('breaks at spaces and inside words that are too long', () => {
    const word = 'x'.repeat(columns - 1)
    expect(pagesOf(`a ${word} b`)).toEqual([['a', word, 'b']])
    expect(pagesOf(`${word}yyy z`)).toEqual([[`${word}y`, 'yy z']])
  })

  it('loses no visible character and makes no line too long', () => {
    const character = fc.constantFrom('a', 'b', 'é', '\u0301', '\t', '😀', 'ש', 'لا', ' ', '\n', '\r\n', '\f')
    fc.assert(
      fc.property(fc.array(character, { maxLength: 600 }), (characters) => {
        const text = characters.join('')
        const visible = (part: string) => part.replaceAll(/\s/g, '').normalize('NFD')
        const laidOut = pagesOf(text)
        expect(visible(laidOut.flat().join(''))).toBe(visible(text))
        expect(Math.max(0, ...laidOut.flat().map((line) => line.length))).toBeLessThanOrEqual(2 * columns)
        expect(Math.max(...laidOut.map((page) => page.length))).toBeLessThanOrEqual(lines)
      }),
    )
  })

  it('moves tabs to every eighth column', () => {
    expect(pagesOf('a\tb\n\tc')).toEqual([['a       b', '        c']])
  })

  it('begins a page at a form feed, without a blank line or a blank page at the end', () => {
    expect(pagesOf('one\n\ftwo\f\n')).toEqual([['one', ''].slice(0, 1), ['two']])
    expect(pagesOf('one\f\fthree')).toEqual([['one'], [], ['three']])
    expect(pagesOf(`${'line\n'.repeat(lines)}\n\n`)).toHaveLength(1)
    expect(pagesOf('line\n'.repeat(lines + 1))).toHaveLength(2)
  })

  it('marks right-to-left paragraphs', () => {
    const [page] = layoutText('שלום hello\nhello שלום', 'letter', defaultLimits)
    expect(page?.map((line) => line.rightToLeft)).toEqual([true, false])
  })

  it('names the characters that no font has', () => {
    expect(() => pagesOf('Name: 漢字')).toThrow(/漢 \(U\+6F22\), 字 \(U\+5B57\)/)
  })

  it('stops as soon as there are too many pages', () => {
    expect(() => pagesOf('\f'.repeat(1_000_000).concat('x'))).toThrow(
      expect.objectContaining({ code: 'too_many_pages' }),
    )
  })

  it('takes hostile texts in time that grows with their length only', () => {
    const limits = { ...defaultLimits, pages: 1_000_000 }
    for (const unit of [' ', '\t', '\u0301', 'é', '\u200b']) {
      layoutText(`x${unit.repeat(300_000)}x`, 'letter', limits)
    }
  })
})

describe('decoding text', () => {
  it('takes UTF-8 with and without its byte order mark', () => {
    expect(decodeText(Buffer.from('\ufeffGrüße'))).toBe('Grüße')
    expect(decodeText(Buffer.from('Grüße'))).toBe('Grüße')
  })

  it.each([
    ['unsupported', Buffer.from([0x47, 0x72, 0xfc])],
    ['unsupported', Buffer.from('a\0b')],
    ['unsupported', Buffer.from('a\u001bb')],
    ['unsupported', Buffer.from('a\u0085b')],
    ['empty', Buffer.from(' \n\t\f\u00a0')],
  ])('refuses as %s: %j', (code, bytes) => {
    expect(() => decodeText(bytes)).toThrow(expect.objectContaining({ code }))
  })
})
