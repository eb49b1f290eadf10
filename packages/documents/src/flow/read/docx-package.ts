import { DocumentProblem } from '../../base/problem.ts'
import { type HtmlElement, isElement } from './html-nodes.ts'
import { findAll, parseXml } from './xml.ts'
import { readZip } from '../../base/zip.ts'

/** Only what is drawn: no macros, no embedded files. */
const isWanted = (name: string) => name === '_rels/.rels' || /^word\/(_rels\/|media\/|[\w-]+\.xml$)/.test(name)

/** A part of a Word document with what it refers to. */
export interface Part {
  root: HtmlElement | undefined
  /** The bytes that a relation names; undefined for what is not in the file. */
  media: (id: string | undefined) => Uint8Array | undefined
}

/** The parts of a Word document, which are found by the relations between them (ECMA-376-2, 9). */
export class DocxPackage {
  readonly #parts: ReadonlyMap<string, Uint8Array>
  readonly #main: string

  /** @throws {DocumentProblem} `broken`, `too_large`, and `unsupported` for other office documents and archives */
  constructor(bytes: Uint8Array) {
    this.#parts = readZip(bytes, isWanted)
    const [main] = [...this.#relations('').values()].filter(({ type }) => type === 'officeDocument')
    this.#main = main && this.#parts.has(main.target) ? main.target : 'word/document.xml'
    if (this.#parts.has(this.#main)) return
    throw new DocumentProblem(
      'unsupported',
      'This is a spreadsheet, a presentation or an archive. Save or print it as PDF and send that.',
    )
  }

  get main(): Part {
    return this.#part(this.#main)
  }

  /** The part that the document names by a relation of its own. */
  byId(id: string | undefined): Part | undefined {
    const found = this.#relations(this.#main).get(id ?? '')
    return found && this.#parts.has(found.target) ? this.#part(found.target) : undefined
  }

  /** The one part of a kind: "styles", "numbering", "footnotes". Older files may forget the relation. */
  byType(type: string): Part {
    const found = [...this.#relations(this.#main).values()].find((each) => each.type === type)
    return this.#part(found?.target ?? `word/${type}.xml`)
  }

  #part(name: string): Part {
    const relations = this.#relations(name)
    return {
      root: parseXml(this.#parts.get(name)).find(isElement),
      media: (id) => this.#parts.get(relations.get(id ?? '')?.target ?? ''),
    }
  }

  #relations(name: string): Map<string, { type: string; target: string }> {
    const slash = name.lastIndexOf('/') + 1
    const part = this.#parts.get(`${name.slice(0, slash)}_rels/${name.slice(slash)}.rels`)
    return new Map(
      findAll(parseXml(part), 'Relationship')
        .filter(({ attribs }) => attribs.TargetMode !== 'External')
        .map(({ attribs: { Id = '', Type = '', Target = '' } }) => {
          const target = Target.startsWith('/') ? Target.slice(1) : `${name.slice(0, slash)}${Target}`
          return [Id, { type: Type.slice(Type.lastIndexOf('/') + 1), target: target.replace(/[^/]+\/\.\.\//g, '') }]
        }),
    )
  }
}
