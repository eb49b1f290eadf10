import { type HtmlElement, type HtmlNode, isElement, isText, parseMarkup } from './html-nodes.ts'

/** Namespaces that some programs write with prefixes of their own, by the usual one. */
const prefixes: readonly (readonly [RegExp, string])[] = [
  [
    /xmlns:(\w+)="http:\/\/(?:schemas\.openxmlformats\.org|purl\.oclc\.org\/ooxml)\/wordprocessingml\/(?:2006\/)?main"/,
    'w',
  ],
  [
    /xmlns:(\w+)="http:\/\/(?:schemas\.openxmlformats\.org|purl\.oclc\.org\/ooxml)\/officeDocument\/(?:2006\/)?relationships"/,
    'r',
  ],
]

function withUsualPrefixes(xml: string): string {
  return prefixes.reduce((text, [declared, usual]) => {
    const own = declared.exec(text.slice(0, 20_000))?.[1]
    if (own === undefined || own === usual) return text
    return text.replace(new RegExp(`(</?|\\s)${own}:`, 'g'), `$1${usual}:`)
  }, xml)
}

/** The nodes of a part in XML; none where it is missing. Entities of its own are not followed. @throws {DocumentProblem} `broken` */
export function parseXml(part: Uint8Array | undefined): readonly HtmlNode[] {
  if (!part) return []
  const isWide = (part[0] === 0xff && part[1] === 0xfe) || (part[0] === 0xfe && part[1] === 0xff)
  const text = isWide
    ? new TextDecoder(part[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(part)
    : Buffer.from(part).toString()
  return parseMarkup(withUsualPrefixes(text), { xmlMode: true })
}

/** The elements in an element. */
export const elementsIn = (parent: HtmlElement | undefined): HtmlElement[] => parent?.children.filter(isElement) ?? []

/** The children of a name. */
export const childrenOf = (parent: HtmlElement | undefined, name: string): HtmlElement[] =>
  elementsIn(parent).filter((each) => each.name === name)

/** The first child of a name. */
export const childOf = (parent: HtmlElement | undefined, name: string): HtmlElement | undefined =>
  parent?.children.find((node): node is HtmlElement => isElement(node) && node.name === name)

/** All elements of some names, outermost first; not those inside of one that was found. */
export function findAll(nodes: readonly HtmlNode[], ...names: readonly string[]): HtmlElement[] {
  return nodes
    .filter(isElement)
    .flatMap((node) => (names.includes(node.name) ? [node] : findAll(node.children, ...names)))
}

/** The text in an element. */
export const textWithin = (node: HtmlElement): string =>
  node.children.map((each) => (isText(each) ? each.data : isElement(each) ? textWithin(each) : '')).join('')

/** A number of an attribute; undefined where there is none. */
export function numberOf(text: string | undefined): number | undefined {
  const number = Number.parseFloat(text ?? '')
  return Number.isFinite(number) ? number : undefined
}

/** Units of lengths in points. */
export const pointsPerUnit: Readonly<Record<string, number>> = {
  ...{ pt: 1, in: 72, inch: 72, cm: 72 / 2.54, mm: 72 / 25.4, pc: 12, pi: 12, px: 0.75 },
}
