/** A page of a sample: points, content operators, dictionary entries of its own, and fonts beside /F1. */
export interface SamplePage {
  width?: number
  height?: number
  content?: string
  entries?: string
  fonts?: string
}

/**
 * A PDF written by hand, with Helvetica as /F1. `objects` are further objects, numbered from 5 on in the order given;
 * `trailer` holds further entries of the trailer, `catalog` those of the catalog.
 */
export function pdfOf(
  pages: readonly SamplePage[],
  objects: readonly string[] = [],
  trailer = '',
  catalog = '/AcroForm 4 0 R',
): Buffer {
  const first = 5 + objects.length
  const kids = pages.map((_, index) => `${first + 2 * index} 0 R`).join(' ')
  const bodies = [
    `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
    `<</Type/Pages/Kids[${kids}]/Count ${pages.length}>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    '<</Fields[]/DR<</Font<</F1 3 0 R>>>>/DA(/F1 12 Tf 0 g)>>',
    ...objects,
    ...pages.flatMap(({ width = 612, height = 792, content = '', entries = '', fonts = '' }, index) => [
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${width} ${height}]/Contents ${first + 2 * index + 1} 0 R` +
        `/Resources<</Font<</F1 3 0 R${fonts}>>${objects.length > 0 ? '/XObject<</X 5 0 R>>' : ''}>>${entries}>>`,
      streamOf(content),
    ]),
  ]
  return assemble(bodies, trailer)
}

/** A stream object with dictionary entries of its own. */
export function streamOf(content: string, entries = ''): string {
  return `<<${entries}/Length ${content.length}>>stream\n${content}\nendstream`
}

/** Content operators that write a line of text. */
export function textAt(x: number, y: number, size: number, text: string): string {
  return `BT /F1 ${size} Tf ${x} ${y} Td (${text}) Tj ET`
}

/** A letter of one page, as most faxes are. */
export function letterPdf(pages = 1): Buffer {
  return pdfOf(
    Array.from({ length: pages }, (_, page) => ({
      content: Array.from({ length: 40 }, (_line, line) =>
        textAt(72, 720 - 16 * line, 11, `Line ${line + 1} of page ${page + 1}: the quick brown fox 0123456789`),
      ).join('\n'),
    })),
  )
}

/** A PDF that asks for a password: the check values of the standard security handler fit none. */
export function encryptedPdf(): Buffer {
  const nothing = '00'.repeat(32)
  return pdfOf(
    [{ content: textAt(72, 720, 12, 'secret') }],
    [],
    `/ID[<00><00>]/Encrypt<</Filter/Standard/V 1/R 2/O<${nothing}>/U<${nothing}>/P -4>>`,
  )
}

/** A PDF whose page draws a form ten times, which draws a form ten times, and so on: more work than a life allows. */
export function endlessPdf(): Buffer {
  const depth = 9
  const forms = Array.from({ length: depth }, (_, index) => {
    const inner = index + 1 < depth ? '/X Do '.repeat(10) : '0 0 500 500 re f '.repeat(50)
    const resources = index + 1 < depth ? `/Resources<</XObject<</X ${6 + index} 0 R>>>>` : ''
    return streamOf(inner, `/Type/XObject/Subtype/Form/BBox[0 0 612 792]${resources}`)
  })
  return pdfOf([{ content: '/X Do' }], forms)
}

/** A form, as /X, that is shaded by a program of thousands of steps for each dot, time and again: more work than a life allows, in little memory. */
export function slowParts(): string[] {
  const steps = 'dup sin cos sqrt pop '.repeat(1_000)
  const program = streamOf(`{ ${steps} add 2 div dup dup }`, '/FunctionType 4/Domain[0 1 0 1]/Range[0 1 0 1 0 1]')
  const shading = '<</ShadingType 1/ColorSpace/DeviceRGB/Domain[0 1 0 1]/Matrix[612 0 0 792 0 0]/Function 7 0 R>>'
  const form = streamOf(
    '/S sh '.repeat(1_000),
    '/Type/XObject/Subtype/Form/BBox[0 0 612 792]/Resources<</Shading<</S 6 0 R>>>>',
  )
  return [form, shading, program]
}

/** A PDF of one page that takes more work than a life allows. */
export function slowPdf(): Buffer {
  return pdfOf([{ content: '/X Do' }], slowParts())
}

function assemble(bodies: readonly string[], trailer: string): Buffer {
  let file = '%PDF-1.7\n'
  const offsets = bodies.map((body, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj\n${body}\nendobj\n`
    return offset
  })
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = bodies.length + 1
  return Buffer.from(
    `${file}xref\n0 ${size}\n0000000000 65535 f \n${entries}` +
      `trailer\n<</Size ${size}/Root 1 0 R${trailer}>>\nstartxref\n${file.length}\n%%EOF\n`,
    'latin1',
  )
}
