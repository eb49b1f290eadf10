import { afterAll, describe, expect, it, vi } from 'vitest'
import { createDocuments } from '../documents.ts'
import { repairedFile } from '../raster/page-notes.ts'
import { encryptedPdf, letterPdf, pdfOf, streamOf, textAt } from '../testing/pdf-samples.ts'
import { fineLetter } from '../testing/samples.ts'

vi.setConfig({ testTimeout: 60_000 })

const documents = createDocuments({ threads: 1 })
afterAll(() => documents.close())

const changed = (pdf: Buffer, change: (text: string) => string) => Buffer.from(change(pdf.toString('latin1')), 'latin1')
const withoutTable = (pdf: Buffer) => changed(pdf, (text) => text.replace(/(?<=startxref\n)\d+/, '7'))
const refusal = (code: string, sentence: RegExp) =>
  expect.objectContaining({ code, sentence: expect.stringMatching(sentence) })

/** As one public bank statement is damaged: an object that is not closed, and a table that is wrong. */
const statement = () =>
  changed(pdfOf([{ content: textAt(72, 720, 14, 'Balance 1,250.00') }]), (text) =>
    text.replace('/BaseFont/Helvetica>>\nendobj', '/BaseFont/Helvetica>>').replace('xref\n0 7', 'xref\n0 9'),
  )

describe('a damaged PDF', () => {
  it('is repaired, shows its text, and says so when it is measured, shown and sent', async () => {
    const { pages, notes } = await documents.inspect(statement())
    expect({ pages, notes }).toEqual({ pages: 1, notes: [repairedFile] })
    const { page: _, ...note } = repairedFile
    const damaged = await documents.page(statement(), 1, fineLetter)
    const whole = await documents.page(pdfOf([{ content: textAt(72, 720, 14, 'Balance 1,250.00') }]), 1, fineLetter)
    expect(damaged?.notes).toEqual([note])
    expect(damaged?.png).toEqual(whole?.png)
  })

  it('is handed over as a PDF that is repaired, one that is whole as it came', async () => {
    const repaired = await documents.toPdf(statement(), { paper: 'letter' })
    expect((await documents.inspect(repaired)).notes).toEqual([])
    expect(await documents.toPdf(letterPdf(), { paper: 'letter' })).toEqual(new Uint8Array(letterPdf()))
  })

  it('says so in what is made of it', async () => {
    const taken = await documents.takePages(withoutTable(letterPdf(3)), { from: 1, to: 2 })
    expect((await documents.inspect(taken)).notes).toMatchObject([{ page: 1, text: repairedFile.text }])
    const joined = await documents.joinPdfs([withoutTable(letterPdf()), letterPdf()])
    expect((await documents.inspect(joined)).notes).toMatchObject([{ page: 1, text: repairedFile.text }])
  })

  it('is refused where a page shows nothing', async () => {
    const lost = changed(letterPdf(2), (text) => text.replace('\n8 0 obj', '\n8 x obj'))
    await expect(documents.inspect(lost)).rejects.toEqual(refusal('broken', /nothing can be seen on page 2\./))
    const blank = withoutTable(pdfOf([{ content: textAt(72, 720, 14, 'text') }, {}]))
    await expect(documents.inspect(blank)).rejects.toEqual(refusal('broken', /nothing can be seen on page 2\./))
  })

  it('names the page whose data is damaged', async () => {
    const text = 'Data of page 2 is damaged in the document. Part of the page may be missing on the fax.'
    const half = changed(letterPdf(3), (text) =>
      text.replace(/(?<=\n8 0 obj\n<<\/Length )\d+/, (length) => String(Number(length) + 9)),
    )
    expect((await documents.inspect(half)).notes).toEqual([{ page: 2, kind: 'lost_writing', text }])
    expect((await documents.page(half, 2, fineLetter))?.notes).toEqual([{ kind: 'lost_writing', text }])
    expect((await documents.page(half, 1, fineLetter))?.notes).toEqual([])
  })

  it('names the pages of an embedded font that is damaged when they are drawn', async () => {
    const font = '/F2<</Type/Font/Subtype/TrueType/BaseFont/X/FontDescriptor 5 0 R>>'
    const page = { content: `${textAt(72, 720, 14, 'text')} BT /F2 12 Tf 72 600 Td (more) Tj ET`, fonts: font }
    const descriptor = '<</Type/FontDescriptor/FontName/X/Flags 32/FontFile2 6 0 R>>'
    const broken = pdfOf([page], [descriptor, streamOf('x\x9c\x03', '/Filter/FlateDecode')]).toString('latin1')
    const pdf = changed(Buffer.from(broken, 'latin1'), (text) => text.replace('/XObject<</X 5 0 R>>', ' '.repeat(20)))
    expect((await documents.page(pdf, 1, fineLetter))?.notes).toMatchObject([{ kind: 'lost_writing' }])
  })

  it('that asks for a password is still one that asks for a password', async () => {
    await expect(documents.inspect(withoutTable(encryptedPdf()))).rejects.toEqual(refusal('encrypted', /password/))
  })
})
