import { describe, expect, it } from 'vitest'
import { type Block, type Drawing, type Paragraph, type Section, type Table, textIn, textOf } from '../flow.ts'
import { readRtf } from './read-rtf.ts'

const readAll = (rtf: string) => readRtf(Buffer.from(`{\\rtf1\\ansi\\ansicpg1252 ${rtf}}`, 'latin1'))
const read = (rtf: string) => readAll(rtf).blocks
const paragraphs = (blocks: readonly Block[]) =>
  blocks.filter((block): block is Paragraph => block.kind === 'paragraph')
const texts = (rtf: string) => paragraphs(read(rtf)).map(({ pieces }) => textOf(pieces))
const list = (start: number, text: string) =>
  `{\\*\\listtable{\\list{\\listlevel\\levelnfc0\\levelstartat${start}{\\leveltext ${text};}{\\levelnumbers\\'01;}}{\\listlevel\\levelnfc4\\levelstartat1{\\leveltext\\'04\\'00.\\'01);}{\\levelnumbers\\'01\\'03;}}\\listid7}}`

describe('the text of a rich text document', () => {
  it('is read with its code page, signs, looks and tables', () => {
    const rtf =
      "{\\fonttbl{\\f0 Arial;}}\\b Caf\\'e9\\b0  \\u8217?\\par{\\*\\generator X;}\\trowd\\cellx1000\\cellx2000\\intbl a\\par b\\cell c\\cell\\row\\pard after\\par"
    const blocks = read(rtf)
    expect(blocks.map(textIn)).toEqual(['Café ’', 'a\nb c', 'after'])
    expect(blocks[0]).toMatchObject({ pieces: [{ text: 'Café', bold: true }, { text: ' ’' }] })
    expect(blocks[1]).toMatchObject({ widths: [50, 50], isBare: true })
  })

  it('is read in the code page of each font, whose letters may be signs', () => {
    const fonts =
      '{\\fonttbl{\\f0\\fnil\\fcharset0 Calibri;}{\\f1\\fnil\\fcharset204{\\*\\panose 02}Arial Cyr;}{\\f2\\fcharset128 MS Mincho;}{\\f3\\ftech\\fcharset2 Symbol;}}'
    const rtf = `${fonts}5 \\f3 m\\f0 g \\f3\\'a3\\f0  9 \\f1\\'ef\\'f0 \\f2\\'82\\'a0\\'83A \\f0 raw \x93x\x94 {\\f3\\u-3997?}{\\field{\\*\\fldinst SYMBOL 98 \\\\f "Symbol" \\\\s 12}{\\fldrslt\\f3 ?}}{\\field{\\*\\fldinst DATE}{\\fldrslt May}}\\par`
    expect(texts(rtf)).toEqual(['5 μg ≤ 9 пр あア raw “x” χβMay'])
  })

  it('keeps what groups that may be passed over hold for those who know them, and nothing of the others', () => {
    expect(texts('{\\upr{gr?}{\\*\\ud{gr\\u252?}}}\\u233 e{\\*\\unheard of}{\\v secret}{\\deleted gone}\\par')).toEqual(
      ['grüé'],
    )
    expect(texts('a{\\*\\annotation no}\\constructor b{\\caps c}\\par')).toEqual(['abC'])
  })

  it('keeps exponents and struck text, and shows which boxes are ticked', () => {
    const box = (result: number) =>
      `{\\field{\\*\\fldinst FORMCHECKBOX {\\*\\formfield{\\fftype1\\ffres${result}{\\*\\ffname B}\\ffdefres1}}}{\\fldrslt }}`
    const [first] = paragraphs(read(`10{\\super 9}/l \\striked1 no\\striked0\\plain  ${box(1)}\\par`))
    expect(first?.pieces).toMatchObject([
      {},
      { text: '9', script: 'super' },
      {},
      { text: 'no', struck: true },
      { text: ' ☒' },
    ])
  })

  it('stands as it was set', () => {
    const [first] = paragraphs(
      read('\\qc\\li720\\fi-360\\ri100\\sb120\\sa60\\sl360\\slmult1\\tqr\\tx2000\\fs28 A\\tab B\\par'),
    )
    expect(first?.format).toEqual({
      ...{ align: 'center', left: 36, first: -18, right: 5, above: 6, below: 3, spacing: 1.5, size: 14 },
      tabs: [{ at: 100, align: 'right' }],
    })
    expect(read('\\par a\\pard\\qr\\par\\par').map((block) => 'format' in block && block.format?.align)).toEqual([
      undefined,
      'right',
    ])
  })
})

