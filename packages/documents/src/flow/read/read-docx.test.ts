import { zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { type Block, textIn } from '../flow.ts'
import { wordFile, wordText } from '../testing/office-files.ts'
import { readDocx } from './read-docx.ts'

const blocksOf = (body: string, parts: Partial<Parameters<typeof wordFile>[0]> = {}) =>
  readDocx(wordFile({ body, ...parts })).blocks
const texts = (blocks: readonly Block[]) => blocks.map(textIn)

/** Paragraphs of lists: `[list, level]`. */
const items = (...of: readonly (readonly [number, number])[]) =>
  of
    .map(
      ([list, level]) =>
        `<w:p><w:pPr><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr></w:pPr><w:r><w:t>x</w:t></w:r></w:p>`,
    )
    .join('')
const level = (at: number, format: string, text: string, more = '') =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`
const abstract = (id: number, ...levels: readonly string[]) =>
  `<w:abstractNum w:abstractNumId="${id}">${levels.join('')}</w:abstractNum>`
const num = (id: number, of: number, overrides = '') =>
  `<w:num w:numId="${id}"><w:abstractNumId w:val="${of}"/>${overrides}</w:num>`
const startOverride = (at: number, start: number) =>
  `<w:lvlOverride w:ilvl="${at}"><w:startOverride w:val="${start}"/></w:lvlOverride>`
const markers = (body: string, numbering: string) =>
  blocksOf(body, { numbering }).flatMap((block) => (block.kind === 'paragraph' ? [block.marker] : []))

describe('the numbers of lists in a Word document', () => {
  const numbering = [
    abstract(
      0,
      level(0, 'upperRoman', '%1.'),
      level(1, 'lowerLetter', '%2)'),
      level(2, 'decimal', '%1.%2.%3', '<w:isLgl/>'),
    ),
    abstract(1, level(0, 'decimal', 'Section %1:'), level(1, 'decimalZero', '%1-%2')),
    abstract(2, level(0, 'bullet', '\uf0b7'), level(1, 'none', '')),
    num(1, 0) + num(2, 1) + num(3, 0) + num(4, 0, startOverride(0, 7)) + num(5, 2),
  ].join('')

  it.each([
    [
      'have formats and levels',
      items([1, 0], [1, 1], [1, 1], [1, 2], [1, 0], [1, 1]),
      ['I.', 'a)', 'b)', '1.2.1', 'II.', 'a)'],
    ],
    ['have words around them', items([2, 0], [2, 1], [2, 1]), ['Section 1:', '1-01', '1-02']],
    ['go on through lists of one kind', items([1, 0], [2, 0], [3, 0]), ['I.', 'Section 1:', 'II.']],
    [
      'begin anew where the writer says so, once',
      items([1, 0], [4, 0], [4, 0], [1, 0]),
      ['I.', 'VII.', 'VIII.', 'IX.'],
    ],
    ['may be signs or nothing', items([5, 0], [5, 1]), ['•', undefined]],
  ])('%s', (_, body, expected) => {
    expect(markers(body, numbering)).toEqual(expected)
  })
})

describe('a Word document', () => {
  it('is read with its looks, its tables and how its paragraphs stand', () => {
    const cell = (text: string) => `<w:tc>${wordText(text)}</w:tc>`
    const right =
      '<w:p><w:pPr><w:jc w:val="right"/><w:ind w:left="720" w:hanging="360"/></w:pPr><w:r><w:t>right</w:t></w:r></w:p>'
    const blocks = blocksOf(
      `${wordText('urgent', '<w:b/>')}<w:tbl><w:tr>${cell('a')}${cell('b')}</w:tr></w:tbl>${right}`,
    )
    expect(texts(blocks)).toEqual(['urgent', 'a b', 'right'])
    expect(blocks[0]).toMatchObject({ pieces: [{ bold: true }] })
    expect(blocks[1]).toMatchObject({ isBare: true })
    expect(blocks[2]).toMatchObject({ format: { align: 'right', left: 36, first: -18 } })
  })

  it('leaves out what a tracked change deleted, and keeps what it inserted', () => {
    const body =
      '<w:p><w:del><w:r><w:delText>old</w:delText></w:r></w:del><w:ins><w:r><w:t>new</w:t></w:r></w:ins></w:p>'
    expect(texts(blocksOf(body))).toEqual(['new'])
  })

  it('begins a page or a column where the writer did', () => {
    const body = ['page', 'column']
      .map((type) => `${wordText('x')}<w:p><w:r><w:br w:type="${type}"/></w:r></w:p>`)
      .join('')
    expect(blocksOf(body).map(({ kind }) => kind)).toEqual(['paragraph', 'page-break', 'paragraph', 'column-break'])
  })

  it('has notes with their marks', () => {
    const note = (kind: string, text: string) =>
      `<w:${kind} w:id="2"><w:p><w:r><w:${kind}Ref/></w:r><w:r><w:t>${text}</w:t></w:r></w:p></w:${kind}>`
    const mark = (kind: string) => `<w:r><w:${kind}Reference w:id="2"/></w:r>`
    const blocks = blocksOf(`<w:p><w:r><w:t>daily</w:t></w:r>${mark('footnote')}${mark('endnote')}</w:p>`, {
      footnotes: note('footnote', 'STOP'),
      endnotes: note('endnote', 'Source'),
    })
    expect(blocks[0]).toMatchObject({
      pieces: [
        { text: 'daily' },
        {
          text: '1',
          script: 'super',
          note: [{ pieces: [{ text: '1', script: 'super' }, { text: ' ' }, { text: 'STOP' }] }],
        },
        { text: 'i', script: 'super' },
      ],
    })
    expect(texts(blocks.slice(1))).toEqual(['', 'i Source'])
  })

  it('with a note that names itself ends', () => {
    const mark = '<w:p><w:r><w:footnoteReference w:id="2"/></w:r></w:p>'
    expect(texts(blocksOf(mark, { footnotes: `<w:footnote w:id="2">${mark}</w:footnote>` }))).toHaveLength(1)
  })

  it('keeps fields, text in other directions, struck text and signs; hidden text is hidden', () => {
    const run = (text: string, look = '') => `<w:r><w:rPr>${look}</w:rPr><w:t>${text}</w:t></w:r>`
    const char = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`
    const field = (code: string, result: string) =>
      `${char('begin')}<w:r><w:instrText>${code}</w:instrText></w:r>${char('separate')}${run(result)}${char('end')}`
    const body = [
      `<w:p><w:fldSimple w:instr="IF 1 > 0">${run('field')}</w:fldSimple><w:bdo w:val="rtl">${run('turned')}</w:bdo></w:p>`,
      `<w:p>${run('10')}${run('9', '<w:vertAlign w:val="superscript"/>')}${run('no', '<w:dstrike/>')}${run('secret', '<w:b/><w:vanish/>')}</w:p>`,
      `<w:p>${field(' DATE ', 'May')}${field(' PAGE ', '7')}<w:r><w:sym w:font="Symbol" w:char="F06D"/><w:softHyphen/><w:noBreakHyphen/></w:r></w:p>`,
    ]
    const blocks = blocksOf(body.join(''))
    expect(texts(blocks)).toEqual(['fieldturned', '109no', 'May1μ‑'])
    expect(blocks[1]).toMatchObject({ pieces: [{}, { text: '9', script: 'super' }, { text: 'no', struck: true }] })
    expect(blocks[2]).toMatchObject({ pieces: [{}, { field: 'page' }, {}, {}] })
  })

  it('shows shapes once, at their places, as programs of any age wrote them', () => {
    const place = (axis: string) =>
      `<wp:position${axis} relativeFrom="page"><wp:posOffset>127000</wp:posOffset></wp:position${axis}>`
    const shape = (text: string, preset: string) =>
      `<w:drawing><wp:anchor>${place('H')}${place('V')}<wp:extent cx="1270000" cy="635000"/><a:graphic><a:graphicData><wps:wsp><wps:spPr><a:prstGeom prst="${preset}"/><a:ln><a:solidFill/><a:tailEnd type="triangle"/></a:ln></wps:spPr><wps:txbx><w:txbxContent>${wordText(text)}</w:txbxContent></wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing>`
    const old = (text: string) =>
      `<w:pict><v:oval style="position:absolute;margin-left:10pt;width:50pt;height:20pt"><v:textbox><w:txbxContent>${wordText(text)}</w:txbxContent></v:textbox></v:oval></w:pict>`
    const either = `<mc:AlternateContent><mc:Choice Requires="wps">${shape('both', 'roundRect')}</mc:Choice><mc:Fallback>${old('both')}</mc:Fallback></mc:AlternateContent>`
    const [first, second] = blocksOf(`<w:p><w:r>${either}</w:r><w:r>${old('old')}</w:r></w:p>`)
    expect(first).toMatchObject({
      kind: 'drawing',
      ...{ width: 100, height: 50, place: { x: { from: 'page', at: 10 }, y: { from: 'page', at: 10 } } },
      shapes: [{ outline: 'rounded', arrows: { end: true }, text: [{ pieces: [{ text: 'both' }] }] }],
    })
    expect(second).toMatchObject({
      kind: 'drawing',
      width: 50,
      shapes: [{ outline: 'ellipse', text: [{ pieces: [{ text: 'old' }] }] }],
    })
  })

  it('keeps what is written in shapes that it does not know', () => {
    const body = `<w:p><w:r><w:drawing><wp:anchor><x:new><w:txbxContent>${wordText('kept')}</w:txbxContent></x:new></wp:anchor></w:drawing></w:r></w:p>`
    expect(texts(blocksOf(body))).toContain('kept')
  })

  it('has sections with pages, columns, headers and footers of their own', () => {
    const sectPr = (more: string, size: string) =>
      `<w:sectPr><w:headerReference w:type="default" r:id="rIdheader"/><w:pgSz ${size}/>${more}</w:sectPr>`
    const body = `<w:p><w:pPr>${sectPr('<w:cols w:num="2" w:space="400"/>', 'w:w="12240" w:h="15840"')}</w:pPr><w:r><w:t>one</w:t></w:r></w:p>${wordText('two')}${sectPr('<w:type w:val="continuous"/><w:titlePg/>', 'w:w="15840" w:h="12240"')}`
    const blocks = blocksOf(body, { header: wordText('Smith') })
    expect(blocks.map(({ kind }) => kind)).toEqual(['section', 'paragraph', 'section', 'paragraph'])
    expect(blocks[0]).toMatchObject({
      page: { width: 612, height: 792 },
      columns: { count: 2, gap: 20 },
      isContinuous: false,
      header: { usual: [{ pieces: [{ text: 'Smith' }] }] },
    })
    expect(blocks[2]).toMatchObject({ page: { width: 792, height: 612 }, isContinuous: true, header: { first: [] } })
  })

  it('names what is not drawn, and nothing where all is', () => {
    expect(readDocx(wordFile({ body: wordText('x') })).undrawn).toEqual([])
    const body = `${wordText('x')}<w:p><m:oMath><m:r><m:t>E</m:t></m:r></m:oMath></w:p>`
    expect(readDocx(wordFile({ body })).undrawn).toEqual(['equation'])
  })

  it('may be written in the strict form, with prefixes of its own', () => {
    const main = 'http://purl.oclc.org/ooxml/wordprocessingml/main'
    const rels = `<Relationships><Relationship Id="a" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument" Target="/word/document2.xml"/></Relationships>`
    const text = `<n:document xmlns:n="${main}"><n:body><n:p><n:r><n:t>strict</n:t></n:r></n:p></n:body></n:document>`
    const file = zipSync({ '_rels/.rels': Buffer.from(rels), 'word/document2.xml': Buffer.from(text) })
    expect(texts(readDocx(file).blocks)).toEqual(['strict'])
  })

  it('that is something else, damaged or a bomb is refused', () => {
    const refusal = (bytes: Uint8Array) => {
      try {
        readDocx(bytes)
        return undefined
      } catch (problem) {
        return (problem as { code?: string }).code
      }
    }
    expect(refusal(zipSync({ '[Content_Types].xml': new Uint8Array(1), 'xl/workbook.xml': new Uint8Array(1) }))).toBe(
      'unsupported',
    )
    expect(refusal(wordFile({ body: wordText('x') }).subarray(0, -30))).toBe('broken')
    const bomb = Buffer.from(zipSync({ 'word/document.xml': new Uint8Array(1000) }))
    // The unpacked size in the central directory (APPNOTE, 4.3.12).
    bomb.writeUInt32LE(0x1000_0000, bomb.indexOf('PK\x01\x02', 'latin1') + 24)
    expect(refusal(bomb)).toBe('too_large')
    expect(refusal(wordFile({ body: '<w:sdt>'.repeat(500) }))).toBe('broken')
  })
})
