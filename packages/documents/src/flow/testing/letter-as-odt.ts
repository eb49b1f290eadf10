import { odtFile } from './office-files.ts'
import type { Letter, Level, Part, Run } from './office-letters.ts'

const formats = { decimal: '1', lowerRoman: 'i', upperRoman: 'I', lowerLetter: 'a', upperLetter: 'A', bullet: '' }
const looks: Partial<Record<NonNullable<Run['look']>, string>> = { bold: 'B', hidden: 'H', raised: 'R' }
const style = (name: string, family: string, inside: string) =>
  `<style:style style:name="${name}" style:family="${family}">${inside}</style:style>`
const properties = (kind: string, attributes: string) => `<style:${kind}-properties ${attributes}/>`
const styles = [
  ...['left', 'center', 'end', 'justify'].map((align) =>
    style(align, 'paragraph', properties('paragraph', `fo:text-align="${align}"`)),
  ),
  style('B', 'text', properties('text', 'fo:font-weight="bold"')),
  style('H', 'text', properties('text', 'text:display="none"')),
  style('R', 'text', properties('text', 'style:text-position="super 58%"')),
  style(
    'F',
    'graphic',
    properties('graphic', 'style:wrap="none" style:vertical-pos="from-top" style:vertical-rel="paragraph"'),
  ),
  '<style:style style:name="C" style:family="section"><style:section-properties><style:columns fo:column-count="2" fo:column-gap="0.5cm"><style:column style:rel-width="1*"/><style:column style:rel-width="1*"/></style:columns></style:section-properties></style:style>',
].join('')

class OdtWriter {
  readonly #letter: Letter
  /** By list, the name of the part of it that was written last. */
  readonly #begun = new Map<number, string>()
  readonly #changes: string[] = []
  #ids = 0

  constructor(letter: Letter) {
    this.#letter = letter
  }

  write(): Uint8Array {
    const { parts, lists, header, footer, firstHeader } = this.#letter
    const body: string[] = []
    for (let at = 0; at < parts.length; at++) {
      const part = parts[at]!
      if (part.kind !== 'item') body.push(this.#part(part))
      else {
        const items = [part]
        for (let next = parts[at + 1]; next?.kind === 'item' && next.list === part.list; next = parts[at + 1]) {
          items.push(next)
          at++
        }
        body.push(this.#list(items))
      }
    }
    const pages =
      '<text:page-number text:select-page="current">1</text:page-number> of <text:page-count>1</text:page-count>'
    const changed =
      this.#changes.length > 0 ? `<text:tracked-changes>${this.#changes.join('')}</text:tracked-changes>` : ''
    return odtFile({
      text: changed + body.join(''),
      styles: styles + lists.map(listStyle).join(''),
      header: header && paragraph(header),
      footer: footer && paragraph(`${footer} ${pages}`),
      firstHeader: firstHeader && paragraph(firstHeader),
    })
  }

  #part(part: Exclude<Part, { kind: 'item' }>): string {
    if (part.kind === 'text')
      return paragraph(
        this.#runs(part.runs),
        { left: 'left', center: 'center', right: 'end', both: 'justify' }[part.align],
      )
    if (part.kind === 'table') {
      const row = (cells: readonly string[]) =>
        `<table:table-row>${cells.map((cell) => `<table:table-cell>${paragraph(cell)}</table:table-cell>`).join('')}</table:table-row>`
      const columns = `<table:table-column table:number-columns-repeated="${part.rows[0]!.length}"/>`
      return `<table:table table:name="T${++this.#ids}">${columns}${part.rows.map(row).join('')}</table:table>`
    }
    if (part.kind === 'box') {
      const frame = `<draw:frame draw:style-name="F" draw:name="B${++this.#ids}" text:anchor-type="paragraph" svg:x="0cm" svg:y="0cm" svg:width="10cm" svg:height="1.4cm"><draw:text-box>${paragraph(part.text)}</draw:text-box></draw:frame>`
      return paragraph(frame)
    }
    const set = part.texts.map((each) => paragraph(each)).join('')
    return `<text:section text:style-name="C" text:name="S${++this.#ids}">${set}</text:section>`
  }

  /** Items of one list that follow each other; where others stand between, the list is continued. */
  #list(items: readonly Extract<Part, { kind: 'item' }>[]): string {
    const { list } = items[0]!
    const [id, before] = [`l${list}-${++this.#ids}`, this.#begun.get(list)]
    this.#begun.set(list, id)
    const continued = before === undefined ? '' : ` text:continue-list="${before}"`
    const up = '</text:list-item></text:list>'
    let [text, depth] = [`<text:list xml:id="${id}" text:style-name="L${list}"${continued}>`, 0]
    items.forEach(({ level, runs }, at) => {
      if (level > depth) text += '<text:list>'
      else if (at > 0) text += `${up.repeat(depth - level)}</text:list-item>`
      text += `<text:list-item>${paragraph(this.#runs(runs))}`
      depth = level
    })
    return text + up.repeat(depth + 1)
  }

  #runs(runs: readonly Run[]): string {
    return runs.map((run) => this.#run(run)).join('')
  }

  #run({ text, look, note }: Run): string {
    if (note) {
      const citation = `<text:note-citation>?</text:note-citation>`
      return `<text:note text:id="n${++this.#ids}" text:note-class="${note.kind}">${citation}<text:note-body>${paragraph(note.text)}</text:note-body></text:note>`
    }
    if (look === 'symbol') return 'α'
    const shown = text.replaceAll('\t', '<text:tab/>').replaceAll('\n', '<text:line-break/>').replace(/^ /, '<text:s/>')
    if (look === 'deleted' || look === 'inserted') return this.#change(look, shown)
    const name = look && looks[look]
    return name ? `<text:span text:style-name="${name}">${shown}</text:span>` : shown
  }