describe('the lists of a rich text document', () => {
  const labels = (rtf: string) => paragraphs(read(rtf)).map(({ marker }) => marker)

  it('have the numbers that are written before their paragraphs', () => {
    expect(
      labels('{\\pntext\\f0 iv)\\tab}{\\*\\pn\\pnlvlbody}a\\par{\\listtext\\pard\\plain 5.\\tab}b\\par c\\par'),
    ).toEqual(['iv)', '5.', undefined])
  })

  it('are counted where none are written: with their start, by level, and anew where another begins so', () => {
    const overrides =
      '{\\*\\listoverridetable{\\listoverride\\listid7\\listoverridecount0\\ls1}{\\listoverride\\listid7\\listoverridecount1{\\lfolevel\\listoverridestartat\\levelstartat1}\\ls2}}'
    const item = (ls: number, level = 0) => `\\pard\\ls${ls}\\ilvl${level} x\\par`
    const rtf =
      list(3, "\\'02\\'00.") +
      overrides +
      item(1) +
      item(1, 1) +
      item(1, 1) +
      item(1) +
      '\\pard y\\par' +
      item(1) +
      item(2) +
      item(2)
    expect(labels(rtf)).toEqual(['3.', '3.a)', '3.b)', '4.', undefined, '5.', '1.', '2.'])
  })
})

describe('the notes of a rich text document', () => {
  it.each(['{\\*\\footnote ', '{\\footnote ', '{\\*\\footnote\\pard\\plain{\\super\\chftn} '])(
    'are kept apart from its sentences: %s',
    (begin) => {
      const [first] = paragraphs(read(`Warfarin 5 mg daily{\\super\\chftn}${begin}STOP from 3 May.}, at night\\par`))
      const mark = first?.pieces.find(({ note }) => note)
      expect(first && textOf(first.pieces)).toBe('Warfarin 5 mg daily1, at night')
      expect(mark).toMatchObject({ text: '1', script: 'super' })
      expect(mark?.note?.map(({ pieces }) => textOf(pieces))).toEqual(['1 STOP from 3 May.'])
    },
  )

  it('are numbered where no mark was written', () => {
    const [first] = paragraphs(read('once{\\footnote not at night} a day\\par'))
    expect(first?.pieces).toMatchObject([{ text: 'once' }, { text: '1', note: [{}] }, { text: ' a day' }])
  })

  it('stand at the end where they are endnotes, and keep the mark that their writer chose', () => {
    const rtf = 'a{\\chftn{\\*\\footnote\\ftnalt{\\chftn} last}} b*{\\*\\footnote * own}\\par'
    const blocks = read(rtf)
    expect(blocks.map(({ kind }) => kind)).toEqual(['paragraph', 'rule', 'paragraph'])
    expect(paragraphs(blocks).map(({ pieces }) => textOf(pieces))).toEqual(['ai b*', 'i last'])
    expect(paragraphs(blocks)[0]?.pieces.find(({ note }) => note)).toMatchObject({
      text: '*',
      note: [{ pieces: [{ text: '* own' }] }],
    })
  })
})

describe('the pages of a rich text document', () => {
  const sections = (rtf: string) => read(rtf).filter((block): block is Section => block.kind === 'section')

  it('have their size, headers and footers with numbers, and columns', () => {
    const field = '{\\field{\\*\\fldinst { NUMPAGES }}{\\fldrslt {9}}}'
    const rtf = `\\paperw11906\\paperh16838\\margl1134\\titlepg{\\headerf Clinic\\par}{\\header\\qr Dr. Lee\\par}{\\footer \\chpgn /${field}\\par}one\\par\\sect\\sectd\\sbknone\\cols2\\colsx400 two\\par`
    const [first, second] = sections(rtf)
    expect(first).toMatchObject({
      page: { width: 595.3, left: 56.7, right: 90 },
      header: { first: [{ kind: 'paragraph' }] },
    })
    expect(first?.header?.usual?.map(textIn)).toEqual(['Dr. Lee'])
    expect(first?.footer?.usual).toMatchObject([
      {
        pieces: [{ field: 'page' }, { text: ' /' }, { field: 'pages' }].map((piece) =>
          piece.text === ' /' ? { text: '/' } : piece,
        ),
      },
    ])
    expect(second).toMatchObject({ columns: { count: 2, gap: 20 }, isContinuous: true })
    expect(sections('only text\\par')).toEqual([])
  })

  it('begin where the writer began one', () => {
    expect(read('one\\page two\\par{\\pard\\pagebb three\\par}').map(({ kind }) => kind)).toEqual(
      'paragraph page-break paragraph page-break paragraph'.split(' '),
    )
  })
})

