import { zipSync } from 'fflate'
import mammoth from 'mammoth'
import { DocumentProblem } from '../../base/problem.ts'
import type { Flow } from '../flow.ts'
import { readHtml } from './read-html.ts'
import { damaged, readZip } from '../../base/zip.ts'

const main = 'word/document.xml'
const rootElement = /<w:(hdr|ftr)\b([^>]*)>([\s\S]*)<\/w:\1>/

/** What Word documents hold beyond text, tables and pictures. */
const undrawn = /<m:oMath\b|<c:chart\b|<dgm:relIds\b|<w:object\b|<v:textpath\b|<w:(altChunk|subDoc|contentPart)\b/
const noteUndrawn = 'Equations, charts and drawings are left out. Print the document as PDF to send them.'
export const noteSimple =
  'Faxdeck laid the document out itself. Its text, tables and pictures are there, but fonts, columns, page breaks and the numbers of lists may differ. To keep them, print the document as PDF.'

const styles = [
  'u => u',
  'strike => s',
  "br[type='page'] => hr.page-break:fresh",
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Subtitle'] => h2:fresh",
]

/** Only what is drawn: no macros, no embedded files. */
const isWanted = (name: string) =>
  name === '[Content_Types].xml' || /^_rels\/|^word\/(_rels\/|media\/|[\w-]+\.xml$)/.test(name)

/** The parts that hold running text. */
const textParts = /^word\/(document|footnotes|endnotes)\.xml$/

/** Elements that the library passes over with all that is in them, by ones that it reads alike. */
const alike: readonly (readonly [RegExp, string])[] = [
  [/<(\/?)w:(?:fldSimple|dir|bdo|ruby|rt|rubyBase)(?=[\s/>])(?:[^>"]|"[^"]*")*?(\/?)>/g, '<$1w:customXml$2>'],
  [/<w:cr\s*\/>/g, '<w:br/>'],
  [/<w:ptab\b[^>]*\/>/g, '<w:tab/>'],
  [/<w:dstrike\b/g, '<w:strike'],
  // Text that its writer hid.
  [/(<w:rPr>(?:(?!<\/w:rPr>)[^])*?<w:vanish\s*\/>(?:(?!<\/w:rPr>)[^])*<\/w:rPr>)\s*<w:t\b[^>]*>[^<]*<\/w:t>/g, '$1'],
]
const drawing = /<mc:AlternateContent\b[^]*?<\/mc:AlternateContent>|<w:drawing\b[^]*?<\/w:drawing>/g
const textBox = /<w:txbxContent\b[^]*?<\/w:txbxContent>/g

/**
 * What is written in a shape stands in it as Word knows it, and mostly once more for older programs, which is what the
 * library reads: where that is missing, it is put behind.
 */
function withShapeText(found: string): string {
  const [own = '', ...instead] = found.split('<mc:Fallback')
  const isNested = found.lastIndexOf('<mc:AlternateContent') > 0 || found.split('<w:drawing').length > 2
  if (isNested || /<w:txbxContent\b|<pic:pic\b|<v:imagedata\b/.test(instead.join(''))) return found
  const texts = own.match(textBox)
  return texts ? `${found}<w:pict>${texts.join('')}</w:pict>` : found
}

/** The text of a part in the elements that the library knows. */
function asUnderstood(xml: string): string {
  const known = alike.reduce((text, [element, other]) => text.replace(element, other), xml)
  return known.replace(drawing, withShapeText)
}

async function toHtml(parts: Record<string, Uint8Array>): Promise<string> {
  const options = { styleMap: styles, externalFileAccess: false }
  const readable = Object.entries(parts).map(([name, part]): [string, Uint8Array] => {
    return [name, textParts.test(name) ? Buffer.from(asUnderstood(Buffer.from(part).toString())) : part]
  })
  try {
    const buffer = Buffer.from(zipSync(Object.fromEntries(readable), { level: 0 }))
    const { value } = await mammoth.convertToHtml({ buffer }, options)
    return value
  } catch {
    throw damaged()
  }
}

/** A header or footer, read as if it were the document; its pictures are named by its own list. */
async function partToHtml(parts: Record<string, Uint8Array>, name: string): Promise<string> {
  const found = rootElement.exec(Buffer.from(parts[name] ?? []).toString())
  if (!found) return ''
  const [, , namespaces = '', content = ''] = found
  const text = `<?xml version="1.0"?><w:document${namespaces}><w:body>${content}</w:body></w:document>`
  const relations = parts[name.replace('word/', 'word/_rels/').concat('.rels')]
  const own: Record<string, Uint8Array> = relations ? { 'word/_rels/document.xml.rels': relations } : {}
  return toHtml({ ...parts, ...own, [main]: Buffer.from(text) })
}

async function partsToHtml(parts: Record<string, Uint8Array>, names: readonly string[]): Promise<string> {
  const texts = await Promise.all(names.map((name) => partToHtml(parts, name)))
  // First, odd and even pages often say the same.
  return [...new Set(texts)].join('')
}

/**
 * A Word document (ECMA-376): text, tables, lists, pictures, headers and footers. Deleted text of tracked changes is
 * left out. Macros never run and nothing is loaded.
 * @throws {DocumentProblem} `broken`, `too_large`, and `unsupported` for other office documents and archives
 */
export async function readDocx(bytes: Uint8Array): Promise<Flow> {
  const parts = Object.fromEntries(readZip(bytes, isWanted))
  if (!parts[main]) {
    throw new DocumentProblem(
      'unsupported',
      'This is a spreadsheet, a presentation or an archive. Save or print it as PDF and send that.',
    )
  }
  const names = Object.keys(parts).sort()
  const head = await partsToHtml(
    parts,
    names.filter((name) => /^word\/header\d*\.xml$/.test(name)),
  )
  const foot = await partsToHtml(
    parts,
    names.filter((name) => /^word\/footer\d*\.xml$/.test(name)),
  )
  const notes = ['word/footnotes.xml', main].some((name) => undrawn.test(Buffer.from(parts[name] ?? []).toString()))
  const flow = readHtml(`${head}${await toHtml(parts)}${foot}`)
  return { ...flow, notes: [noteSimple, ...(notes ? [noteUndrawn] : []), ...flow.notes] }
}
