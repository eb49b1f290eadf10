import type { Letter, Level, Part, Run } from './office-letters.ts'
import { wordFile } from './office-files.ts'

const looks = {
  bold: '<w:b/>',
  raised: '<w:vertAlign w:val="superscript"/>',
  hidden: '<w:vanish/>',
  symbol: '',
  deleted: '',
  inserted: '',
}
const by = 'w:id="9" w:author="Ann" w:date="2026-11-22T10:00:00Z"'

class WordWriter {
  readonly #notes: Record<'footnote' | 'endnote', string[]> = { footnote: [], endnote: [] }
  readonly #letter: Letter

  constructor(letter: Letter) {
    this.#letter = letter
  }

  write(): Uint8Array {
    const { header, footer, firstHeader, lists } = this.#letter
    const body = this.#letter.parts.map((part) => this.#part(part)).join('')
    const pages = (name: string) => `<w:fldSimple w:instr=" ${name} \\* MERGEFORMAT ">${text('1')}</w:fldSimple>`
    const notes = (kind: 'footnote' | 'endnote') => this.#notes[kind].join('')
    return wordFile({
      body: body + this.#section(),
      ...(header === '' ? {} : { header: paragraph(text(header)) }),
      ...(footer === ''
        ? {}
        : { footer: paragraph(`${text(`${footer} `)}${pages('PAGE')}${text(' of ')}${pages('NUMPAGES')}`) }),
      ...(firstHeader === '' ? {} : { firstHeader: paragraph(text(firstHeader)) }),
      footnotes: notes('footnote'),
      endnotes: notes('endnote'),
      numbering: lists.map(abstract).join('') + lists.map(instance).join(''),
    })
  }

  #part(part: Part): string {
    if (part.kind === 'text') return paragraph(this.#runs(part.runs), `<w:jc w:val="${part.align}"/>`)
    if (part.kind === 'item') {
      const own = `<w:numPr><w:ilvl w:val="${part.level}"/><w:numId w:val="${part.list + 1}"/></w:numPr>`
      return paragraph(this.#runs(part.runs), own)
    }
    if (part.kind === 'table') {
      const cell = (content: string) =>
        `<w:tc><w:tcPr><w:tcW w:w="2000" w:type="dxa"/></w:tcPr>${paragraph(text(content))}</w:tc>`
      const rows = part.rows.map((row) => `<w:tr>${row.map(cell).join('')}</w:tr>`).join('')
      const grid = part.rows[0]!.map(() => '<w:gridCol w:w="2000"/>').join('')
      return `<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/></w:tblPr><w:tblGrid>${grid}</w:tblGrid>${rows}</w:tbl>`
    }
    if (part.kind === 'box') return paragraph(`<w:r>${box(paragraph(text(part.text)))}</w:r>`)
    const set = part.texts.map((each) => paragraph(text(each))).join('')
    return `${paragraph('', this.#section())}${set}${paragraph('', this.#section('<w:cols w:num="2" w:space="720"/>'))}`
  }

  #section(columns = ''): string {
    const { header, footer, firstHeader } = this.#letter
    const part = (content: string, place: string, type: string) =>
      content === ''
        ? ''
        : `<w:${place}Reference w:type="${type}" r:id="rId${type === 'first' ? 'firstHeader' : place}"/>`
    const parts =
      part(header, 'header', 'default') + part(firstHeader, 'header', 'first') + part(footer, 'footer', 'default')
    const first = firstHeader === '' ? '' : '<w:titlePg/>'
    return `<w:sectPr>${parts}<w:type w:val="continuous"/>${paper}${columns}${first}</w:sectPr>`
  }

  #runs(runs: readonly Run[]): string {
    return runs.map((run) => this.#run(run)).join('')
  }

  #run({ text: shown, look, note }: Run): string {
    if (note) {
      const id = this.#notes[note.kind].length + 1
      const look = '<w:rPr><w:vertAlign w:val="superscript"/></w:rPr>'
      const own = paragraph(`<w:r>${look}<w:${note.kind}Ref/></w:r>${text(` ${note.text}`)}`)
      this.#notes[note.kind].push(`<w:${note.kind} w:id="${id}">${own}</w:${note.kind}>`)
      return `<w:r>${look}<w:${note.kind}Reference w:id="${id}"/></w:r>`
    }
    if (look === 'symbol') return '<w:r><w:sym w:font="Symbol" w:char="F061"/></w:r>'
    if (look === 'deleted') return `<w:del ${by}>${text(shown).replaceAll('w:t', 'w:delText')}</w:del>`
    const run = text(shown, look && looks[look])
    return look === 'inserted' ? `<w:ins ${by}>${run}</w:ins>` : run
  }
}

const paragraph = (runs: string, look = '') => `<w:p><w:pPr>${look}</w:pPr>${runs}</w:p>`

function text(shown: string, look = ''): string {
  const parts = shown.split(/(\t|\n)/).map((part) => {
    return part === '\t' ? '<w:tab/>' : part === '\n' ? '<w:br/>' : `<w:t xml:space="preserve">${part}</w:t>`
  })
  return `<w:r><w:rPr>${look}</w:rPr>${parts.join('')}</w:r>`
}

const box = (content: string) =>
  `<mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:anchor distT="0" distB="0" distL="0" distR="0" simplePos="0" relativeHeight="2" behindDoc="0" locked="0" layoutInCell="1" allowOverlap="0"><wp:simplePos x="0" y="0"/><wp:positionH relativeFrom="column"><wp:posOffset>0</wp:posOffset></wp:positionH><wp:positionV relativeFrom="paragraph"><wp:posOffset>0</wp:posOffset></wp:positionV><wp:extent cx="3600000" cy="500000"/><wp:wrapTopAndBottom/><wp:docPr id="7" name="Box"/><a:graphic><a:graphicData uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><wps:wsp><wps:cNvSpPr txBox="1"/><wps:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="3600000" cy="500000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom><a:ln w="9525"/></wps:spPr><wps:txbx><w:txbxContent>${content}</w:txbxContent></wps:txbx><wps:bodyPr/></wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing></mc:Choice></mc:AlternateContent>`

const paper =
  '<w:pgSz w:w="12240" w:h="15840"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="720" w:footer="720"/>'

const abstract = (levels: readonly Level[], index: number) =>
  `<w:abstractNum w:abstractNumId="${index}"><w:multiLevelType w:val="multilevel"/>${levels.map(level).join('')}</w:abstractNum>`

function level({ format, before, after, shown, start }: Level, depth: number): string {
  const numbers = Array.from({ length: shown }, (_, at) => `%${depth + 2 - shown + at}`).join('.')
  const pattern = format === 'bullet' ? '•' : before + numbers + after
  const indent = `<w:pPr><w:ind w:left="${720 * (depth + 1)}" w:hanging="720"/></w:pPr>`
  return `<w:lvl w:ilvl="${depth}"><w:start w:val="${start}"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${pattern}"/>${indent}</w:lvl>`
}

/** Odd lists take their numbers from a list of that look, and begin anew by an override. */
const instance = (levels: readonly Level[], index: number) =>
  `<w:num w:numId="${index + 1}"><w:abstractNumId w:val="${index}"/>${
    index % 2
      ? levels
          .map(
            ({ start }, depth) =>
              `<w:lvlOverride w:ilvl="${depth}"><w:startOverride w:val="${start}"/></w:lvlOverride>`,
          )
          .join('')
      : ''
  }</w:num>`

/** A letter as Word writes it (ECMA-376). */
export const letterAsWord = (letter: Letter): Uint8Array => new WordWriter(letter).write()
