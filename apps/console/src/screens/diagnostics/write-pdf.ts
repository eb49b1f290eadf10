const escaped = (text: string) => text.replace(/[\\()]/g, (sign) => `\\${sign}`)

/**
 * A one-page PDF (ISO 32000-1, US Letter) with lines of ASCII text in Helvetica. Every offset in its table is right,
 * so that no reader has to repair it.
 */
export function writePdf(lines: readonly string[]): string {
  const shown = lines.map((line) => `(${escaped(line)}) Tj T*`).join('\n')
  const content = `BT\n/F1 20 Tf\n30 TL\n72 700 Td\n${shown}\nET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let file = '%PDF-1.4\n'
  const offsets = objects.map((body, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj\n${body}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`
  return `${file}${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`
}
