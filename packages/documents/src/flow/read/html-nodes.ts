import { DomHandler, Parser, type parseDocument, type ParserOptions } from 'htmlparser2'
import { DocumentProblem } from '../../base/problem.ts'

/** Deeper nesting than any program writes; reading it would exhaust the stack. */
const maxDepth = 400

/** An element or a text of a parsed page. */
export type HtmlNode = ReturnType<typeof parseDocument>['children'][number]
export type HtmlElement = Extract<HtmlNode, { attribs: unknown }>

type HtmlText = Extract<HtmlNode, { nodeType: 3 }>

export const isElement = (node: HtmlNode): node is HtmlElement => 'attribs' in node
/** By the number that the DOM gives texts. */
export const isText = (node: HtmlNode): node is HtmlText => node.nodeType === 3

const unseen = new Set('script style head noscript template title meta link map datalist'.split(' '))

/** Whether browsers show nothing of an element. */
export function isHidden({ name, attribs }: HtmlElement): boolean {
  return (
    'hidden' in attribs || unseen.has(name) || /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attribs.style ?? '')
  )
}

/** Ends at what is nested too deeply: to parse it whole takes time that grows with its square. */
class BoundedHandler extends DomHandler {
  #depth = 0

  override onopentag(name: string, attributes: Record<string, string>): void {
    this.#depth += 1
    if (this.#depth > maxDepth) throw tooDeep()
    super.onopentag(name, attributes)
  }

  override onclosetag(): void {
    this.#depth -= 1
    super.onclosetag()
  }
}

/** The nodes of a text in HTML or, with `xmlMode`, XML. @throws {DocumentProblem} `broken` when it is nested too deeply */
export function parseMarkup(text: string, options: ParserOptions = {}): readonly HtmlNode[] {
  const handler = new BoundedHandler()
  new Parser(handler, options).end(text)
  return handler.root.children
}

function tooDeep(): DocumentProblem {
  return new DocumentProblem('broken', 'The page is nested too deeply to be read. Print it as PDF and send that.')
}
