const width = 204
const height = 264

/** Where the title, the two columns and the note of a cover page stand. */
function isCoverInk(x: number, y: number): boolean {
  if (x < 20 || x >= 184) return false
  if (y >= 24 && y < 36) return x < 84 && (x * 5 + y) % 9 > 1
  if (y === 42 || y === 66 || y === 90) return true
  if (y > 42 && y < 90) return y % 24 < 3 && x % 82 < 60 && (x * 7 + y) % 11 > 1
  return y >= 102 && y < 160 && y % 12 < 3 && x < 150 && (x * 7) % 11 > 1
}

/** Where lines of a letter stand: from the left, from the top, long. */
function isInk(x: number, y: number, page: number): boolean {
  if (page === 0) return isCoverInk(x, y)
  const line = Math.floor(y / 12)
  const length = [150, 164, 120, 158, 90, 0][(line + page) % 6] ?? 0
  const inLetter = x >= 20 && x < 20 + length && line >= 3 && line <= 19
  return inLetter && y % 12 < 3 && (x * 7 + line) % 11 > 1
}

function scanLines(page: number): Uint8Array {
  const stride = 1 + Math.ceil(width / 8)
  const bytes = new Uint8Array(stride * height)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (isInk(x, y, page)) continue
      const at = y * stride + 1 + (x >> 3)
      bytes[at] = (bytes[at] ?? 0) | (0x80 >> (x & 7))
    }
  }
  return bytes
}

function crc32(bytes: Uint8Array): number {
  let crc = ~0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return ~crc >>> 0
}

function adler32(bytes: Uint8Array): number {
  let a = 1
  let b = 0
  for (const byte of bytes) {
    a = (a + byte) % 65521
    b = (b + a) % 65521
  }
  return ((b << 16) | a) >>> 0
}

const word = (value: number) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]

function chunk(name: string, data: readonly number[]): number[] {
  const body = Array.from(name, (letter) => letter.charCodeAt(0)).concat(data)
  return [...word(data.length), ...body, ...word(crc32(Uint8Array.from(body)))]
}

/** A page of a letter, or its cover as page 0, as a 1-bit PNG (RFC 2083, stored without compression as of RFC 1951, 3.2.4). */
export function pagePng(page: number): Uint8Array {
  const raw = scanLines(page)
  const low = [raw.length & 255, raw.length >> 8]
  const stored = [0x78, 0x01, 0x01, ...low, ...low.map((byte) => byte ^ 255), ...raw, ...word(adler32(raw))]
  return Uint8Array.from([
    ...[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    ...chunk('IHDR', [...word(width), ...word(height), 1, 0, 0, 0, 0]),
    ...chunk('IDAT', stored),
    ...chunk('IEND', []),
  ])
}

const pdfObjects = [
  '<</Type/Catalog/Pages 2 0 R>>',
  '<</Type/Pages/Kids[3 0 R]/Count 1>>',
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>',
  '<</Length 46>>stream\nBT /F 18 Tf 72 700 Td (A made-up letter) Tj ET\nendstream',
  '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
]

/** A page with one line as a PDF (ISO 32000-1, 7.5). */
export function smallPdf(): Uint8Array {
  const entries: string[] = []
  let text = '%PDF-1.7\n'
  for (const [index, object] of pdfObjects.entries()) {
    entries.push(`${String(text.length).padStart(10, '0')} 00000 n \n`)
    text += `${index + 1} 0 obj${object}endobj\n`
  }
  const size = pdfObjects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${entries.join('')}`
  return new TextEncoder().encode(
    `${text}${table}trailer<</Size ${size}/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`,
  )
}
