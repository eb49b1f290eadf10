import { describe, expect, it } from 'vitest'
import { textIn } from '../flow.ts'
import { readRtf } from './read-rtf.ts'

describe('a rich text document', () => {
  const read = (rtf: string) => readRtf(Buffer.from(`{\\rtf1\\ansi\\ansicpg1252 ${rtf}}`, 'latin1')).blocks

  it('is read with its code page, signs, looks and tables', () => {
    const rtf =
      "{\\fonttbl{\\f0 Arial;}}\\b Caf\\'e9\\b0  \\u8217?\\par{\\*\\generator X;}\\trowd\\intbl a\\par b\\cell c\\cell\\row\\pard after\\par"
    const blocks = read(rtf)
    expect(blocks.map(textIn)).toEqual(['Café ’', 'a\nb c', 'after'])
    expect(blocks[0]).toMatchObject({
      pieces: [{ text: 'Café', bold: true }, { text: ' ’' }],
    })
  })

  it('is read in the code page of each font, whose letters may be signs', () => {
    const fonts =
      '{\\fonttbl{\\f0\\fnil\\fcharset0 Calibri;}{\\f1\\fnil\\fcharset204{\\*\\panose 02}Arial Cyr;}{\\f2\\fcharset128 MS Mincho;}{\\f3\\ftech\\fcharset2 Symbol;}}'
    const rtf = `${fonts}5 \\f3 m\\f0 g \\f3\\'a3\\f0  9 \\f1\\'ef\\'f0 \\f2\\'82\\'a0\\'83A \\f0 raw \x93x\x94 {\\f3\\u-3997?}{\\field{\\*\\fldinst SYMBOL 98 \\\\f "Symbol" \\\\s 12}{\\fldrslt\\f3 ?}}{\\field{\\*\\fldinst DATE}{\\fldrslt May}}\\par`
    expect(read(rtf).map(textIn)).toEqual(['5 μg ≤ 9 пр あア raw “x” χβMay'])
  })

  it('keeps list numbers and exponents, and shows neither hidden nor deleted text', () => {
    const rtf =
      '{\\pntext\\f0 1.\\tab}{\\*\\pn\\pnlvlbody}10{\\super 9}/l{\\v secret}{\\deleted gone}\\striked1  struck\\striked0\\par\\constructor end\\par'
    const blocks = read(rtf)
    expect(blocks.map(textIn)).toEqual(['1.\u00a0\u00a0\u00a0\u00a010 9/l struck'.replace('10 9', '109'), 'end'])
    expect(blocks[0]).toMatchObject({
      pieces: [{}, { text: '9', script: 'super' }, {}, { text: ' struck', struck: true }],
    })
  })

  it('shows what stands in shapes once, text and pictures, also in binary', () => {
    const shape = (own: string, instead: string) => `{\\shp{\\*\\shpinst\\shpleft1${own}}{\\shprslt${instead}}}`
    const box = shape('{\\sp{\\sn lTxid}{\\sv 65536}}{\\shptxt In a box\\par}', '{\\*\\do{\\dptxbxtext In a box\\par}}')
    const picture = shape(
      '{\\sp{\\sn pib}{\\sv {\\pict{\\*\\picprop{\\sp{\\sn x}{\\sv 1}}}\\pngblip\\bin4 {}\\}}}}',
      '',
    )
    const blocks = read(`Before ${box}after\\par${picture}last\\par`)
    expect(blocks.map(textIn).join(' ')).toMatch(/^Before In a box after .*last$/)
    expect(blocks).toContainEqual({ kind: 'picture', bytes: Buffer.from('{}\\}'), description: '' })
  })

  it('draws its pictures', () => {
    const rtf = '{\\*\\shppict{\\pict\\pngblip 89504e\n47}}{\\nonshppict{\\pict\\wmetafile8 0100}}'
    expect(read(rtf)).toMatchObject([{ kind: 'picture', bytes: Buffer.from('89504e47', 'hex') }])
  })
})
