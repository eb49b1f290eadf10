import { DocumentProblem } from '../../base/problem.ts'
import type { Flow, Undrawn } from '../flow.ts'
import { OdtListStyles } from './odt-lists.ts'
import { OdtPages } from './odt-pages.ts'
import { numberFormats, OdtStyles } from './odt-styles.ts'
import { type OdtDocument, OdtReader } from './odt-text.ts'
import { childOf, findAll, numberOf, parseXml, textWithin } from './xml.ts'
import type { HtmlElement, HtmlNode } from './html-nodes.ts'
import { NoteMarks } from './numbering.ts'
import { readZip } from '../../base/zip.ts'

const isWanted = (name: string) =>
  /^(content\.xml|styles\.xml|META-INF\/manifest\.xml|(Pictures|ObjectReplacements|media)\/.*)$/.test(name)

const objects: readonly (readonly [RegExp, Undrawn])[] = [
  [/opendocument\.chart/, 'chart'],
  [/opendocument\.formula/, 'equation'],
  [/opendocument\.graphics/, 'drawing'],
]

/** Gives the marks of notes, numbered as their configuration says (ISO/IEC 26300-1, 16.29): files may hold old ones. */
function noteMarks(styles: readonly HtmlNode[]): (note: HtmlElement) => string {
  const marks = new NoteMarks()
  const kindOf = ({ attribs }: HtmlElement) => (attribs['text:note-class'] === 'endnote' ? 'endnote' : 'footnote')
  for (const configuration of findAll(styles, 'text:notes-configuration')) {
    const { attribs } = configuration
    const usual = marks.kinds[kindOf(configuration)]
    const format = numberFormats[attribs['style:num-format'] ?? '-'] ?? usual.format
    const [prefix, suffix] = [attribs['style:num-prefix'] ?? '', attribs['style:num-suffix'] ?? '']
    // Counted from 0.
    Object.assign(usual, { format, prefix, suffix, count: numberOf(attribs['text:start-value']) ?? 0 })
  }
  return (note) => {
    const citation = childOf(note, 'text:note-citation')
    const label = citation?.attribs['text:label']
    return citation && label !== undefined ? (label || textWithin(citation)).trim() : marks.next(kindOf(note))
  }
}

/**
 * An OpenDocument text (ISO/IEC 26300): text, tables, lists, notes, pictures, shapes, headers and footers. Macros never
 * run and nothing is loaded.
 * @throws {DocumentProblem} `broken`, `too_large`, and `unsupported` for other OpenDocument files
 */
export function readOdt(bytes: Uint8Array): Flow {
  const parts = readZip(bytes, isWanted)
  const [content, styles] = [parseXml(parts.get('content.xml')), parseXml(parts.get('styles.xml'))]
  const [text] = findAll(content, 'office:text')
  if (!text) {
    throw new DocumentProblem('unsupported', 'This is not a text document. Save or print it as PDF and send that.')
  }
  const entries = findAll(parseXml(parts.get('META-INF/manifest.xml')), 'manifest:file-entry')
  const types = new Map(
    entries.map(({ attribs }) => [
      (attribs['manifest:full-path'] ?? '').replace(/\/$/, ''),
      attribs['manifest:media-type'] ?? '',
    ]),
  )
  const plainName = (name: string) => name.replace(/^\.\//, '').replace(/\/$/, '')
  const undrawn: Undrawn[] = []
  const document: OdtDocument = {
    styles: new OdtStyles(styles, content),
    lists: new OdtListStyles(styles, content),
    outline: { style: '', counts: [] },
    named: new Map(),
    mark: noteMarks(styles),
    endnotes: [],
    section: (master) => pages.section(master),
    file: (name) => parts.get(plainName(name)),
    objectAt: (name) => objects.find(([type]) => type.test(types.get(plainName(name)) ?? ''))?.[1] ?? 'embedded object',
    leaveOut: (what) => void undrawn.push(what),
  }
  // Styles of headers have names that those of the text may have, too.
  const banded: OdtDocument = { ...document, styles: new OdtStyles(styles) }
  const pages = new OdtPages(styles, (band) => {
    const reader = new OdtReader(banded)
    reader.readAll(band)
    return reader.blocks
  })
  const reader = new OdtReader(document, true)
  reader.readAll(text)
  const ends = document.endnotes
  return {
    blocks: [...reader.blocks, ...(ends.length > 0 ? [{ kind: 'rule' as const }, ...ends] : [])],
    notes: [],
    undrawn,
  }
}