  #change(look: 'deleted' | 'inserted', shown: string): string {
    const id = `c${++this.#ids}`
    const [kind, inside] = look === 'deleted' ? ['deletion', paragraph(shown)] : ['insertion', '']
    this.#changes.push(
      `<text:changed-region xml:id="${id}" text:id="${id}"><text:${kind}><office:change-info><dc:creator>Ann</dc:creator><dc:date>2026-11-22T10:00:00</dc:date></office:change-info>${inside}</text:${kind}></text:changed-region>`,
    )
    if (look === 'deleted') return `<text:change text:change-id="${id}"/>`
    return `<text:change-start text:change-id="${id}"/>${shown}<text:change-end text:change-id="${id}"/>`
  }
}

const paragraph = (inside: string, name = 'left') => `<text:p text:style-name="${name}">${inside}</text:p>`

function listStyle(levels: readonly Level[], index: number): string {
  const each = levels.map(({ format, before, after, shown, start }, depth) => {
    const label = `<style:list-level-properties text:list-level-position-and-space-mode="label-alignment"><style:list-level-label-alignment text:label-followed-by="listtab" fo:text-indent="-1cm" fo:margin-left="${depth + 1}cm"/></style:list-level-properties>`
    if (format === 'bullet')
      return `<text:list-level-style-bullet text:level="${depth + 1}" text:bullet-char="•">${label}</text:list-level-style-bullet>`
    const sides = `style:num-prefix="${before}" style:num-suffix="${after}"`
    return `<text:list-level-style-number text:level="${depth + 1}" ${sides} style:num-format="${formats[format]}" text:start-value="${start}" text:display-levels="${shown}">${label}</text:list-level-style-number>`
  })
  return `<text:list-style style:name="L${index}">${each.join('')}</text:list-style>`
}

/** A letter as an OpenDocument text (ISO/IEC 26300). */
export const letterAsOdt = (letter: Letter): Uint8Array => new OdtWriter(letter).write()