describe('the drawings of a rich text document', () => {
  const shape = (own: string, instead = '') =>
    `{\\shp{\\*\\shpinst\\shpleft20\\shptop40\\shpright2020\\shpbottom440\\shpbypara\\shpbxcolumn${own}}{\\shprslt${instead}}}`
  const property = (name: string, value: string) => `{\\sp{\\sn ${name}}{\\sv ${value}}}`
  const drawings = (rtf: string) => read(rtf).filter((block): block is Drawing => block.kind === 'drawing')

  it('are shown once, with what is written in them', () => {
    const box = shape(
      `${property('shapeType', '202')}{\\shptxt In a box\\par}`,
      '{\\*\\do{\\dptxbxtext In a box\\par}}',
    )
    const blocks = read(`Before ${box}after\\par`)
    expect(blocks.map(textIn)).toEqual(['In a box', 'Before after'])
    expect(blocks[0]).toMatchObject({
      width: 100,
      height: 20,
      shapes: [{ outline: 'rectangle' }],
      place: { x: { from: 'text', at: 1 }, y: { at: 2 } },
    })
    expect(drawings('{\\*\\do\\dptxbx{\\dptxbxtext Old box\\par}\\dpxsize2000\\dpysize400}x\\par').map(textIn)).toEqual(
      ['Old box'],
    )
  })

  it('are arrows and lines, alone and in groups, and pictures, also in binary', () => {
    const part = (left: number) =>
      `{\\shp{\\*\\shpinst${property('relLeft', `${left}`)}${property('relRight', `${left + 50}`)}${property('relTop', '0')}${property('relBottom', '100')}${property('shapeType', '20')}${property('lineEndArrowhead', '1')}}}`
    const group = `{\\shpgrp{\\*\\shpinst\\shpleft0\\shptop0\\shpright2000\\shpbottom2000${property('groupLeft', '0')}${property('groupRight', '100')}${property('groupTop', '0')}${property('groupBottom', '100')}${part(0)}${part(50)}}}`
    expect(drawings(`${group}x\\par`)).toMatchObject([
      { shapes: [{ x: 0, width: 50, outline: 'line', arrows: { end: true } }, { x: 50 }] },
    ])
    const picture = shape(
      `${property('shapeType', '75')}{\\sp{\\sn pib}{\\sv {\\pict{\\*\\picprop${property('x', '1')}}\\pngblip\\bin4 {}\\}}}}`,
    )
    expect(drawings(`${picture}x\\par`)).toMatchObject([{ shapes: [{ picture: Buffer.from('{}\\}') }] }])
  })

  it('that are not drawn are told, and nothing else is', () => {
    const metafile = '{\\*\\shppict{\\pict\\emfblip 0100}}{\\nonshppict{\\pict\\wmetafile8 0100}}'
    expect(
      readAll(`${metafile}x{\\object{\\*\\objdata 00}{\\result }}{\\mmath{\\*\\moMath{\\mr E}}}\\par`).undrawn,
    ).toEqual(['drawing', 'embedded object', 'equation'])
    const picture =
      '{\\*\\shppict{\\pict\\pngblip\\picwgoal400\\pichgoal200 89504e\n47}}{\\nonshppict{\\pict\\wmetafile8 0100}}'
    const { blocks, undrawn, notes } = readAll(picture)
    expect(blocks).toEqual([
      { kind: 'picture', bytes: Buffer.from('89504e47', 'hex'), description: '', size: { width: 20, height: 10 } },
    ])
    expect([undrawn, notes]).toEqual([[], []])
  })
})

describe('the tables of a rich text document', () => {
  const tables = (rtf: string) => read(rtf).filter((block): block is Table => block.kind === 'table')

  it('have cells over several columns, and tables in cells', () => {
    const rtf =
      '\\trowd\\trhdr\\clbrdrl\\brdrs\\cellx3000\\intbl head\\cell\\row\\trowd\\cellx1000\\cellx3000\\intbl a\\cell\\pard\\intbl\\itap2 in\\nestcell ner\\nestcell{\\*\\nesttableprops\\trowd\\cellx500\\cellx900\\nestrow}{\\nonesttables\\par}\\pard\\intbl\\itap1 b\\cell\\row\\pard end\\par'
    const [table] = tables(rtf)
    expect(table).toMatchObject({ headings: 1, isBare: false })
    expect(table?.rows.map((row) => row.map(({ span }) => span))).toEqual([[2], [1, 1]])
    expect(table?.rows[1]?.[1]?.blocks?.map(textIn)).toEqual(['in ner', 'b'])
  })
})

describe('a rich text document that is made to harm', () => {
  it('takes no more than it holds', () => {
    expect(() => read('{'.repeat(100_000))).toThrow(expect.objectContaining({ code: 'broken' }))
    expect(read('{\\*\\footnote{\\shp{\\shptxt'.repeat(1000) + ' x\\par').length).toBeLessThan(10)
    expect(read(`\\trowd${'\\cellx1'.repeat(100_000)}\\intbl x\\cell\\row`)).toHaveLength(1)
    expect(texts('}}}x\\par')).toEqual(['x'])
  })
})
