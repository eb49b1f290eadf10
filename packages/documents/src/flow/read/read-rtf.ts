import { escapeHtml } from '../escape.ts'
import type { Flow } from '../flow.ts'
import { readHtml } from './read-html.ts'
import { RtfFonts, signOf } from './rtf-fonts.ts'

/** Groups that are no text of the document. */
const skipped = new Set(
  'fonttbl colortbl stylesheet info filetbl listtable listoverridetable rsidtbl generator themedata colorschememapping datastore latentstyles xmlnstbl bkmkstart bkmkend nonshppict nonesttables objdata revtbl annotation atnid atnauthor atndate private mmathPr'.split(
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
  softline: '<br>',
  nestcell: '\u00a0\u00a0\u00a0\u00a0',
  '~': '\u00a0',
  _: '-',
  '-': '',
}
/** By what they are in HTML. Deleted is what a tracked change took away. */
const looks: Readonly<Record<string, string>> = {
  b: 'b',
  ...Object.fromEntries('ul uld uldash uldashd uldashdd uldb ulth ulw ulwave'.split(' ').map((word) => [word, 'u'])),
  strike: 's',
  striked: 's',
  super: 'sup',
  sub: 'sub',
  v: 'hidden',
  deleted: 'hidden',
}
/** What ends looks. */
const ends: Readonly<Record<string, readonly string[]>> = { ulnone: ['u'], nosupersub: ['sup', 'sub'] }
/** An instruction for a sign of a font of signs, its backslashes read. */
const symbol = /^\s*SYMBOL\s+(\d+)\s+f\s+"([^"]+)"/
const token = /\\([a-zA-Z]+)(-?\d+)? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|([^\\{}\r\n]+)|[\r\n]+/g

interface Group {
  isSkipped: boolean
  /** Characters that stand in for one of Unicode. */
  stand: number
  looks: ReadonlySet<string>
  font: number
  /** Hexadecimal digits of a picture. */
  picture: boolean
  /** A shape is described twice: as it is, and as what older readers show instead. */
  shape?: 'own' | 'instead'
  /** What a field is computed from. */
  isInstruction?: boolean
}

class RtfReader {
  readonly pictures = new Map<string, Uint8Array>()
  readonly #fonts: RtfFonts
  readonly #groups: Group[]
  #html: string[] = []
  #paragraph = ''
  #row: string[] = []
  #digits = ''
  #toSkip = 0
  #bytes: number[] = []
  #instruction = ''
  /** The sign of a field was shown, and what stands as its result is not. */
  #hasSign = false
  /** Whether a table is open, and whether the paragraph belongs to a cell. */
  #inTable = false
  #isCell = false

  constructor(rtf: string) {
    this.#fonts = new RtfFonts(rtf)
    this.#groups = [{ isSkipped: false, stand: 1, looks: new Set(), font: this.#fonts.usual, picture: false }]
  }

