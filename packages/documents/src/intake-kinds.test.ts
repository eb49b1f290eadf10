import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { createDocuments } from './documents.ts'
import { fineLetter, photo } from './testing/samples.ts'
import { decodeText } from './text/decode.ts'

const documents = createDocuments({ threads: 1 })
afterAll(() => documents.close())

/** A bitmap of 8 by 4 pixels, black but for its right half, its rows from the bottom. */
function bitmapFile(bits: 1 | 8 | 24 | 32): Buffer {
  const palette = Buffer.from(bits > 8 ? [] : [0, 0, 0, 0, 255, 255, 255, 0])
  const rowBytes = Math.ceil((8 * bits) / 32) * 4
  const header = Buffer.alloc(54)
  header.write('BM', 'latin1')
  header.writeUInt32LE(54 + palette.length, 10)
  for (const [at, value] of [
    [14, 40],
    [18, 8],
    [22, 4],
    [26, 1 | (bits << 16)],
    [38, 3780],
    [42, 3780],
  ] as const) {
    header.writeUInt32LE(value, at)
  }
  const row = Buffer.alloc(rowBytes)
  if (bits === 1) row[0] = 0x0f
  else for (let x = 4; x < 8; x++) row.fill(bits === 8 ? 1 : 255, (x * bits) / 8, ((x + 1) * bits) / 8)
  return Buffer.concat([header, palette, row, row, row, row])
}

describe('images people have', () => {
  it.each(['gif', 'webp', 'avif'] as const)('of kind %s are drawn', async (kind) => {
    const image = await photo(320, 240)[kind]().toBuffer()
    expect(await documents.inspect(image)).toMatchObject({ kind, pages: 1 })
    const page = await documents.page(image, 1, { ...fineLetter, width: 200 })
    expect((await sharp(page?.png).stats()).channels[0]?.min).toBeLessThan(100)
    expect(Buffer.from(await documents.toPdf(image, { paper: 'a4' })).toString('latin1', 0, 5)).toBe('%PDF-')
  })

  it('say that only the first of several pictures is faxed', async () => {
    const frames = [await photo(64, 48).png().toBuffer(), await photo(64, 48).negate().png().toBuffer()]
    for (const kind of ['gif', 'webp'] as const) {
      const image = sharp(frames, { join: { animated: true } })
      const moving = await image[kind]().toBuffer()
      expect((await documents.inspect(moving)).notes).toEqual([
        { page: 1, kind: 'left_out', text: expect.stringContaining('2 pictures') },
      ])
    }
  })

  it('painted white on nothing come out blank, and say so; blank paper does not', async () => {
    const ground = { width: 200, height: 100, channels: 4, background: { r: 255, g: 255, b: 255, alpha: 0 } } as const
    const type = await sharp({ create: { ...ground, width: 100, background: '#fff' } })
      .png()
      .toBuffer()
    const painted = await sharp({ create: ground })
      .composite([{ input: type }])
      .png()
      .toBuffer()
    const blank = { kind: 'blank_page', text: expect.stringContaining('came out blank') }
    expect((await documents.page(painted, 1, fineLetter))?.notes).toEqual([blank])
    const paper = await sharp({ create: { ...ground, background: '#fff' } })
      .png()
      .toBuffer()
    expect((await documents.page(paper, 1, fineLetter))?.notes).toEqual([])
  })

  it('are refused when they would take more pages than a fax may have', async () => {
    const strip = await sharp({ create: { width: 8, height: 1_000_000, channels: 3, background: '#000' } })
      .png()
      .toBuffer()
    await expect(documents.inspect(strip)).rejects.toMatchObject({ code: 'too_many_pages' })
  })

  it.each([1, 8, 24, 32] as const)('of kind BMP with %d bits a pixel are drawn', async (bits) => {
    const { bmpToPng } = await import('./images/bmp-read.ts')
    const { defaultLimits } = await import('./base/limits.ts')
    const file = bitmapFile(bits)
    const pixels = await sharp(await bmpToPng(file, defaultLimits))
      .grayscale()
      .raw()
      .toBuffer()
    expect([...pixels.subarray(0, 8)]).toEqual([0, 0, 0, 0, 255, 255, 255, 255])
    expect(await documents.inspect(file)).toMatchObject({ kind: 'bmp', pages: 1 })
    await expect(documents.inspect(file.subarray(0, file.length - 3))).rejects.toThrow(/BMP image is damaged/)
  })
})

describe('texts people have', () => {
  it.each([
    ['UTF-16, little-endian', Buffer.from('\ufeffGrüße, 漢', 'utf16le'), 'Grüße, 漢'],
    ['UTF-16, big-endian', Buffer.from('\ufeffGrüße', 'utf16le').swap16(), 'Grüße'],
    ['Latin-1', Buffer.from('Grüße aus Köln', 'latin1'), 'Grüße aus Köln'],
    ['Windows-1252', Buffer.from('It\x92s 5 \x80 \x96 now', 'latin1'), 'It’s 5 € – now'],
    ['UTF-8 with the end of CP/M', Buffer.from('Grüße\r\n\x1a'), 'Grüße\r\n'],
  ])('in %s are read', async (_encoding, bytes, text) => {
    expect(decodeText(bytes)).toBe(text)
    expect(documents.kind(bytes)).toBe('text')
  })

  it('in damaged UTF-8 are not read as something else, and commands for printers are no text', () => {
    const damaged = Buffer.concat([Buffer.from('Grüße äöü, and many more words '), Buffer.from([0xc3, 0x20])])
    expect(() => decodeText(damaged)).toThrow(/encoding/)
    expect(() => decodeText(Buffer.from('total\x1b&l0O'))).toThrow(/printer/)
  })
})
