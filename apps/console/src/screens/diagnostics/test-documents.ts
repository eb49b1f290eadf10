/** Where every built-in test goes: the number that the test line delivers. Fictional everywhere else. */
export const testNumber = '+15555550123'

export const testKinds = ['text', 'image', 'fax'] as const
export type TestKind = (typeof testKinds)[number]

export const testWords: Record<TestKind, { button: string; what: string; failure: string }> = {
  text: { button: 'Send Test TXT', what: 'Two lines of text', failure: 'Test TXT fax failed to start' },
  image: { button: 'Send Test Image', what: 'A resolution chart', failure: 'Test image fax failed to start' },
  fax: { button: 'Send Test Fax', what: 'A one-page PDF', failure: 'Test fax failed to start' },
}

/** What a built-in test sends. */
export function testDocument(kind: TestKind): File {
  if (kind === 'text') {
    const lines = ['Faxdeck test fax', `Sent from the diagnostics screen at ${new Date().toISOString()}.`]
    return new File([`${lines.join('\n')}\n`], 'faxdeck_test.txt', { type: 'text/plain' })
  }
  if (kind === 'image') return new File([testChart()], 'faxdeck_test_image.tif', { type: 'image/tiff' })
  const pdf = writePdf(['Faxdeck test fax', 'If you can read this page, sending works.'])
  return new File([pdf], 'faxdeck_test.pdf', { type: 'application/pdf' })
}

/** Dots of a fax page at the standard resolution, 204 by 98 dots an inch (ITU-T T.4). */
const width = 1728
const height = 1078
const margin = 96

/** Steps of a gray wedge as patterns of dots: of 16, how many are ink. */
const isWedge = (x: number, y: number) => {
  const step = Math.floor((x - margin) / 96)
  return (x * 7 + y * 5) % 16 < step
}

/** Lines that grow from one dot to eight, and the same again across. */
const isUpright = (x: number) => {
  const each = 1 + Math.floor((x - margin) / 192)
  return Math.floor((x - margin) / each) % 2 === 0
}
const isAcross = (y: number) => {
  const each = 1 + Math.floor((y - 500) / 48)
  return Math.floor((y - 500) / each) % 2 === 0
}

function isInk(x: number, y: number): boolean {
  const fromEdge = Math.min(x - margin, width - margin - 1 - x, y - margin / 2, height - margin / 2 - 1 - y)
  if (fromEdge < 0) return false
  if (fromEdge < 4) return true
  if (fromEdge < 32) return false
  if (y < 240) return isUpright(x)
  if (y >= 290 && y < 450) return isWedge(x, y)
  if (y >= 500 && y < 860) return isAcross(y)
  // A diagonal shows whether rows are lost.
  const along = Math.abs(((x - margin) * 110) / (width - 2 * margin) - (y - 880))
  return y >= 880 && along < 2
}

const [short, long, rational] = [3, 4, 5]

/** A resolution chart as an uncompressed 1-bit TIFF 6.0 file: lines of one to eight dots, a gray wedge, a diagonal. */
function testChart(): ArrayBuffer {
  const stride = width / 8
  const entries = [
    [256, short, width],
    [257, short, height],
    [258, short, 1],
    [259, short, 1],
    [262, short, 0],
    [273, long, 0],
    [277, short, 1],
    [278, short, height],
    [279, long, stride * height],
    [282, rational, 0],
    [283, rational, 8],
    [296, short, 2],
  ] as const
  const ratios = 8 + 2 + entries.length * 12 + 4
  const pixels = ratios + 16
  const file = new DataView(new ArrayBuffer(pixels + stride * height))
  // "II*": little-endian TIFF; the directory follows at byte 8.
  ;[0x4949, 0x2a, 8, 0, entries.length].forEach((word, index) => file.setUint16(index * 2, word, true))
  entries.forEach(([tag, type, value], index) => {
    const at = 10 + index * 12
    file.setUint16(at, tag, true)
    file.setUint16(at + 2, type, true)
    file.setUint32(at + 4, 1, true)
    file.setUint32(at + 8, tag === 273 ? pixels : type === rational ? ratios + value : value, true)
  })
  ;[204, 1, 98, 1].forEach((number, index) => file.setUint32(ratios + index * 4, number, true))
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (!isInk(x, y)) continue
      const at = pixels + y * stride + (x >> 3)
      file.setUint8(at, file.getUint8(at) | (0x80 >> (x & 7)))
    }
  }
  return file.buffer
}

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
