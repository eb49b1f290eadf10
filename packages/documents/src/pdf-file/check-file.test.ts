import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { defaultLimits } from '../base/limits.ts'
import { letterPdf, pdfOf, streamOf, textAt } from '../testing/pdf-samples.ts'
import { checkFile, repairFile } from './check-file.ts'
import { PageChecker } from './check-page.ts'
import { WrittenPdf } from './written-pdf.ts'

const changed = (pdf: Buffer, change: (text: string) => string) => Buffer.from(change(pdf.toString('latin1')), 'latin1')
const pagesOf = (file: Buffer) => checkFile(file).objects?.pages()?.length
const lookAt = (file: Buffer) => {
  const { objects } = checkFile(file)
  return new PageChecker(objects, defaultLimits).look(0)
}

describe('the table of a PDF', () => {
  it('is left as it is where every object is at its place', () => {
    const letter = letterPdf(2)
    expect(checkFile(letter)).toMatchObject({ file: letter, isRepaired: false })
  })

  it.each([
    ['an object is at another place', (text: string) => text.replace(/\d{10}(?= 00000 n )/, '0000000123')],
    ['it begins elsewhere', (text: string) => text.replace(/(?<=startxref\n)\d+/, '7')],
    ['it is gone', (text: string) => text.replace(/\nxref\n[^]*(?=startxref)/, '\n')],
    ['a row is not a row', (text: string) => text.replace(/ 00000 n /, ' 0zz00 n ')],
    ['the ends of its lines were changed', (text: string) => text.replaceAll('\n', '\r\n')],
    ['an object is not closed', (text: string) => text.replaceAll('endobj', '').replace(/(?<=startxref\n)\d+/, '7')],
  ])('is made anew where %s', (_, change) => {
    const damaged = changed(letterPdf(3), change)
    const { file, isRepaired } = checkFile(damaged)
    expect(isRepaired).toBe(true)
    expect(pagesOf(damaged)).toBe(3)
    // What was put behind the file is right, and nothing else was changed.
    expect(checkFile(file)).toMatchObject({ isRepaired: false })
    expect(pagesOf(file)).toBe(3)
    expect(file.subarray(0, damaged.length).equals(damaged)).toBe(true)
  })

  it('may name an object that the file does not have, as long as none has its number', () => {
    const none = changed(letterPdf(), (text) =>
      text.replace('xref\n0 7\n', 'xref\n0 8\n').replace('trailer', '0000000009 00000 n \ntrailer'),
    )
    expect(checkFile(none)).toMatchObject({ isRepaired: false })
  })

  it('may count from 1 what begins with the free object', () => {
    const odd = changed(letterPdf(), (text) => text.replace('xref\n0 7\n', 'xref\n1 7\n'))
    expect(checkFile(odd)).toMatchObject({ isRepaired: false })
  })
})

describe('objects that are looked for', () => {
  it('are the newest of their number', () => {
    const update = '6 0 obj\n<</Length 5>>stream\nnewer\nendstream\nendobj\n'
    const { objects } = repairFile(Buffer.concat([letterPdf(), Buffer.from(update)]))
    expect(objects?.stream(6)?.data.toString()).toBe('newer')
  })

  it('are not those of a PDF within a stream', () => {
    const inner = letterPdf().toString('latin1')
    const outer = pdfOf([{ content: textAt(72, 720, 12, 'outer') }], [streamOf(inner)])
    expect(repairFile(outer).objects?.stream(7)?.data.toString()).toContain('(outer)')
    const indirect = changed(outer, (text) => text.replace(`/Length ${inner.length}`, '/Length 9 0 R'))
    const file = Buffer.concat([indirect, Buffer.from(`9 0 obj\n${inner.length}\nendobj\n`)])
    expect(repairFile(file).objects?.stream(7)?.data.toString()).toContain('(outer)')
  })

  it('include a catalog that no trailer names', () => {
    const lost = changed(letterPdf(2), (text) => text.replace(/trailer\n.*\n/, ''))
    expect(pagesOf(lost)).toBe(2)
  })

  it('are none in what is no PDF', () => {
    expect(checkFile(Buffer.from('%PDF-1.7\nnothing\n%%EOF'))).toMatchObject({ objects: undefined })
    expect(checkFile(Buffer.alloc(5000, '1 0 obj<<'))).toMatchObject({ objects: undefined })
  })

  it('do not go round in circles', () => {
    const circle = changed(letterPdf(), (text) => text.replace('/Kids[5 0 R]', '/Kids[2 0 R]'))
    expect(pagesOf(circle)).toBeUndefined()
  })
})

