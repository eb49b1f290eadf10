import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import type { Sharp, TiffOptions } from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { createDocuments } from './documents.ts'
import { defaultLimits } from './base/limits.ts'
import { DocumentProblem } from './base/problem.ts'
import { bitmapOf } from './testing/bitmap-samples.ts'
import { requireJudge, runJudge, testFolder, writePages } from './testing/judges.ts'
import { endlessPdf, letterPdf, pdfOf, streamOf, textAt } from './testing/pdf-samples.ts'
import { blackShare, fineLetter, photo, readPages } from './testing/samples.ts'

const documents = createDocuments({ threads: 2, limits: { ...defaultLimits, seconds: 30 } })
afterAll(() => documents.close())

async function pagesOf(source: Uint8Array) {
  const path = join(testFolder(), 'fax.tif')
  await documents.toTiff(source, path, fineLetter)
  return readPages(path)
}

const refusal = (code: string, sentence: RegExp) =>
  expect.objectContaining({ code, sentence: expect.stringMatching(sentence) })

/** A mark in each corner of a page and one in its middle, as shares of its sides. */
const marks = (width: number, height: number) => {
  const [w, h] = [width / 20, height / 20]
  return [
    [0, 0],
    [width - w, 0],
    [0, height - h],
    [width - w, height - h],
    [width / 2, height / 2],
  ]
    .map(([x, y]) => `${x} ${y} ${w} ${h} re`)
    .join(' ')
    .concat(' f')
}

describe('pages of every size', () => {
  it('are fitted whole: large, small, narrow, landscape and turned ones, each of them in one document', async () => {
    const sizes: [number, number, string][] = [
      [612, 792, ''],
      [1224, 1584, ''],
      [420, 298, ''],
      [300, 780, ''],
      [780, 150, ''],
      [14_400, 14_400, ''],
      ...[90, 180, 270].map((turn): [number, number, string] => [612, 792, `/Rotate ${turn}`]),
      [792, 612, '/Rotate 90'],
      [612, 792, '/CropBox[100 100 500 700]'],
    ]
    const pages = await pagesOf(
      pdfOf(sizes.map(([width, height, entries]) => ({ width, height, entries, content: marks(width, height) }))),
    )
    const area = (index: number) => blackShare(pages[index]!) * 1728 * 2156
    expect(pages.map(({ width, height }) => `${width}x${height}`)).toEqual(sizes.map(() => '1728x2156'))
    // Five marks take 1.25 % of the page as it lies on the paper: whole when the scale is that of the fitted page.
    sizes.slice(0, 10).forEach(([width, height], index) => {
      const [short, long] = [Math.min(width, height), Math.max(width, height)]
      const scale = Math.min(1728 / (short * (204 / 72)), 2156 / (long * (196 / 72)), 2)
      const whole = short * (204 / 72) * scale * long * (196 / 72) * scale
      expect(area(index) / (0.0125 * whole)).toBeCloseTo(1, 0)
      expect(area(index)).toBeGreaterThan(0.0125 * whole * 0.9)
    })
    // What is cropped away is no part of the page: one mark is left.
    expect(area(10)).toBeGreaterThan(0)
  })

  it('have JPEG pictures upright, whatever way the camera was held', async () => {
    // Black in the upper left quarter as it is to be seen.
    const seen = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#fff' } })
      .composite([{ input: { create: { width: 200, height: 150, channels: 3, background: '#000' } }, left: 0, top: 0 }])
      .png()
      .toBuffer()
    /** How the sensor has it, by orientation: what a viewer undoes (Exif 2.3, 4.6.4), a mirror after a clockwise turn. */
    const held: [turn: number, mirrored: 'no' | 'left and right' | 'top and bottom'][] = [
      [0, 'no'],
      [0, 'left and right'],
      [180, 'no'],
      [0, 'top and bottom'],
      [90, 'left and right'],
      [270, 'no'],
      [90, 'top and bottom'],
      [90, 'no'],
    ]
    for (const [index, [turn, mirrored]] of held.entries()) {
      const image = sharp(await sharp(seen).rotate(turn).png().toBuffer())
      const sensor = mirrored === 'no' ? image : mirrored === 'left and right' ? image.flop() : image.flip()
      const turned = await sharp(await sensor.png().toBuffer())
        .withMetadata({ orientation: index + 1 })
        .jpeg()
        .toBuffer()
      const [page] = await pagesOf(turned)
      const left = (1728 - (400 * 204) / 96) / 2 / 1728
      const top = (2156 - (300 * 196) / 96) / 2 / 2156
      const quarter = { across: (200 * 204) / 96 / 1728, down: (150 * 196) / 96 / 2156 }
      expect(blackShare(page!, left + 0.01, top + 0.01, left + quarter.across - 0.01, top + quarter.down - 0.01)).toBe(
        1,
      )
    }
  })
})

