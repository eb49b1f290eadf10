/** Entries of a dictionary, each value as it is written. */
export type Entries = Map<string, string>

/** A page and what is needed to write it again. */
export interface WrittenPage {
  number: number
  entries: Entries
  /** Its resources, which may be those of a branch of the page tree. */
  resources: Entries
  /** References to its content streams. */
  contents: string[]
}

const reference = /^(\d+) \d+ R$/
/** Levels of a page tree, and of references to references. */
const maxDepth = 50
const token = /<<|>>|\[|\]|\/[^\s()<>[\]{}/%]*|<[^>]*>|[^\s()<>[\]{}/%]+/gy

/**
 * A PDF as PDFium and `PdfWriter` write it, taken apart as far as is needed to go on writing: one cross-reference table,
 * no object streams, no comments. Methods answer undefined for what is not like that.
 */
export class WrittenPdf {
  readonly #pdf: Buffer
  readonly #offsets = new Map<number, number>()
  /** Where its cross-reference table begins, and one more than the highest number of an object. */
  readonly start: number
  readonly size: number
  readonly root: number

  private constructor(pdf: Buffer, start: number, trailer: Entries) {
    this.#pdf = pdf
    this.start = start
    this.size = Number(trailer.get('Size'))
    this.root = Number(reference.exec(trailer.get('Root') ?? '')?.[1])
  }

  static read(pdf: Buffer): WrittenPdf | undefined {
    const end = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(pdf.toString('latin1', Math.max(0, pdf.length - 100)))
    const start = Number(end?.[1])
    const table = pdf.toString('latin1', start)
    if (!end || !table.startsWith('xref')) return undefined
    const trailer = readDictionary(table.slice(table.indexOf('trailer') + 'trailer'.length).trimStart())
    if (!trailer || trailer.has('Prev') || trailer.has('Encrypt')) return undefined
    const found = new WrittenPdf(pdf, start, trailer)
    let number = 0
    for (const line of table.slice(0, table.indexOf('trailer')).split(/\r?\n/)) {
      const [first = '', second = '', kind] = line.trim().split(' ')
      if (kind === undefined) number = Number(first)
      else {
        if (kind === 'n') found.#offsets.set(number, Number(first))
        number += second === '' ? 0 : 1
      }
    }
    return found.#offsets.has(found.root) && found.size > 0 ? found : undefined
  }

  /** The pages in their order. */
  pages(): WrittenPage[] | undefined {
    const pages: WrittenPage[] = []
    const seen = new Set<number>()
    const walk = (kid: string, inherited: string | undefined, depth: number): boolean => {
      const number = Number(reference.exec(kid)?.[1])
      const entries = this.#dictionary(kid)
      if (!entries || seen.has(number) || depth > maxDepth) return false
      seen.add(number)
      const given = entries.get('Resources') ?? inherited
      const kids = entries.get('Kids')
      if (kids !== undefined) {
        return readList(this.#resolve(kids) ?? '').every((next) => walk(next, given, depth + 1))
      }
      const resources = given === undefined ? new Map<string, string>() : this.#dictionary(given)
      const contents = this.#contentsOf(entries.get('Contents'))
      if (resources && contents) pages.push({ number, entries, resources, contents })
      return resources !== undefined && contents !== undefined
    }
    const tree = this.entriesOf(this.root)?.get('Pages')
    return tree !== undefined && walk(tree, undefined, 0) ? pages : undefined
  }

  entriesOf(number: number): Entries | undefined {
    return this.#dictionary(`${number} 0 R`)
  }

  /** The entries of a value that is a dictionary or refers to one. */
  resolved(value: string): Entries | undefined {
    return this.#dictionary(value)
  }

  #contentsOf(value: string | undefined): string[] | undefined {
    if (value === undefined || value === 'null') return []
    const resolved = this.#resolve(value)
    if (resolved === undefined) return []
    return resolved.startsWith('[') ? readList(resolved) : reference.test(value) ? [value] : undefined
  }

