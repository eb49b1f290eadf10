import { describe, expect, it } from 'vitest'
import { type Block, textIn, textOf } from '../flow.ts'
import { readHtml } from './read-html.ts'

const texts = (html: string) => readHtml(html).blocks.map(textIn)
const kinds = (blocks: readonly Block[]) => blocks.map(({ kind }) => kind)

describe('a page', () => {
  it('is its paragraphs, with white space as browsers show it', () => {
    expect(texts('<body> <p>One  \n two<br> three </p>four<div>five <b>six</b></div></body>')).toEqual([
      'One two\nthree',
      'four',
      'five six',
    ])
    expect(texts('<pre>\n a\n  b</pre>')).toEqual([' a\n  b'])
  })

  it('tells headings, lists, looks and rules apart', () => {
    const { blocks } = readHtml(
      '<h1>T</h1><ol start=3><li>x<ul><li>y</li></ul></li><li>z</li></ol><hr><p>a <s>b</s></p>',
    )
    expect(blocks).toMatchObject([
      { style: 'title' },
      { marker: '3.', indent: 1 },
      { marker: '•', indent: 2 },
      { marker: '4.', indent: 1 },
      { kind: 'rule' },
      { pieces: [{ text: 'a ' }, { text: 'b', struck: true }] },
    ])
  })

  it('shows nothing that a browser hides, and what was entered in its fields', () => {
    const html =
      '<script>1</script><style>2</style><p hidden>3</p><p style="display: none">4</p><template>5</template><input type=hidden value=6>'
    expect(texts(html)).toEqual([])
    const form =
      '<p><input type=checkbox checked>Yes <input type=checkbox>No <input value="Ann"> <select><option>A<option selected>B</select></p><textarea>x\n y</textarea>'
    expect(texts(form)).toEqual(['[x] Yes [ ] No Ann B', 'x\n y'])
  })

  it('raises exponents and lowers indices, and shows all that was chosen', () => {
    const html = '<p>10<sup>9</sup>/l, H<span style="vertical-align: sub">2</span>O</p>'
    expect(readHtml(html).blocks).toMatchObject([
      { pieces: [{ text: '10' }, { text: '9', script: 'super' }, {}, { text: '2', script: 'sub' }, {}] },
    ])
    const choices =
      '<select multiple><option selected>A<option>B<option selected>C</select> <select><optgroup><option>D<option selected>E</optgroup></select>'
    expect(texts(choices)).toEqual(['A, C E'])
  })

  it('says that drawings and formulas are left out', () => {
    for (const html of ['<svg><text>x</text></svg>', '<math><mi>x</mi></math>', '<iframe src="x"></iframe>']) {
      expect(readHtml(`<p>text</p>${html}`).notes).toEqual([expect.stringContaining('Drawings')])
    }
  })

  it('draws the pictures that are in it, and says that others are left out', () => {
    const dot = Buffer.from('dot')
    const html = `<img src="data:image/png;base64,${dot.toString('base64')}"><img src="cid:a@b"><img src="http://example.com/x.png" alt="Logo"><img src="http://example.com/t.gif" width=1 height=1>`
    const flow = readHtml(html, new Map([['a@b', dot]]))
    expect(kinds(flow.blocks)).toEqual(['picture', 'picture', 'paragraph'])
    expect(flow.blocks.map(textIn)).toEqual(['', '', '[Logo]'])
    expect(flow.notes).toEqual([expect.stringContaining('left out')])
  })

  it('of any nesting is read or refused, and never breaks the reader', () => {
    expect(texts(`${'<div>'.repeat(300)}deep`)).toEqual(['deep'])
    const refused = expect.objectContaining({ code: 'broken' })
    expect(() => readHtml('<div>'.repeat(100_000))).toThrow(refused)
    expect(() => readHtml('<table><tr><td>'.repeat(1000))).toThrow(refused)
  })
})

describe('a table', () => {
  it('keeps every value in its column, also beside cells that reach down', () => {
    const html =
      '<table><tr><th>A<th>B<th>C</tr><tr><td rowspan=2>1<td>2<td>3</tr><tr><td>4<td>5</tr><tr><td colspan=2>6<td>7</tr></table>'
    const [table] = readHtml(html).blocks
    if (table?.kind !== 'table') throw new Error('No table was read.')
    expect(table.headings).toBe(1)
    expect(table.rows.map((row) => row.map(({ pieces, span }) => textOf(pieces) + ':'.repeat(span - 1)))).toEqual([
      ['A', 'B', 'C'],
      ['1', '2', '3'],
      ['', '4', '5'],
      ['6:', '7'],
    ])
  })

  it('loses nothing that is written beside its cells, and shows no hidden row', () => {
    const html =
      '<table>above<form><tr><td>1<td>2</tr></form><tr><td>3</td><b>4</b></tr><tr style="display:none"><td>5<td>6</tr></table>'
    expect(texts(html)).toEqual(['above', '1 2 3 4'])
  })

  it('that only places other things is read as these', () => {
    expect(texts('<table><tr><td><table><tr><td>a<td>b</tr></table></td><td><p>c</p></td></tr></table>')).toEqual([
      'a b',
      'c',
    ])
    expect(texts('<table><tr><td>one</td></tr><tr><td>two</td></tr></table>')).toEqual(['one', 'two'])
  })
})
