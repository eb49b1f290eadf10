import { zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { textIn } from '../flow.ts'
import { readDocx } from './read-docx.ts'
import { readOdt } from './read-odt.ts'
import { odtFile, wordFile, wordText } from '../testing/office-files.ts'

const unsupported = expect.objectContaining({ code: 'unsupported' })

describe('a Word document', () => {
  it('is read with its letterhead and footer, its looks and its tables', async () => {
    const cell = (text: string) => `<w:tc>${wordText(text)}</w:tc>`
    const body = `${wordText('Dear Ann,')}${wordText('urgent', '<w:b/>')}<w:tbl><w:tr>${cell('a')}${cell('b')}</w:tr></w:tbl>`
    const file = wordFile({ body, header: wordText('Smith &amp; Partners'), footer: wordText('Page of a letter') })
    const { blocks } = await readDocx(file)
    expect(blocks.map(textIn)).toEqual(['Smith & Partners', 'Dear Ann,', 'urgent', 'a b', 'Page of a letter'])
    expect(blocks[2]).toMatchObject({ pieces: [{ bold: true }] })
  })

  it('leaves out what a tracked change deleted, and keeps what it inserted', async () => {
    const body =
      '<w:p><w:del><w:r><w:delText>old</w:delText></w:r></w:del><w:ins><w:r><w:t>new</w:t></w:r></w:ins></w:p>'
    expect((await readDocx(wordFile({ body }))).blocks.map(textIn)).toEqual(['new'])
  })

  it('begins a page where the writer did', async () => {
    const body = `${wordText('one')}<w:p><w:r><w:br w:type="page"/></w:r></w:p>${wordText('two')}`
    expect((await readDocx(wordFile({ body }))).blocks.map(({ kind }) => kind)).toEqual([
      'paragraph',
      'page-break',
      'paragraph',
    ])
  })

  it('keeps fields, text in other directions and in shapes, struck text and signs; hidden text is hidden', async () => {
    const run = (text: string, look = '') => `<w:r><w:rPr>${look}</w:rPr><w:t>${text}</w:t></w:r>`
    const shape = (text: string) =>
      `<w:drawing><wp:anchor><w:txbxContent>${wordText(text)}</w:txbxContent></wp:anchor></w:drawing>`
    const either = (own: string, instead: string) =>
      `<w:p><w:r><mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="wps">${own}</mc:Choice>${instead}</mc:AlternateContent></w:r></w:p>`
    const body = [
      `<w:p><w:fldSimple w:instr="IF 1 > 0">${run('field')}</w:fldSimple><w:bdo w:val="rtl">${run('turned')}</w:bdo></w:p>`,
      `<w:p>${run('10')}${run('9', '<w:vertAlign w:val="superscript"/>')}${run('no', '<w:dstrike/>')}${run('secret', '<w:b/><w:vanish/>')}</w:p>`,
      either(shape('new box'), ''),
      either(
        shape('both'),
        `<mc:Fallback><w:pict><w:txbxContent>${wordText('both')}</w:txbxContent></w:pict></mc:Fallback>`,
      ),
      `<w:p><w:r>${shape('bare box')}</w:r></w:p>`,
    ]
    const { blocks } = await readDocx(wordFile({ body: body.join('') }))
    expect(blocks.map(textIn)).toEqual(['fieldturned', '109no', 'new box', 'both', 'bare box'])
    expect(blocks[1]).toMatchObject({ pieces: [{}, { text: '9', script: 'super' }, { text: 'no', struck: true }] })
  })

  it('says what is not drawn', async () => {
    const simple = await readDocx(wordFile({ body: wordText('x') }))
    expect(simple.notes).toEqual([expect.stringContaining('laid the document out itself')])
    const body = `${wordText('x')}<w:p><m:oMath><m:r><m:t>E</m:t></m:r></m:oMath></w:p>`
    expect((await readDocx(wordFile({ body }))).notes).toContainEqual(expect.stringContaining('Equations'))
  })

  it('that is something else, damaged or a bomb is refused', async () => {
    const book = zipSync({ '[Content_Types].xml': new Uint8Array(1), 'xl/workbook.xml': new Uint8Array(1) })
    await expect(readDocx(book)).rejects.toThrow(unsupported)
    const file = wordFile({ body: wordText('x') })
    await expect(readDocx(file.subarray(0, -30))).rejects.toThrow(expect.objectContaining({ code: 'broken' }))
    const bomb = Buffer.from(zipSync({ 'word/document.xml': new Uint8Array(1000) }))
    // The unpacked size in the central directory (APPNOTE, 4.3.12).
    bomb.writeUInt32LE(0x1000_0000, bomb.indexOf('PK\x01\x02', 'latin1') + 24)
    await expect(readDocx(bomb)).rejects.toThrow(expect.objectContaining({ code: 'too_large' }))
  })
})

describe('an OpenDocument text', () => {
  it('is read with its header, looks, lists and tables, without deleted text', () => {
    const text =
      '<text:tracked-changes><text:p>old</text:p></text:tracked-changes><text:h text:outline-level="1">T</text:h><text:p>a<text:s text:c="2"/><text:span text:style-name="B">b</text:span></text:p><text:list><text:list-item><text:p>i</text:p></text:list-item></text:list><table:table><table:table-row><table:table-cell><text:p>1</text:p></table:table-cell><table:table-cell><text:p>2</text:p></table:table-cell></table:table-row></table:table>'
    const styles = '<style:style style:name="B"><style:text-properties fo:font-weight="bold"/></style:style>'
    const { blocks } = readOdt(odtFile({ text, styles, header: '<text:p>Clinic</text:p>' }))
    expect(blocks.map(textIn)).toEqual(['Clinic', 'T', 'a\u00a0\u00a0b', 'i', '1 2'])
    expect(blocks[2]).toMatchObject({ pieces: [{}, { text: 'b', bold: true }] })
    expect(blocks[3]).toMatchObject({ marker: '•' })
  })
})

describe('the letterhead of the first page of an OpenDocument text', () => {
  it('is read, exponents are raised, and what a picture shows is not printed', () => {
    const first =
      '</style:header><style:header-first><text:p>Letterhead</text:p></style:header-first><style:header-left style:display="false"><text:p>unseen</text:p></style:header-left><style:header>'
    const styles = '<style:style style:name="U"><style:text-properties style:text-position="super 58%"/></style:style>'
    const text =
      '<text:p>10<text:span text:style-name="U">9</text:span><draw:frame><svg:title>a dog</svg:title></draw:frame></text:p>'
    const { blocks } = readOdt(odtFile({ text, styles, header: first }))
    expect(blocks.map(textIn)).toEqual(['Letterhead', '109'])
    expect(blocks[1]).toMatchObject({ pieces: [{ text: '10' }, { text: '9', script: 'super' }] })
  })
})
