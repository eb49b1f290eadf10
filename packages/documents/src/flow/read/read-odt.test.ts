import { describe, expect, it } from 'vitest'
import { textIn } from '../flow.ts'
import { odtFile } from '../testing/office-files.ts'
import { readOdt } from './read-odt.ts'

const read = (text: string, styles = '', header = '') => readOdt(odtFile({ text, styles, header })).blocks
const texts = (text: string, styles = '') => read(text, styles).slice(1).map(textIn)

describe('an OpenDocument text', () => {
  it('is read with its header, looks, lists and tables, without deleted text', () => {
    const text =
      '<text:tracked-changes><text:p>old</text:p></text:tracked-changes><text:h text:outline-level="1">T</text:h><text:p>a<text:s text:c="2"/><text:span text:style-name="B">b</text:span></text:p><text:list><text:list-item><text:p>i</text:p></text:list-item></text:list><table:table><table:table-row><table:table-cell><text:p>1</text:p></table:table-cell><table:table-cell><text:p>2</text:p></table:table-cell></table:table-row></table:table>'
    const styles = '<style:style style:name="B"><style:text-properties fo:font-weight="bold"/></style:style>'
    const blocks = read(text, styles, '<text:p>Clinic</text:p>')
    expect(blocks.map(textIn)).toEqual(['Clinic', 'T', 'a\u00a0\u00a0b', '•i', '1 2'])
    expect(blocks[2]).toMatchObject({ pieces: [{}, {}, { text: 'b', bold: true }] })
  })

  it('has a letterhead on the first page alone; exponents are raised, and what a picture shows is not printed', () => {
    const first =
      '</style:header><style:header-first><text:p>Letterhead</text:p></style:header-first><style:header-left style:display="false"><text:p>unseen</text:p></style:header-left><style:header>'
    const styles = '<style:style style:name="U"><style:text-properties style:text-position="super 58%"/></style:style>'
    const text =
      '<text:p>10<text:span text:style-name="U">9</text:span><draw:frame><svg:title>a dog</svg:title></draw:frame></text:p>'
    const blocks = read(text, styles, first)
    expect(blocks[0]).toMatchObject({ header: { first: [{ pieces: [{ text: 'Letterhead' }] }], usual: [] } })
    expect(blocks[0]).not.toHaveProperty('header.even')
    expect(blocks[1]).toMatchObject({ pieces: [{ text: '10' }, { text: '9', script: 'super' }] })
  })

  it('has list numbers as they are: formats, levels, starts, and lists that go on', () => {
    const level = (at: number, more: string) => `<text:list-level-style-number text:level="${at}" ${more}/>`
    const styles = `<text:list-style style:name="L">${level(1, 'style:num-format="I" style:num-suffix="."')}${level(2, 'style:num-format="a" style:num-suffix=")" text:display-levels="2"')}</text:list-style>`
    const item = (inside: string, more = '') => `<text:list-item${more}>${inside}</text:list-item>`
    const list = (inside: string, more = '') => `<text:list text:style-name="L"${more}>${inside}</text:list>`
    const p = '<text:p>x</text:p>'
    const text = [
      list(item(p + `<text:list>${item(p)}${item(p)}</text:list>`) + item(p)),
      list(item(p), ' text:continue-numbering="true"'),
      list(item(p, ' text:start-value="9"') + item(`<text:list>${item(p)}</text:list>`)),
    ].join('')
    expect(texts(text, styles)).toEqual(['I.x', 'I.a)x', 'I.b)x', 'II.x', 'III.x', 'IX.x', 'IX.a)x'])
  })

  it('has notes with their marks, and page numbers', () => {
    const note = (kind: string, text: string) =>
      `<text:note text:note-class="${kind}"><text:note-citation>?</text:note-citation><text:note-body><text:p>${text}</text:p></text:note-body></text:note>`
    const [, first, , end] = read(
      `<text:p>daily${note('footnote', 'STOP')}${note('endnote', 'Source')}<text:page-number>3</text:page-number></text:p>`,
    )
    expect(first).toMatchObject({
      pieces: [
        {},
        { text: '1', script: 'super', note: [{ pieces: [{ text: '1', script: 'super' }, {}, { text: 'STOP' }] }] },
        { text: 'i' },
        { field: 'page' },
      ],
    })
    expect(end && textIn(end)).toBe('i Source')
  })

  it('shows text boxes and shapes at their places, and names what it does not draw', () => {
    const box =
      '<draw:frame svg:x="1in" svg:y="2in" svg:width="2in" svg:height="1in"><draw:text-box><text:p>boxed</text:p></draw:text-box></draw:frame>'
    const arrow = '<draw:line svg:x1="3in" svg:y1="1in" svg:x2="1in" svg:y2="1in"/>'
    const object = '<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame>'
    const { blocks, undrawn } = readOdt(odtFile({ text: `<text:p>${box}${arrow}${object}x</text:p>` }))
    expect(blocks[1]).toMatchObject({
      width: 144,
      place: { x: { from: 'text', at: 72 }, y: { at: 144 } },
      shapes: [{ text: [{ pieces: [{ text: 'boxed' }] }] }],
    })
    expect(blocks[2]).toMatchObject({ shapes: [{ outline: 'line', isFlippedAcross: true, width: 144 }] })
    expect(undrawn).toEqual(['embedded object'])
  })
})
