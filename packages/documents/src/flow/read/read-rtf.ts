import { escapeHtml } from '../escape.ts'
import type { Flow } from '../flow.ts'
import { noteSimple } from './read-docx.ts'
import { readHtml } from './read-html.ts'

/** Groups that are no text of the document. */
const skipped = new Set(
  'fonttbl colortbl stylesheet info filetbl listtable listoverridetable rsidtbl generator themedata colorschememapping datastore latentstyles xmlnstbl fldinst pntext bkmkstart bkmkend nonshppict objdata revtbl annotation atnid atnauthor atndate private mmathPr'.split(
    ' ',
  ),
)
const signs: Readonly<Record<string, string>> = {
  tab: '\u00a0\u00a0\u00a0\u00a0',
  emdash: '—',
  endash: '–',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  bullet: '•',
  emspace: ' ',
  enspace: ' ',
  line: '<br>',
  '~': '\u00a0',
  _: '-',
  '-': '',
}
const looks: Readonly<Record<string, string>> = { b: 'b', ul: 'u', strike: 's' }
const token = /\\([a-zA-Z]+)(-?\d+)? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|([^\\{}\r\n]+)|[\r\n]+/g

interface Group {
  isSkipped: boolean
  /** Characters that stand in for one of Unicode. */
  stand: number
  looks: ReadonlySet<string>
  /** Hexadecimal digits of a picture. */
  picture: boolean
}

const codePages: Readonly<Record<string, string>> = { '10000': 'macintosh', '65001': 'utf-8' }

function decoderOf(rtf: string): InstanceType<typeof TextDecoder> {
  const page = /\\ansicpg(\d+)/.exec(rtf)?.[1] ?? '1252'
  try {
    return new TextDecoder(codePages[page] ?? `windows-${page}`)
  } catch {
    return new TextDecoder('windows-1252')
  }
}

class RtfReader {
  readonly pictures = new Map<string, Uint8Array>()
  readonly #decoder: ReturnType<typeof decoderOf>
  readonly #groups: Group[] = [{ isSkipped: false, stand: 1, looks: new Set(), picture: false }]
  #html: string[] = []
  #paragraph = ''
  #row: string[] = []
  #digits = ''
  #toSkip = 0
  #bytes: number[] = []
  /** Whether a table is open, and whether the paragraph belongs to a cell. */
  #inTable = false
  #isCell = false

  constructor(rtf: string) {
    this.#decoder = decoderOf(rtf)
  }

  /** The document as HTML. */
  read(rtf: string): string {
    for (const [, word, number, hex, sign, brace, text] of rtf.matchAll(token)) {
      if (hex === undefined) this.#endBytes()
      if (word !== undefined) this.#word(word, number === undefined ? undefined : Number(number))
      else if (hex !== undefined) this.#byte(Number.parseInt(hex, 16))
      else if (sign !== undefined) this.#sign(sign)
      else if (brace === '{') this.#groups.push({ ...this.#group })
      else if (brace === '}') this.#close()
      else if (text !== undefined) this.#text(text)
    }
    this.#isCell = false
    this.#endParagraph()
    this.#endTable()
    return this.#html.join('')
  }

  get #group(): Group {
    return this.#groups.at(-1)!
  }

  #word(word: string, number: number | undefined): void {
    const group = this.#group
    if (skipped.has(word)) group.isSkipped = true
    else if (word === 'shppict') group.isSkipped = false
    else if (word === 'pict') group.picture = true
    else if (word === 'pard') this.#isCell = false
    else if (word === 'intbl') this.#isCell = true
    else if (word === 'uc') group.stand = number ?? 1
    else if (word === 'plain') group.looks = new Set()
    else if (word === 'ulnone') group.looks = new Set([...group.looks].filter((look) => look !== 'u'))
    else if (word in looks) this.#look(looks[word]!, number !== 0)
    else if (group.isSkipped || group.picture) return
    else if (word === 'u') this.#unicode(number ?? 0)
    else if (word === 'par' || word === 'sect') this.#endParagraph()
    else if (word === 'page') this.#append('<hr class="page-break">')
    else if (word === 'cell') this.#endCell()
    else if (word === 'row') this.#endRow()
    else if (word in signs) this.#append(signs[word]!)
  }

  #look(look: string, isOn: boolean): void {
    const others = [...this.#group.looks].filter((each) => each !== look)
    this.#group.looks = new Set(isOn ? [...others, look] : others)
  }

  /** `\u` takes signed 16-bit numbers, and is followed by what older readers show instead. */
  #unicode(number: number): void {
    this.#append(escapeHtml(String.fromCharCode(number < 0 ? number + 65_536 : number)))
    this.#toSkip = this.#group.stand
  }

  #byte(byte: number): void {
    if (this.#toSkip > 0) this.#toSkip -= 1
    else this.#bytes.push(byte)
  }

  #endBytes(): void {
    if (this.#bytes.length === 0) return
    const text = this.#decoder.decode(Uint8Array.from(this.#bytes))
    this.#bytes = []
    this.#append(escapeHtml(text))
  }

  #sign(sign: string): void {
    if (sign === '*') this.#group.isSkipped = true
    else if (sign === '\n' || sign === '\r') this.#endParagraph()
    else this.#append(signs[sign] ?? escapeHtml(sign))
  }

  #text(text: string): void {
    if (this.#group.picture) {
      if (!this.#group.isSkipped) this.#digits += text.replace(/\s/g, '')
      return
    }
    const skip = Math.min(this.#toSkip, text.length)
    this.#toSkip -= skip
    this.#append(escapeHtml(text.slice(skip)))
  }

  #append(html: string): void {
    const { isSkipped, picture, looks: own } = this.#group
    if (isSkipped || picture || html === '') return
    const open = [...own].map((look) => `<${look}>`).join('')
    const close = [...own]
      .map((look) => `</${look}>`)
      .reverse()
      .join('')
    this.#paragraph += `${open}${html}${close}`
  }

  #close(): void {
    const { picture, isSkipped } = this.#group
    if (this.#groups.length > 1) this.#groups.pop()
    if (!picture || this.#group.picture) return
    const bytes = Buffer.from(this.#digits, 'hex')
    this.#digits = ''
    if (isSkipped || bytes.length === 0) return
    const name = `picture-${this.pictures.size}`
    this.pictures.set(name, bytes)
    this.#append(`<img src="cid:${name}">`)
  }

  #endParagraph(): void {
    if (this.#isCell || this.#row.length > 0) {
      if (this.#paragraph !== '') this.#paragraph += '<br>'
      return
    }
    if (this.#paragraph === '') return
    this.#endTable()
    this.#html.push(`<p>${this.#paragraph}</p>`)
    this.#paragraph = ''
  }

  #endCell(): void {
    this.#row.push(`<td>${this.#paragraph}</td>`)
    this.#paragraph = ''
  }

  #endRow(): void {
    if (!this.#inTable) this.#html.push('<table>')
    this.#inTable = true
    this.#html.push(`<tr>${this.#row.join('')}</tr>`)
    this.#row = []
  }

  #endTable(): void {
    if (this.#row.length > 0) this.#endRow()
    if (this.#inTable) this.#html.push('</table>')
    this.#inTable = false
  }
}

/**
 * A rich text document (RTF 1.9.1): text with its code page, tables and PNG and JPEG pictures. Embedded objects are left
 * out.
 */
export function readRtf(bytes: Uint8Array): Flow {
  const rtf = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  const reader = new RtfReader(rtf)
  const flow = readHtml(reader.read(rtf), reader.pictures)
  return { ...flow, notes: [noteSimple, ...flow.notes] }
}
