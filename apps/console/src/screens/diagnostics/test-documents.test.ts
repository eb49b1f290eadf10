import { describe, expect, it } from 'vitest'
import { testDocument, writePdf } from './test-documents.ts'

const bytesOf = async (file: File) => new DataView(await file.arrayBuffer())

describe('the test documents', () => {
  it('name every object of the PDF at its true place', () => {
    const pdf = writePdf(['Brackets (and) \\ survive'])
    expect(pdf).toContain('(Brackets \\(and\\) \\\\ survive) Tj')
    const table = pdf.indexOf('xref\n')
    expect(pdf).toContain(`startxref\n${table}\n%%EOF`)
    const offsets = [...pdf.slice(table).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, offset]) => Number(offset))
    expect(offsets).toHaveLength(5)
    offsets.forEach((offset, index) => expect(pdf.slice(offset)).toMatch(new RegExp(`^${index + 1} 0 obj\\n`)))
    const [, length = '', content = ''] = /\/Length (\d+) >>\nstream\n([\s\S]*)\nendstream/.exec(pdf) ?? []
    expect(content).toHaveLength(Number(length))
  })

  it('draw a 1-bit TIFF page of fax width whose pixels end with the file', async () => {
    const file = await bytesOf(testDocument('image'))
    expect([file.getUint16(0), file.getUint16(2, true), file.getUint32(4, true)]).toEqual([0x4949, 42, 8])
    const count = file.getUint16(8, true)
    const tags = new Map(
      Array.from({ length: count }, (_, index) => {
        const at = 10 + index * 12
        const short = file.getUint16(at + 2, true) === 3
        return [file.getUint16(at, true), short ? file.getUint16(at + 8, true) : file.getUint32(at + 8, true)]
      }),
    )
    expect([...tags.keys()]).toEqual([...tags.keys()].toSorted((a, b) => a - b))
    expect([tags.get(256), tags.get(258), tags.get(259)]).toEqual([1728, 1, 1])
    expect(tags.get(279)).toBe((1728 / 8) * (tags.get(257) ?? 0))
    expect((tags.get(273) ?? 0) + (tags.get(279) ?? 0)).toBe(file.byteLength)
    const resolution = tags.get(282) ?? 0
    expect([file.getUint32(resolution, true), file.getUint32(resolution + 8, true)]).toEqual([204, 98])
  })

  it('say in the text when it was sent', async () => {
    expect(await testDocument('text').text()).toMatch(/^Faxdeck test fax\nSent .* at \d{4}-\d\d-\d\dT[\d:.]+Z\.\n$/)
  })
})