describe('what a page is drawn of', () => {
  const text = Array.from({ length: 40 }, (_, line) => textAt(72, 700 - line, 12, `line ${line}`)).join('\n')
  const content = deflateSync(Buffer.from(text)).toString('latin1')
  const deflated = (data: string) =>
    pdfOf([{ entries: '/Contents 5 0 R' }], [streamOf(data, '/Filter/FlateDecode')]).toString('latin1')
  const withContent = (data: string) =>
    Buffer.from(
      deflated(data)
        .replace(/\/Contents 7 0 R/, '/Contents    5 0 R')
        .replace('/XObject<</X 5 0 R>>', ' '.repeat(20)),
      'latin1',
    )

  it('is whole, and plain where it is text', () => {
    expect(lookAt(letterPdf())).toEqual({ isDamaged: false, isPlain: true, mayHavePictures: false })
    expect(lookAt(withContent(content))).toEqual({ isDamaged: false, isPlain: true, mayHavePictures: false })
  })

  it.each([
    ['ends early', content.slice(0, content.length / 2)],
    ['has another byte', `${content.slice(0, 60)}\0${content.slice(61)}`],
    ['has a wrong checksum', `${content.slice(0, -1)}\0`],
  ])('is damaged where a deflated stream %s', (_, data) => {
    expect(lookAt(withContent(data))).toMatchObject({ isDamaged: true })
  })

  it('is damaged where an embedded font lacks a part', () => {
    const font = '/F2<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/DescendantFonts[99 0 R]>>'
    const { objects } = checkFile(pdfOf([{ fonts: font }]))
    expect(new PageChecker(objects, defaultLimits).isDamaged(0)).toBe(true)
    expect(new PageChecker(checkFile(letterPdf()).objects, defaultLimits).isDamaged(0)).toBe(false)
  })

  it('is whole where only the checksum of a stream is left out', () => {
    expect(lookAt(withContent(content.slice(0, -4)))).toMatchObject({ isDamaged: false })
  })

  it.each([
    ['content', (text: string) => text.replace('\n6 0 obj', '\n6 x obj')],
    ['font', (text: string) => text.replace('\n3 0 obj', '\n3 x obj')],
    ['length', (text: string) => text.replace(/\/Length \d+/, '/Length 4000')],
  ])('is damaged where its %s is missing or wrong', (_, change) => {
    expect(lookAt(changed(letterPdf(), change))).toMatchObject({ isDamaged: true })
  })

  it.each([2, -10])('is whole where its length is counted wrong by %i bytes and its end is there', (more) => {
    const counts = (_: string, bytes: string) => `/Length ${Number(bytes) + more}`
    expect(lookAt(changed(letterPdf(), (text) => text.replace(/\/Length (\d+)/, counts))).isDamaged).toBe(false)
  })

  it.each([
    ['a form', [{}], [streamOf('', '/Subtype/Form')]],
    ['a picture that is too large', [{}], [streamOf('', '/Subtype/Image/Width 60000/Height 60000')]],
    ['a picture in its content', [{ content: 'BI /W 9 /H 9 ID x EI' }], []],
    ['a long content', [{ content: '0 0 m '.repeat(20_000) }], []],
  ])('may take long to draw where it has %s', (_, pages, objects) => {
    expect(lookAt(pdfOf(pages, objects))).toMatchObject({ isPlain: false, mayHavePictures: expect.any(Boolean) })
  })
})

describe('a PDF to which more can be added', () => {
  it('has one table that is right', () => {
    expect(WrittenPdf.read(letterPdf(2))).toMatchObject({ root: 1, size: 9 })
    expect(WrittenPdf.read(repairFile(letterPdf()).file)).toBeUndefined()
  })
})
