const letter = '[0 0 612 792]'

const escaped = (line: string) => line.replace(/[\\()]/g, '\\$&')

function pageContent(lines: readonly string[]): string {
  const shown = lines.map((line) => `(${escaped(line)}) Tj T*`).join('\n')
  return `BT /F1 14 Tf 20 TL 72 700 Td\n${shown}\nET\n0.5 w 72 640 m 540 120 l S\n72 90 200 12 re f`
}

/**
 * A small, correct PDF 1.4: letter pages with lines of Latin text, one slanted rule and one black bar.
 * @param pages the lines of each page
 */
export function pdfOf(pages: readonly (readonly string[])[]): Buffer {
  const kids = pages.map((_, index) => `${4 + index * 2} 0 R`).join(' ')
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${kids}]/Count ${pages.length}>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...pages.flatMap((lines, index) => {
      const content = pageContent(lines)
      const resources = '/Resources<</Font<</F1 3 0 R>>>>'
      return [
        `<</Type/Page/Parent 2 0 R/MediaBox${letter}/Contents ${5 + index * 2} 0 R${resources}>>`,
        `<</Length ${Buffer.byteLength(content, 'latin1')}>>\nstream\n${content}\nendstream`,
      ]
    }),
  ]
  return fileOf(objects)
}

function fileOf(objects: readonly string[]): Buffer {
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  text += `xref\n0 ${size}\n0000000000 65535 f \n${entries}trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}

/** A PDF as the browser's and the client's file. */
export function pdfFile(name: string, pages: readonly (readonly string[])[]): File {
  return new File([new Uint8Array(pdfOf(pages))], name, { type: 'application/pdf' })
}
