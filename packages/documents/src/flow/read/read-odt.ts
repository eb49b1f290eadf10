import { DocumentProblem } from '../../base/problem.ts'
import { escapeHtml } from '../escape.ts'
import type { Flow } from '../flow.ts'
import { noteSimple } from './read-docx.ts'
import { type HtmlElement, type HtmlNode, isElement, isText, parseMarkup } from './html-nodes.ts'
import { readHtml } from './read-html.ts'
import { readZip } from '../../base/zip.ts'

const skipped = new Set([
  'text:tracked-changes',
  'office:annotation',
  'office:annotation-end',
  'text:sequence-decls',
  // What pictures show, for those who do not see them.
  'svg:title',
  'svg:desc',
])
/** A letterhead is often that of the first page alone. */
const letterheads = ['style:header', 'style:header-first', 'loext:header-first', 'style:header-left']
const footers = ['style:footer', 'style:footer-first', 'loext:footer-first', 'style:footer-left']
/** Elements by what they are in HTML. */
const names: Readonly<Record<string, string>> = {
  'text:p': 'p',
  'text:list': 'ul',
  'text:list-item': 'li',
  'text:list-header': 'li',
  'table:table': 'table',
  'table:table-header-rows': 'thead',
  'table:table-row': 'tr',
  'text:note-body': 'blockquote',
}
const isWanted = (name: string) => name === 'content.xml' || name === 'styles.xml' || name.startsWith('Pictures/')

function find(nodes: readonly HtmlNode[], name: string): HtmlElement[] {
  const found: HtmlElement[] = []
  const open = [...nodes]
  for (let node = open.shift(); node; node = open.shift()) {
    if (!isElement(node)) continue
    if (node.name === name) found.push(node)
    else open.unshift(...node.children)
  }
  return found
}

/** Which styles of the file are bold, underlined, struck through, raised or lowered, as a style attribute. */
function looksOf(nodes: readonly HtmlNode[]): Map<string, string> {
  const looks = find(nodes, 'style:style').map(({ attribs, children }): [string, string] => {
    const found = find(children, 'style:text-properties').map((each) => each.attribs)
    const has = (name: string, value: RegExp) => found.some((each) => value.test(each[name] ?? ''))
    const bold = has('fo:font-weight', /bold|[6-9]00/) ? 'font-weight:bold;' : ''
    const under = has('style:text-underline-style', /^(?!none).+/) ? 'text-decoration:underline;' : ''
    const struck = has('style:text-line-through-style', /^(?!none).+/) ? 'text-decoration:line-through;' : ''
    const raised = has('style:text-position', /^(super|[1-9])/) ? 'vertical-align:super;' : ''
    const lowered = has('style:text-position', /^(sub|-)/) ? 'vertical-align:sub;' : ''
    return [attribs['style:name'] ?? '', bold + under + struck + raised + lowered]
  })
  return new Map(looks.filter(([, look]) => look !== ''))
}

/** Translates elements to HTML: then there is one reader for all. */
class Translator {
  readonly #looks: ReadonlyMap<string, string>

  constructor(looks: ReadonlyMap<string, string>) {
    this.#looks = looks
  }

  all(nodes: readonly HtmlNode[]): string {
    return nodes.map((node) => this.#one(node)).join('')
  }

  #one(node: HtmlNode): string {
    if (isText(node)) return escapeHtml(node.data)
    if (!isElement(node) || skipped.has(node.name)) return ''
    const { name, attribs, children } = node
    if (name === 'text:s') return '\u00a0'.repeat(Math.min(200, Number(attribs['text:c'] ?? 1) || 1))
    if (name === 'text:tab') return '\u00a0\u00a0\u00a0\u00a0'
    if (name === 'text:line-break') return '<br>'
    if (name === 'text:soft-page-break') return ''
    if (name === 'draw:image') return `<img src="${escapeHtml(attribs['xlink:href'] ?? '')}">`
    const inside = this.all(children)
    const look = this.#looks.get(attribs['text:style-name'] ?? '')
    const style = look === undefined ? '' : ` style="${look}"`
    if (name === 'text:h') {
      const level = Math.min(3, Math.max(1, Number(attribs['text:outline-level'] ?? 1) || 1))
      return `<h${level}>${inside}</h${level}>`
    }
    if (name === 'table:table-cell') {
      const span = (html: string, odf: string) => (attribs[odf] ? ` ${html}="${escapeHtml(attribs[odf])}"` : '')
      const spans = span('colspan', 'table:number-columns-spanned') + span('rowspan', 'table:number-rows-spanned')
      return `<td${spans}>${inside}</td>`
    }
    const html = names[name]
    if (html !== undefined) return `<${html}${style}>${inside}</${html}>`
    return look === undefined ? inside : `<span${style}>${inside}</span>`
  }
}

/**
 * An OpenDocument text (ISO/IEC 26300): text, tables, lists, pictures, header and footer. Macros never run and nothing is
 * loaded.
 * @throws {DocumentProblem} `broken`, `too_large`, and `unsupported` for other OpenDocument files
 */
export function readOdt(bytes: Uint8Array): Flow {
  const parts = readZip(bytes, isWanted)
  const parse = (name: string) => parseMarkup(Buffer.from(parts.get(name) ?? []).toString(), { xmlMode: true })
  const [content, styles] = [parse('content.xml'), parse('styles.xml')]
  const [text] = find(content, 'office:text')
  if (!text) {
    throw new DocumentProblem('unsupported', 'This is not a text document. Save or print it as PDF and send that.')
  }
  const translator = new Translator(new Map([...looksOf(styles), ...looksOf(content)]))
  const [head, foot] = [letterheads, footers].map((kinds) =>
    kinds
      .flatMap((name) => find(styles, name))
      .filter(({ attribs }) => attribs['style:display'] !== 'false')
      .map(({ children }) => translator.all(children)),
  )
  const html = [...new Set(head), translator.all(text.children), ...new Set(foot)].join('')
  const flow = readHtml(html, parts)
  return { ...flow, notes: [noteSimple, ...flow.notes] }
}