describe('multi-page TIFF', () => {
  it('of every kind of scan is read, page after page', async (context) => {
    requireJudge(context, 'tiffcp')
    const folder = testFolder()
    const at = (name: string) => join(folder, name)
    const page = async (name: string, change: (image: Sharp) => Sharp, options: TiffOptions) =>
      writeFileSync(
        at(name),
        await change(photo(340, 440).withMetadata({ density: 100 }))
          .tiff(options)
          .toBuffer(),
      )
    const same = (image: Sharp) => image
    await page('lzw.tif', same, { compression: 'lzw' })
    await page('deflate.tif', same, { compression: 'deflate', predictor: 'horizontal' })
    await page('jpeg.tif', same, { compression: 'jpeg' })
    await page('tiles.tif', same, { compression: 'lzw', tile: true, tileWidth: 64, tileHeight: 64 })
    await page('gray.tif', (image) => image.grayscale().toColorspace('b-w'), { compression: 'packbits' })
    await page('deep.tif', (image) => image.toColorspace('rgb16'), { compression: 'none' })
    const drawing = bitmapOf(
      340,
      Array.from({ length: 440 }, (_, y) => [y % 300, (y % 300) + 30]),
    )
    await writePages(at('g4.tif'), [drawing], 98)
    for (const [name, coding] of [
      ['plain', 'none'],
      ['pack', 'packbits'],
      ['g3', 'g3:2d'],
    ] as const) {
      runJudge('tiffcp', '-c', coding, at('g4.tif'), at(`${name}.tif`))
    }
    const names = ['lzw', 'deflate', 'jpeg', 'tiles', 'gray', 'deep', 'plain', 'pack', 'g4', 'g3']
    runJudge('tiffcp', ...names.map((name) => at(`${name}.tif`)), at('all.tif'))
    const path = { path: at('all.tif') }
    expect(await documents.inspect(path)).toMatchObject({ kind: 'tiff', pages: names.length })
    await documents.toTiff(path, at('fax.tif'), fineLetter)
    for (const out of readPages(at('fax.tif'))) expect(blackShare(out)).toBeGreaterThan(0.01)
  })
})