  /** The document as HTML. */
  read(rtf: string): string {
    const tokens = new RegExp(token)
    for (let found = tokens.exec(rtf); found; found = tokens.exec(rtf)) {
      const [, word, number, hex, sign, brace, text] = found
      // A character may have bytes of both kinds, and lines end anywhere.
      if (word !== undefined || sign !== undefined || brace !== undefined) this.#endBytes()
      if (word === 'bin') tokens.lastIndex = this.#binary(rtf, tokens.lastIndex, Number(number ?? 0))
      else if (word !== undefined) this.#word(word, number === undefined ? undefined : Number(number))
      else if (hex !== undefined) this.#byte(Number.parseInt(hex, 16))
      else if (sign !== undefined) this.#sign(sign)
      else if (brace === '{') this.#groups.push({ ...this.#group })
      else if (brace === '}') this.#close()
      else if (text !== undefined) this.#text(text)
    }
    this.#endBytes()
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
    else if (this.#destination(word, group)) return
    else if (word === 'pard') this.#isCell = false
    else if (word === 'intbl') this.#isCell = true
    else if (word === 'uc') group.stand = number ?? 1
    else if (word === 'f') group.font = number ?? this.#fonts.usual
    else if (word === 'plain') Object.assign(group, { looks: new Set(), font: this.#fonts.usual })
    else if (Object.hasOwn(ends, word)) for (const look of ends[word]!) this.#look(look, false)
    else if (Object.hasOwn(looks, word)) this.#look(looks[word]!, number !== 0)
    else if (word === 'nestrow') this.#paragraph += '<br>'
    else if (group.isSkipped || group.picture) return
    else if (word === 'u') this.#unicode(number ?? 0)
    else if (word === 'par' || word === 'sect') this.#endParagraph()
    else if (word === 'page') this.#append('<hr class="page-break">')
    else if (word === 'cell') this.#endCell()
    else if (word === 'row') this.#endRow()
    else if (Object.hasOwn(signs, word)) this.#append(signs[word]!)
  }

  /** Whether a word begins a part of the document that is not its running text. */
  #destination(word: string, group: Group): boolean {
    if (word === 'shppict') group.isSkipped = false
    else if (word === 'shpinst') group.shape ??= 'own'
    else if (word === 'shprslt') Object.assign(group, { shape: 'instead', isSkipped: true })
    else if (word === 'shptxt' || word === 'dptxbxtext') group.isSkipped = group.shape === 'instead'
    else if (word === 'field') this.#hasSign = false
    else if (word === 'fldinst') Object.assign(group, { isSkipped: true, isInstruction: true })
    else if (word === 'fldrslt') group.isSkipped ||= this.#hasSign
    else if (word === 'pict') {
      group.picture = true
      // Among what describes a shape nothing but its picture is seen.
      if (group.shape === 'own') group.isSkipped = false
    } else return false
    return true
  }

  #look(look: string, isOn: boolean): void {
    const others = [...this.#group.looks].filter((each) => each !== look)
    this.#group.looks = new Set(isOn ? [...others, look] : others)
  }

  /** `\u` takes signed 16-bit numbers, and is followed by what older readers show instead. */
  #unicode(number: number): void {
    this.#append(escapeHtml(this.#fonts.read(number < 0 ? number + 65_536 : number, this.#group.font)))
    this.#toSkip = this.#group.stand
  }

  #byte(byte: number): void {
    if (this.#toSkip > 0) this.#toSkip -= 1
    else this.#bytes.push(byte)
  }

  #endBytes(): void {
    if (this.#bytes.length === 0) return
    const text = this.#fonts.decode(this.#bytes, this.#group.font)
    this.#bytes = []
    if (this.#group.isInstruction) this.#instruction += text
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
    for (let at = 0; at < text.length; at++) this.#byte(text.charCodeAt(at))
  }

  /** Bytes of a picture as they are, which may look like anything; returns where they end. */
  #binary(rtf: string, start: number, length: number): number {
    const end = start + Math.max(0, length)
    const { picture, isSkipped } = this.#group
    if (picture && !isSkipped) this.#digits += Buffer.from(rtf.slice(start, end), 'latin1').toString('hex')
    return end
  }

  #append(html: string): void {
    const { isSkipped, picture, looks: own } = this.#group
    if (isSkipped || picture || html === '' || own.has('hidden')) return
    const open = [...own].map((look) => `<${look}>`).join('')
    const close = [...own]
      .map((look) => `</${look}>`)
      .reverse()
      .join('')
    this.#paragraph += `${open}${html}${close}`
  }

  #close(): void {
    const { picture, isSkipped, isInstruction } = this.#group
    if (this.#groups.length > 1) this.#groups.pop()
    if (isInstruction && !this.#group.isInstruction) this.#endInstruction()
    if (!picture || this.#group.picture) return
    const bytes = Buffer.from(this.#digits, 'hex')
    this.#digits = ''
    if (isSkipped || bytes.length === 0) return
    const name = `picture-${this.pictures.size}`
    this.pictures.set(name, bytes)
    this.#paragraph += `<img src="cid:${name}">`
  }

  /** Word writes signs of such fonts as fields without a result. */
  #endInstruction(): void {
    const [, code, font = ''] = symbol.exec(this.#instruction) ?? []
    this.#instruction = ''
    const sign = code === undefined ? undefined : signOf(font, Number(code))
    if (sign === undefined) return
    this.#append(escapeHtml(sign))
    this.#hasSign = true
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
  return readHtml(reader.read(rtf), reader.pictures)
}
