import { strToU8, zipSync } from 'fflate'

const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const contentTypes =
  '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="png" ContentType="image/png"/>'
const namespaces = [
  `xmlns:w="${word}"`,
  `xmlns:r="${relations}"`,
  'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"',
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
  'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"',
  'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"',
  'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"',
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"',
].join(' ')

const relationships = (all: readonly string[]) =>
  `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all.join('')}</Relationships>`

const relation = (id: string, type: string, target: string, mode = '') =>
  `<Relationship Id="${id}" Type="${relations}/${type}" Target="${target}"${mode}/>`

/** A paragraph of Word with one run. */
export const wordText = (text: string, look = '') =>
  `<w:p><w:r><w:rPr>${look}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`

/** A picture of Word, by the relation it is named with. */
export const wordPicture = (id: string, way: 'embed' | 'link' = 'embed') =>
  `<w:p><w:r><w:drawing><wp:inline><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:${way}="${id}"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`

/** A chart of Word, whose own part is not there. */
export const wordChart =
  '<w:p><w:r><w:drawing><wp:inline><wp:extent cx="1270000" cy="1270000"/><a:graphic><a:graphicData><c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" r:id="rIdC"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>'

/** Parts of a Word document with a root of their own: names of part and root, and what kind of part it is. */
const textParts = {
  header: ['header1', 'hdr', 'header'],
  footer: ['footer1', 'ftr', 'footer'],
  firstHeader: ['header2', 'hdr', 'header'],
  footnotes: ['footnotes', 'footnotes', 'footnotes'],
  endnotes: ['endnotes', 'endnotes', 'endnotes'],
  numbering: ['numbering', 'numbering', 'numbering'],
} as const

type WordParts = { [part in keyof typeof textParts]?: string } & {
  body: string
  picture?: Uint8Array
  /** Address of a picture that is not in the file. */
  linked?: string
}

/**
 * A Word document as programs write it (ECMA-376), as far as tests need it. The picture is `rIdP`, a linked one `rIdL`, a
 * header `rIdheader`, and so on.
 */
export function wordFile({ body, picture, linked, ...texts }: WordParts): Uint8Array {
  const root = (name: string, content: string) =>
    strToU8(`<?xml version="1.0"?><w:${name} ${namespaces}>${content}</w:${name}>`)
  const given = Object.entries(texts).flatMap(([part, content]) => {
    const [name, element, kind] = textParts[part as keyof typeof textParts]
    return content === '' ? [] : [{ part, name, kind, bytes: root(element, content) }]
  })
  const own = [
    ...(picture ? [relation('rIdP', 'image', 'media/image1.png')] : []),
    ...(linked === undefined ? [] : [relation('rIdL', 'image', linked, ' TargetMode="External"')]),
    ...given.map(({ part, name, kind }) => relation(`rId${part}`, kind, `${name}.xml`)),
  ]
  const type = (name: string, kind: string) =>
    `<Override PartName="/word/${name}.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.${kind}+xml"/>`
  const types = [type('document', 'document.main'), ...given.map(({ name, kind }) => type(name, kind))]
  return zipSync({
    '[Content_Types].xml': strToU8(`${contentTypes}${types.join('')}</Types>`),
    '_rels/.rels': strToU8(relationships([relation('rId1', 'officeDocument', 'word/document.xml')])),
    'word/document.xml': root('document', `<w:body>${body}</w:body>`),
    'word/_rels/document.xml.rels': strToU8(relationships(own)),
    ...(picture ? { 'word/media/image1.png': picture } : {}),
    ...Object.fromEntries(given.map(({ name, bytes }) => [`word/${name}.xml`, bytes])),
  })
}

const odf = ['office', 'text', 'table', 'style']
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .concat(
    'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"',
    'xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"',
    'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"',
    'xmlns:xlink="http://www.w3.org/1999/xlink"',
    'xmlns:dc="http://purl.org/dc/elements/1.1/"',
    'office:version="1.3"',
  )
  .join(' ')
const odtLayout =
  '<office:styles><text:notes-configuration text:note-class="footnote" style:num-format="1" text:start-numbering-at="document"/><text:notes-configuration text:note-class="endnote" style:num-format="i"/></office:styles><office:automatic-styles><style:page-layout style:name="P"><style:page-layout-properties fo:page-width="21.59cm" fo:page-height="27.94cm" fo:margin-top="2cm" fo:margin-bottom="2cm" fo:margin-left="2cm" fo:margin-right="2cm"/><style:header-style><style:header-footer-properties fo:min-height="1cm"/></style:header-style><style:footer-style><style:header-footer-properties fo:min-height="1cm"/></style:footer-style></style:page-layout></office:automatic-styles>'

interface OdtParts {
  text: string
  styles?: string
  header?: string
  footer?: string
  firstHeader?: string
}

/** An OpenDocument text (ISO/IEC 26300), as far as tests need it. */
export function odtFile({ text, styles = '', header = '', footer = '', firstHeader = '' }: OdtParts): Uint8Array {
  const content = `<office:document-content ${odf}><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:text>${text}</office:text></office:body></office:document-content>`
  const part = (name: string, inside: string) => (inside === '' ? '' : `<style:${name}>${inside}</style:${name}>`)
  const first = firstHeader === '' ? '' : part('header-first', firstHeader)
  const master = `<office:document-styles ${odf}>${odtLayout}<office:master-styles><style:master-page style:name="Standard" style:page-layout-name="P">${part('header', header)}${first}${part('footer', footer)}</style:master-page></office:master-styles></office:document-styles>`
  return zipSync({
    mimetype: [strToU8('application/vnd.oasis.opendocument.text'), { level: 0 }],
    'content.xml': strToU8(content),
    'styles.xml': strToU8(master),
    'META-INF/manifest.xml': strToU8(
      '<?xml version="1.0"?><manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.3"><manifest:file-entry manifest:full-path="/" manifest:version="1.3" manifest:media-type="application/vnd.oasis.opendocument.text"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/><manifest:file-entry manifest:full-path="styles.xml" manifest:media-type="text/xml"/></manifest:manifest>',
    ),
  })
}

/** A mail as programs send it: parts with their headers, `\n` for line ends. */
export function mailFile(parts: readonly string[], subject = 'Results'): Uint8Array {
  const head = `Message-ID: <1@example.com>\nMIME-Version: 1.0\nFrom: Ann <ann@example.com>\nTo: bob@example.com\nSubject: ${subject}\nDate: Sun, 22 Nov 2026 10:00:00 -0500\nContent-Type: multipart/mixed; boundary="b-1"`
  const body = parts.map((part) => `--b-1\n${part}\n`).join('')
  return Buffer.from(`${head}\n\n${body}--b-1--\n`.replaceAll('\n', '\r\n'))
}

/** A part of a mail that is a file. */
export const mailAttachment = (name: string, bytes: Uint8Array, headers = '') =>
  `Content-Type: application/octet-stream\nContent-Disposition: attachment; filename="${name}"\nContent-Transfer-Encoding: base64${headers}\n\n${Buffer.from(bytes).toString('base64').replace(/.{76}/g, '$&\n')}`
