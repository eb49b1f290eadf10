import { strToU8, zipSync } from 'fflate'

const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const contentTypes =
  '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="png" ContentType="image/png"/></Types>'
const namespaces = [
  `xmlns:w="${word}"`,
  `xmlns:r="${relations}"`,
  'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"',
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
  'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"',
  'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"',
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

interface WordParts {
  body: string
  header?: string
  footer?: string
  picture?: Uint8Array
  /** Address of a picture that is not in the file. */
  linked?: string
}

/** A Word document as programs write it (ECMA-376), as far as tests need it. The picture is `rIdP`, a linked one `rIdL`. */
export function wordFile({ body, header, footer, picture, linked }: WordParts): Uint8Array {
  const root = (name: string, content: string) =>
    strToU8(`<?xml version="1.0"?><w:${name} ${namespaces}>${content}</w:${name}>`)
  const own = [
    ...(picture ? [relation('rIdP', 'image', 'media/image1.png')] : []),
    ...(linked === undefined ? [] : [relation('rIdL', 'image', linked, ' TargetMode="External"')]),
  ]
  return zipSync({
    '[Content_Types].xml': strToU8(contentTypes),
    '_rels/.rels': strToU8(relationships([relation('rId1', 'officeDocument', 'word/document.xml')])),
    'word/document.xml': root('document', `<w:body>${body}</w:body>`),
    'word/_rels/document.xml.rels': strToU8(relationships(own)),
    ...(picture ? { 'word/media/image1.png': picture } : {}),
    ...(header === undefined ? {} : { 'word/header1.xml': root('hdr', header) }),
    ...(footer === undefined ? {} : { 'word/footer1.xml': root('ftr', footer) }),
  })
}

const odf = ['office', 'text', 'table', 'style', 'draw']
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .concat(
    'xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"',
    'xmlns:xlink="http://www.w3.org/1999/xlink"',
  )
  .join(' ')

/** An OpenDocument text (ISO/IEC 26300), as far as tests need it. */
export function odtFile({
  text,
  styles = '',
  header = '',
}: {
  text: string
  styles?: string
  header?: string
}): Uint8Array {
  const content = `<office:document-content ${odf}><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:text>${text}</office:text></office:body></office:document-content>`
  const master = `<office:document-styles ${odf}><office:master-styles><style:master-page><style:header>${header}</style:header></style:master-page></office:master-styles></office:document-styles>`
  return zipSync({
    mimetype: [strToU8('application/vnd.oasis.opendocument.text'), { level: 0 }],
    'content.xml': strToU8(content),
    'styles.xml': strToU8(master),
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
