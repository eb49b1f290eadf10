import type { Letter, Level, Part, Run } from './office-letters.ts'

/**
 * How programs write: Word with its list table and, for older readers, each number as text; others with the table alone;
 * old ones with numbers as text alone, and with bytes of a code page.
 */
export type RtfHabit = 'word' | 'table' | 'old'

const formats = { decimal: 0, upperRoman: 1, lowerRoman: 2, upperLetter: 3, lowerLetter: 4, bullet: 23 }
const aligns = { left: 'ql', center: 'qc', right: 'qr', both: 'qj' }
const looks: Partial<Record<NonNullable<Run['look']>, string>> = {
  bold: 'b',
  hidden: 'v',
  raised: 'super',
  deleted: 'deleted\\revauthdel1',
  inserted: 'revised\\revauth1',
}
const hex = (code: number) => `\\'${code.toString(16).padStart(2, '0')}`

class RtfWriter {
  readonly #letter: Letter
  readonly #habit: RtfHabit
  #numbers = 0

  constructor(letter: Letter, habit: RtfHabit) {
    this.#letter = letter
    this.#habit = habit
  }

  write(): Uint8Array {
    const { header, footer, firstHeader, lists, parts } = this.#letter
    const fonts = '{\\fonttbl{\\f0\\froman\\fcharset0 Times New Roman;}{\\f1\\ftech\\fcharset2 Symbol;}}'
    const tables =
      this.#habit === 'old'
        ? ''
        : `{\\*\\listtable${lists.map(list).join('')}}{\\*\\listoverridetable${lists.map((_, n) => `{\\listoverride\\listid${n + 1}\\listoverridecount0\\ls${n + 1}}`).join('')}}`
    const field = (name: string) => `{\\field{\\*\\fldinst { ${name} }}{\\fldrslt {1}}}`
    const page = this.#habit === 'old' ? '\\chpgn ' : field('PAGE')
    const body = [
      `{\\rtf1\\ansi\\ansicpg1252\\uc1\\deff0${fonts}${tables}{\\*\\revtbl{Unknown;}{Ann;}}{\\info{\\title None of the text}}`,
      '\\paperw12240\\paperh15840\\margl1440\\margr1440\\ftnnar\\aftnnrlc\\sectd',
      firstHeader === '' ? '' : `\\titlepg{\\headerf\\pard\\plain ${this.#text(firstHeader)}\\par}`,
      header === '' ? '' : `{\\header\\pard\\plain ${this.#text(header)}\\par}`,
      footer === '' ? '' : `{\\footer\\pard\\plain\\qc ${this.#text(footer)} ${page} of ${field('NUMPAGES')}\\par}`,
      ...parts.map((part) => this.#part(part)),
      '}',
    ]
    return Buffer.from(body.join('\r\n'), 'latin1')
  }

  #part(part: Part): string {
    if (part.kind === 'text') return `\\pard\\plain\\${aligns[part.align]} ${this.#runs(part.runs)}\\par`
    if (part.kind === 'item') return this.#item(part)
    if (part.kind === 'table') {
      const edges = part.rows[0]!.map((_, column) => `\\cellx${2000 * (column + 1)}`).join('')
      const cells = (row: string[]) => row.map((cell) => `\\pard\\intbl ${this.#text(cell)}\\cell `).join('')
      return part.rows.map((row) => `\\trowd${edges}${cells(row)}\\row`).join('\r\n')
    }
    if (part.kind === 'box') return `\\pard\\plain ${this.#box(part.text)}\\par`
    const texts = part.texts.map((each) => `\\pard\\plain ${this.#text(each)}\\par`).join('')
    return `\\sect\\sectd\\sbknone\\cols2\\colsx720 ${texts}\\sect\\sectd\\sbknone`
  }

  #item({ list: index, level, runs }: Extract<Part, { kind: 'item' }>): string {
    const { format } = this.#letter.lists[index]![level]!
    const number = format === 'bullet' ? "\\'b7" : this.#letter.numbers[this.#numbers++]![0]
    const indent = `\\fi-720\\li${720 * (level + 1)}`
    const text = `${this.#runs(runs)}\\par`
    if (this.#habit === 'old')
      return `\\pard\\plain${indent}{\\pntext\\f0 ${number}\\tab}{\\*\\pn\\pnlvlblt{\\pntxtb\\'b7}}${text}`
    const shown = this.#habit === 'word' ? `{\\listtext\\pard\\plain\\f0 ${number}\\tab}` : ''
    return `\\pard\\plain${shown}\\ilvl${level}\\ls${index + 1}${indent} ${text}`
  }

  #box(text: string): string {
    const shown = this.#text(text)
    const place = '\\shpleft0\\shptop0\\shpright6000\\shpbottom700\\shpbxcolumn\\shpbypara\\shpwr1\\shpwrk3'
    const old = `{\\shprslt{\\*\\do\\dobxcolumn\\dobypara\\dptxbx{\\dptxbxtext\\pard\\plain ${shown}\\par}}}`
    return `{\\shp{\\*\\shpinst${place}{\\sp{\\sn shapeType}{\\sv 202}}{\\shptxt\\pard\\plain ${shown}\\par}}${old}}`
  }

  #runs(runs: readonly Run[]): string {
    return runs.map((run) => this.#run(run)).join('')
  }

  #run({ text, look, note }: Run): string {
    if (note) {
      const star = this.#habit === 'table' ? '' : '\\*'
      const kind = note.kind === 'endnote' ? '\\ftnalt' : ''
      return `{\\super\\chftn{${star}\\footnote${kind}\\pard\\plain{\\super\\chftn} ${this.#text(note.text)}}}`
    }
    if (look === 'symbol') return this.#habit === 'word' ? "{\\f1\\u-3999\\'61}" : '{\\f1 a}'
    const name = look && looks[look]
    return name ? `{\\${name} ${this.#text(text)}}` : this.#text(text)
  }

  /** Letters beyond ASCII as a program of that habit writes them. */
  #text(text: string): string {
    return text
      .replaceAll('\t', '\\tab ')
      .replaceAll('\n', '\\line ')
      .replace(/[^\0-\x7f]/g, (letter) => {
        const code = letter.charCodeAt(0)
        return this.#habit === 'old' ? hex(code) : `\\u${code}${hex(code)}`
      })
  }
}

function list(levels: readonly Level[], index: number): string {
  const each = levels.map(({ format, before, after, shown, start }, depth) => {
    const numbers = Array.from({ length: shown }, (_, at) => hex(depth + 1 - shown + at))
    const length = before.length + after.length + 2 * shown - 1
    const places = numbers.map((_, at) => hex(before.length + 1 + 2 * at)).join('')
    const pattern = format === 'bullet' ? "\\'01\\u8226 ?" : `${hex(length)}${before}${numbers.join('.')}${after}`
    return `{\\listlevel\\levelnfc${formats[format]}\\leveljc0\\levelfollow0\\levelstartat${start}{\\leveltext${pattern};}{\\levelnumbers${format === 'bullet' ? '' : places};}\\fi-720\\li${720 * (depth + 1)}}`
  })
  return `{\\list\\listtemplateid${index + 1}${each.join('')}{\\listname ;}\\listid${index + 1}}`
}

/** A letter as rich text (RTF 1.9.1). */
export const letterAsRtf = (letter: Letter, habit: RtfHabit): Uint8Array => new RtfWriter(letter, habit).write()
