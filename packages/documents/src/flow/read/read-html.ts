import { type Flow, type Piece, type Script, textOf, type TextStyle } from '../flow.ts'
import { type HtmlElement, type HtmlNode, isElement, isHidden, isText, parseMarkup } from './html-nodes.ts'
import { readTable } from './read-table.ts'

/** Pictures that came with the document, by the name that the page calls them. */
export type Pictures = ReadonlyMap<string, Uint8Array>

const noteRemote = 'Pictures that would have to be loaded from the internet are left out.'
const noteUndrawn =
  'Drawings, formulas and whatever else is embedded in the page are left out. Print the page as PDF to send them.'

const undrawn = new Set('svg math canvas iframe object embed video audio applet'.split(' '))
const blocks = new Set(
  'html body p div section article aside header footer main nav address figure figcaption fieldset legend form details summary dl dt center hgroup option tbody thead tfoot tr td th caption'.split(
    ' ',
  ),
)
const headings: Readonly<Record<string, TextStyle>> = {
  h1: 'title',
  h2: 'heading',
  h3: 'subheading',
  h4: 'subheading',
  h5: 'subheading',
  h6: 'subheading',
}
type Look = Pick<Piece, 'bold' | 'underlined' | 'struck' | 'script'>
const looks: Readonly<Record<string, Look>> = {
  b: { bold: true },
  strong: { bold: true },
  th: { bold: true },
  dt: { bold: true },
  legend: { bold: true },
  u: { underlined: true },
  ins: { underlined: true },
  s: { struck: true },
  del: { struck: true },
  strike: { struck: true },
  sup: { script: 'super' },
  sub: { script: 'sub' },
}

/** What a style attribute adds to the look; style sheets are not read. */
function lookOf({ name, attribs: { style = '' } }: HtmlElement): Look {
  const script = /vertical-align\s*:\s*(super|sub)\b/i.exec(style)?.[1]?.toLowerCase() as Script | undefined
  return {
    ...looks[name],
    ...(/font-weight\s*:\s*(bold|[6-9]00)/i.test(style) ? { bold: true } : {}),
    ...(/text-decoration[^;]*line-through/i.test(style) ? { struck: true } : {}),
    ...(/text-decoration[^;]*underline/i.test(style) ? { underlined: true } : {}),
    ...(script ? { script } : {}),
  }
}

interface List {
  /** The next number; undefined where items have bullets. */
  next: number | undefined
}

interface State {
  look: Look
  style: TextStyle
  indent: number
  list: List | undefined
}

/** Reads the blocks of a page, in the order in which they are seen. Nothing is loaded, run or followed. */
class HtmlReader {
  readonly flow: Flow = { blocks: [], notes: [] }
  readonly #pictures: Pictures
  #pieces: Piece[] = []
  #marker: string | undefined

  constructor(pictures: Pictures) {
    this.#pictures = pictures
  }

  readAll(nodes: readonly HtmlNode[], state: State): void {
    for (const node of nodes) this.#read(node, state)
  }

  /** Ends the paragraph. */
  flush({ style, indent }: State): void {
    const pieces = style === 'fixed' ? this.#pieces : trimPieces(this.#pieces)
    this.#pieces = []
    if (textOf(pieces).trim() === '') return
    const marker = this.#marker === undefined ? {} : { marker: this.#marker }
    this.#marker = undefined
    this.flow.blocks.push({ kind: 'paragraph', pieces, style, indent, ...marker })
  }