describe('documents made to do harm', () => {
  const next = async () => expect(await documents.inspect(letterPdf())).toMatchObject({ pages: 1 })

  it('of 10,000 pages are refused, and the next is served', async () => {
    const many = pdfOf(Array.from({ length: 10_000 }, () => ({})))
    await expect(documents.inspect(many)).rejects.toEqual(refusal('too_many_pages', /500 pages/))
    await expect(documents.toTiff(many, '/nonexistent/fax.tif', fineLetter)).rejects.toEqual(
      refusal('too_many_pages', /Split/),
    )
    await next()
  })

  const zipped = (content: Buffer, entries: string) =>
    streamOf(deflateSync(content).toString('latin1'), `${entries}/Filter/FlateDecode`)
  const twice = (size: number) => {
    const once = deflateSync(Buffer.alloc(size, 32))
    return streamOf(
      deflateSync(once).toString('latin1'),
      '/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Filter[/FlateDecode/FlateDecode]',
    )
  }

  const harmful: [string, () => Uint8Array | Promise<Uint8Array>][] = [
    ['a form of 300 MB of spaces, packed twice', () => pdfOf([{ content: '/X Do' }], [twice(300_000_000)])],
    [
      'an image of 900 million pixels in a few bytes',
      () =>
        pdfOf(
          [{ content: '600 0 0 700 0 0 cm /X Do' }],
          [
            zipped(
              Buffer.alloc(30_000_000),
              '/Type/XObject/Subtype/Image/Width 30000/Height 30000/ColorSpace/DeviceGray/BitsPerComponent 8',
            ),
          ],
        ),
    ],
    [
      'a million strokes in a packed form',
      () =>
        pdfOf(
          [{ content: '/X Do '.repeat(40) }],
          [zipped(Buffer.from('0 0 m 600 700 l S\n'.repeat(200_000)), '/Type/XObject/Subtype/Form/BBox[0 0 612 792]')],
        ),
    ],
    [
      'a PNG of 99 million pixels of one color',
      () =>
        sharp(Buffer.alloc(9_900 * 9_999, 255), { raw: { width: 9_900, height: 9_999, channels: 1 } })
          .png({ compressionLevel: 1 })
          .toBuffer(),
    ],
    ['forms within forms without end', () => endlessPdf()],
  ]
  /** The others take all the time that a page may. */
  const soon = ['an image of 900 million pixels in a few bytes', 'a PNG of 99 million pixels of one color']

  it.each(process.env['FAXDECK_LONG'] ? harmful : harmful.filter(([name]) => soon.includes(name)))(
    'are answered or refused with a sentence: %s',
    async (_name, make) => {
      const hasty = createDocuments({ threads: 1, limits: { ...defaultLimits, seconds: 4 } })
      const source = await make()
      const answer = await hasty.page(source, 1, { ...fineLetter, width: 100 }).then(
        (image) => image?.width,
        (problem: unknown) => problem,
      )
      expect([100, refusal('too_large', /\.$/), refusal('too_slow', /\.$/), refusal('broken', /\.$/)]).toContainEqual(
        answer,
      )
      expect(await hasty.inspect(letterPdf())).toMatchObject({ pages: 1 })
      await hasty.close()
    },
  )
})

describe('a long document', () => {
  it('shows its first page without rendering the rest', async () => {
    const endless = endlessPdf().toString('latin1')
    const forms = [...endless.matchAll(/\d+ 0 obj\n(<<\/Type\/XObject[^]*?endstream)\nendobj/g)].map(
      ([, form]) => form!,
    )
    const rest = Array.from({ length: 99 }, () => ({ content: '/X Do' }))
    const hasty = createDocuments({ threads: 1, limits: { ...defaultLimits, seconds: 4 } })
    const pdf = pdfOf([{ content: textAt(72, 720, 12, 'Page 1') }, ...rest], forms)
    expect(await hasty.page(pdf, 1, { ...fineLetter, width: 480 })).toMatchObject({ width: 480 })
    await expect(hasty.page(pdf, 2, fineLetter)).rejects.toBeInstanceOf(DocumentProblem)
    await hasty.close()
  })

  it.each(process.env['FAXDECK_LONG'] ? [100, 160] : [160])('of %i pages takes less than 200 MB', (pages) => {
    const folder = testFolder()
    writeFileSync(join(folder, 'long.pdf'), letterPdf(pages))
    const program = fileURLToPath(new URL('./testing/peak-memory.ts', import.meta.url))
    // As the gateway is started.
    const env = { ...process.env, MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' }
    const args = ['--max-semi-space-size=8', program, 'long.pdf', 'long.tif']
    expect(Number(execFileSync(process.execPath, args, { cwd: folder, env })) / 2 ** 20).toBeLessThan(200)
  })
})
