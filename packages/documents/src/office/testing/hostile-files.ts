import { strToU8, zipSync } from 'fflate'

const namespaces = ['office', 'text', 'table', 'style', 'draw', 'script']
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .concat(
    'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"',
    'xmlns:xlink="http://www.w3.org/1999/xlink"',
    'xmlns:ooo="http://openoffice.org/2004/office"',
  )
  .join(' ')

const manifest = (type: string, files: readonly string[]) =>
  `<?xml version="1.0"?><manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">${[
    `<manifest:file-entry manifest:full-path="/" manifest:media-type="${type}"/>`,
    ...files.map((file) => `<manifest:file-entry manifest:full-path="${file}" manifest:media-type="text/xml"/>`),
  ].join('')}</manifest:manifest>`

const libraries = (names: string) =>
  `<?xml version="1.0"?><library:libraries xmlns:library="http://openoffice.org/2000/library" xmlns:xlink="http://www.w3.org/1999/xlink">${names}</library:libraries>`

interface Trap {
  /** An address that is loaded when links are followed. */
  url: string
  /** A file that a macro writes when one runs. */
  written: string
}

/** A text that opens with a macro, and shows pictures, sections and frames from other places. */
export function hostileOdt({ url, written }: Trap): Uint8Array {
  const type = 'application/vnd.oasis.opendocument.text'
  const listener =
    '<office:scripts><office:event-listeners><script:event-listener script:language="ooo:script" script:event-name="dom:load" xlink:href="vnd.sun.star.script:Standard.Module1.Main?language=Basic&amp;location=document" xlink:type="simple"/></office:event-listeners></office:scripts>'
  const link = `xlink:href="${url}" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"`
  const body = [
    '<text:p>Hello from the letter</text:p>',
    `<text:p><draw:frame svg:width="5cm" svg:height="5cm" text:anchor-type="as-char"><draw:image ${link}/></draw:frame></text:p>`,
    `<text:section text:name="S"><text:section-source xlink:href="${url}" xlink:type="simple"/><text:p>x</text:p></text:section>`,
    `<text:p><draw:frame svg:width="5cm" svg:height="5cm" text:anchor-type="as-char"><draw:floating-frame ${link}/></draw:frame></text:p>`,
    `<text:p><draw:frame svg:width="5cm" svg:height="5cm" text:anchor-type="as-char"><draw:object ${link}/></draw:frame></text:p>`,
  ].join('')
  const macro = `Sub Main\nDim f\nf = FreeFile\nOpen "${written}" For Output As #f\nPrint #f, "ran"\nClose #f\nEnd Sub`
  return zipSync({
    mimetype: [strToU8(type), { level: 0 }],
    'META-INF/manifest.xml': strToU8(
      manifest(type, [
        'content.xml',
        'Basic/script-lc.xml',
        'Basic/Standard/script-lb.xml',
        'Basic/Standard/Module1.xml',
      ]),
    ),
    'content.xml': strToU8(
      `<?xml version="1.0"?><office:document-content office:version="1.2" ${namespaces}>${listener}<office:body><office:text>${body}</office:text></office:body></office:document-content>`,
    ),
    'Basic/script-lc.xml': strToU8(libraries('<library:library library:name="Standard" library:link="false"/>')),
    'Basic/Standard/script-lb.xml': strToU8(
      '<?xml version="1.0"?><library:library xmlns:library="http://openoffice.org/2000/library" library:name="Standard" library:readonly="false" library:passwordprotected="false"><library:element library:name="Module1"/></library:library>',
    ),
    'Basic/Standard/Module1.xml': strToU8(
      `<?xml version="1.0"?><script:module xmlns:script="http://openoffice.org/2000/script" script:name="Module1" script:language="StarBasic">${macro.replaceAll('"', '&quot;')}</script:module>`,
    ),
  })
}

/** A spreadsheet that asks for data, and for pictures, from another place. */
export function hostileOds(url: string): Uint8Array {
  const type = 'application/vnd.oasis.opendocument.spreadsheet'
  const formula = (text: string) =>
    `<table:table-row><table:table-cell table:formula="of:=${text.replaceAll('"', '&quot;')}"/></table:table-row>`
  const rows = [
    '<table:table-row><table:table-cell office:value-type="string"><text:p>Hello from the sheet</text:p></table:table-cell></table:table-row>',
    formula(`WEBSERVICE("${url}")`),
    formula(`'${url}'#$Sheet1.A1`),
    formula(`DDE("soffice";"${url}";"A1")`),
  ].join('')
  const remote = `<table:table table:name="Remote"><table:table-source xlink:href="${url}" xlink:type="simple" table:filter-name="Text - txt - csv (StarCalc)"/><table:table-row><table:table-cell/></table:table-row></table:table>`
  return zipSync({
    mimetype: [strToU8(type), { level: 0 }],
    'META-INF/manifest.xml': strToU8(manifest(type, ['content.xml'])),
    'content.xml': strToU8(
      `<?xml version="1.0"?><office:document-content office:version="1.2" xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2" ${namespaces}><office:body><office:spreadsheet><table:table table:name="One">${rows}</table:table>${remote}</office:spreadsheet></office:body></office:document-content>`,
    ),
  })
}

/** A zip file whose directory says that its document unpacks to more than any has. */
export function officeBomb(): Uint8Array {
  const file = Buffer.from(zipSync({ 'xl/workbook.xml': strToU8('<x/>') }))
  // The size of the part before it was compressed (APPNOTE 4.3.12).
  file.writeUInt32LE(1_000_000_000, file.indexOf('PK\x01\x02', 0, 'latin1') + 24)
  return file
}