  #read(node: HtmlNode, state: State): void {
    if (isText(node)) this.#text(node.data, state)
    else if (isElement(node) && !isHidden(node)) {
      if (undrawn.has(node.name)) this.#note(noteUndrawn)
      else this.#element(node, state)
    }
  }

  #text(text: string, { style, look }: State): void {
    const shown = style === 'fixed' ? this.#fixed(text) : text.replace(/[ \t\n\r\f]+/g, ' ')
    if (shown !== '') this.#pieces.push({ text: shown, ...look })
  }

  /** The line end after the tag is not shown. */
  #fixed(text: string): string {
    const lines = text.replaceAll('\r\n', '\n')
    return this.#pieces.length === 0 ? lines.replace(/^\n/, '') : lines
  }

  #element(element: HtmlElement, outer: State): void {
    const { name, children } = element
    const state = { ...outer, look: { ...outer.look, ...lookOf(element) } }
    const special = this.#special(element, state)
    if (special) return
    if (!(blocks.has(name) || name in headings || name === 'pre' || name === 'blockquote' || name === 'dd')) {
      this.readAll(children, state)
      return
    }
    this.flush(outer)
    const style = headings[name] ?? (name === 'pre' ? 'fixed' : state.style)
    const inside = { ...state, style, indent: state.indent + (name === 'blockquote' || name === 'dd' ? 1 : 0) }
    this.readAll(children, inside)
    this.flush(inside)
  }

  /** Elements that are more than a look or a paragraph; false for all others. */
  #special(element: HtmlElement, state: State): boolean {
    const { name, attribs, children } = element
    if (name === 'br') this.#pieces.push({ text: '\n' })
    else if (name === 'hr') this.#between(state, attribs.class === 'page-break' ? 'page-break' : 'rule')
    else if (name === 'ul' || name === 'ol') this.#list(element, state)
    else if (name === 'li') this.#item(element, state)
    else if (name === 'table') this.#table(element, state)
    else if (name === 'img') this.#picture(element, state)
    else if (name === 'input') this.#field(element, state)
    else if (name === 'textarea') {
      this.flush(state)
      this.readAll(children, { ...state, style: 'fixed' })
      this.flush({ ...state, style: 'fixed' })
    } else if (name === 'select') this.#choice(element, state)
    else return false
    return true
  }

  #between(state: State, kind: 'rule' | 'page-break'): void {
    this.flush(state)
    this.flow.blocks.push({ kind })
  }

  #list({ name, attribs, children }: HtmlElement, state: State): void {
    this.flush(state)
    const start = Number.parseInt(attribs.start ?? '1', 10)
    const list = { next: name === 'ol' ? (Number.isFinite(start) ? start : 1) : undefined }
    const inside = { ...state, list, indent: state.indent + 1 }
    this.readAll(children, inside)
    this.flush(inside)
  }

  #item({ children }: HtmlElement, state: State): void {
    this.flush(state)
    const { list } = state
    this.#marker = list?.next === undefined ? '•' : `${list.next}.`
    if (list?.next !== undefined) list.next += 1
    this.readAll(children, state)
    this.flush(state)
    this.#marker = undefined
  }

  #table(element: HtmlElement, state: State): void {
    this.flush(state)
    const read = (children: readonly HtmlNode[], look: Look) => {
      const cell = new HtmlReader(this.#pictures)
      const inside = { ...state, look: { ...state.look, ...look }, indent: 0, style: 'body' as const, list: undefined }
      cell.readAll(children, inside)
      cell.flush(inside)
      this.#note(...cell.flow.notes)
      return cell.flow.blocks
    }
    const table = readTable(element, read)
    if (table) this.flow.blocks.push(...table)
    else this.readAll(element.children, state)
    this.flush(state)
  }

  #picture({ attribs }: HtmlElement, state: State): void {
    const { src = '', alt: description = '' } = attribs
    // Pictures of one dot count who has opened a mail.
    if ([attribs.width, attribs.height].some((side) => side !== undefined && Number.parseInt(side, 10) <= 2)) return
    const bytes = embedded(src) ?? this.#pictures.get(src) ?? this.#pictures.get(contentIdOf(src) ?? '')
    if (bytes) {
      this.flush(state)
      this.flow.blocks.push({ kind: 'picture', bytes, description })
      return
    }
    this.#note(noteRemote)
    if (description.trim() !== '') this.#text(`[${description.trim()}]`, state)
  }

  #field({ attribs }: HtmlElement, state: State): void {
    const { type = 'text', value = '' } = attribs
    if (type === 'checkbox' || type === 'radio') this.#text('checked' in attribs ? '[x] ' : '[ ] ', state)
    else if (!['hidden', 'password', 'file', 'image'].includes(type)) this.#text(value, state)
  }

  #choice({ children, attribs: { multiple } }: HtmlElement, state: State): void {
    const options = children.filter(isElement).flatMap((each) => {
      return each.name === 'optgroup' ? each.children.filter(isElement) : [each]
    })
    const selected = options.filter(({ attribs }) => 'selected' in attribs)
    // Of a list to choose one from, browsers show the last that is selected, else the first.
    const chosen = multiple === undefined ? [selected.at(-1) ?? options[0]] : selected
    chosen.forEach((each, index) => {
      if (index > 0) this.#text(', ', state)
      this.readAll(each?.children ?? [], state)
    })
  }

  #note(...notes: readonly string[]): void {
    this.flow.notes.push(...notes.filter((note) => !this.flow.notes.includes(note)))
  }
}

/** The Content-ID that an address names (RFC 2392). */
function contentIdOf(address: string): string | undefined {
  const id = /^cid:(.+)/i.exec(address)?.[1]
  try {
    return id && decodeURIComponent(id)
  } catch {
    return id
  }
}

/** The Content-IDs of the pictures that a page shows. */
export function calledPictures(html = ''): ReadonlySet<string> {
  const called = html.matchAll(/<img\b[^>]*?\bsrc\s*=\s*["']?(cid:[^"'\s>]+)/gi)
  return new Set([...called].map(([, address = '']) => contentIdOf(address) ?? ''))
}

/** The bytes of a `data:` address. */
function embedded(address: string): Uint8Array | undefined {
  const found = /^data:image\/[\w.+-]+;base64,/i.exec(address)
  return found ? Buffer.from(address.slice(found[0].length), 'base64') : undefined
}

/** Without white space at the ends of the paragraph and of its lines, and none twice. */
function trimPieces(pieces: readonly Piece[]): Piece[] {
  const trimmed: Piece[] = []
  let open = true
  for (const piece of pieces) {
    const text = open && piece.text !== '\n' ? piece.text.replace(/^ +/, '') : piece.text
    const last = trimmed.at(-1)
    if (text === '\n' && last) trimmed[trimmed.length - 1] = { ...last, text: last.text.replace(/ +$/, '') }
    if (text === '') continue
    trimmed.push({ ...piece, text })
    open = /[ \n]$/.test(text)
  }
  while (trimmed.at(-1)?.text.trim() === '') trimmed.pop()
  const last = trimmed.at(-1)
  if (last) trimmed[trimmed.length - 1] = { ...last, text: last.text.replace(/ +$/, '') }
  while (trimmed[0]?.text.trim() === '') trimmed.shift()
  return trimmed
}

/**
 * The blocks of an HTML page or a part of one. Colors, positions and style sheets are not followed; pictures are drawn
 * when they are in the page or came with it, never loaded.
 * @throws {DocumentProblem} `broken` when it is nested deeper than 400 elements
 */
export function readHtml(html: string, pictures: Pictures = new Map()): Flow {
  const reader = new HtmlReader(pictures)
  const state: State = { look: {}, style: 'body', indent: 0, list: undefined }
  reader.readAll(parseMarkup(html), state)
  reader.flush(state)
  return reader.flow
}