  #dictionary(value: string): Entries | undefined {
    const resolved = this.#resolve(value)
    return resolved === undefined ? undefined : readDictionary(resolved)
  }

  /** What a value refers to, as it is written, up to the end of the object or the begin of its stream. */
  #resolve(value: string, depth = 0): string | undefined {
    const number = reference.exec(value)?.[1]
    if (number === undefined) return value
    const offset = this.#offsets.get(Number(number))
    if (offset === undefined || depth > maxDepth) return undefined
    const end = [this.#pdf.indexOf('endobj', offset), this.#pdf.indexOf('stream', offset)].filter((at) => at >= 0)
    const text = this.#pdf.toString('latin1', offset, Math.min(...end, this.#pdf.length))
    const body = /^(\d+) \d+ obj\s*([^]*)$/.exec(text)
    if (body?.[1] !== number) return undefined
    return this.#resolve((body[2] ?? '').trimEnd(), depth + 1)
  }
}

interface Token {
  text: string
  start: number
  end: number
}

/** Names, numbers, strings and brackets of the dictionary or array that a text begins with, up to its end. */
function tokensOf(text: string): Token[] | undefined {
  const tokens: Token[] = []
  let depth = 0
  for (let at = 0; at < text.length;) {
    if (/\s/.test(text[at]!)) {
      at++
      continue
    }
    token.lastIndex = at
    const found = text[at] === '(' ? stringAt(text, at) : token.exec(text)?.[0]
    if (found === undefined) return undefined
    tokens.push({ text: found, start: at, end: at + found.length })
    at += found.length
    if (found === '<<' || found === '[') depth++
    if (found === '>>' || found === ']') depth--
    if (depth <= 0) return depth === 0 && tokens.length > 1 ? tokens : undefined
  }
  return undefined
}

/** A string in parentheses, which may hold others in pairs (ISO 32000-1, 7.3.4.2). */
function stringAt(text: string, from: number): string | undefined {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '(') depth++
    else if (text[at] === ')' && --depth === 0) return text.slice(from, at + 1)
  }
  return undefined
}

/** Where the value ends that begins at a token; undefined when none does. */
function endOfValue(tokens: readonly Token[], from: number): number | undefined {
  let depth = 0
  for (let at = from; at < tokens.length; at++) {
    const { text } = tokens[at]!
    if (text === '<<' || text === '[') depth++
    if (text === '>>' || text === ']') depth--
    if (depth < 0) return undefined
    if (depth > 0) continue
    const isReference = /^\d+$/.test(text) && /^\d+$/.test(tokens[at + 1]?.text ?? '') && tokens[at + 2]?.text === 'R'
    return isReference ? at + 3 : at + 1
  }
  return undefined
}

/** The entries of a dictionary. */
function readDictionary(text: string): Entries | undefined {
  const tokens = text.startsWith('<<') ? tokensOf(text) : undefined
  if (!tokens) return undefined
  const entries: Entries = new Map()
  for (let at = 1; at < tokens.length - 1;) {
    const key = tokens[at]!.text
    const end = endOfValue(tokens, at + 1)
    if (!key.startsWith('/') || end === undefined) return undefined
    entries.set(key.slice(1), text.slice(tokens[at + 1]!.start, tokens[end - 1]!.end))
    at = end
  }
  return entries
}

/** The values of an array. */
function readList(text: string): string[] {
  const tokens = text.startsWith('[') ? (tokensOf(text) ?? []) : []
  const values: string[] = []
  for (let at = 1; at < tokens.length - 1;) {
    const end = endOfValue(tokens, at)
    if (end === undefined) return []
    values.push(text.slice(tokens[at]!.start, tokens[end - 1]!.end))
    at = end
  }
  return values
}

/** Entries as they stand between the brackets of a dictionary. */
export function writeEntries(entries: Entries): string {
  return Array.from(entries, ([key, value]) => `/${key} ${value}`).join('')
}
