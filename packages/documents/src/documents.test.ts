import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { sameBitmap } from './raster/bitmap.ts'
import { createDocuments } from './documents.ts'
import { defaultLimits } from './base/limits.ts'
import { noiseBitmap } from './testing/bitmap-samples.ts'
import { requireJudge, runJudge, testFolder, writePages } from './testing/judges.ts'
import { letterPdf, pdfOf, textAt } from './testing/pdf-samples.ts'
import { blackShare, fineLetter, photo, readPages } from './testing/samples.ts'
import { readTiff } from './tiff/read.ts'

// Workers and judges take their time on a machine that is busy with other tests.
vi.setConfig({ testTimeout: 60_000 })

const documents = createDocuments({ threads: 2 })
afterAll(() => documents.close())

const text = (content: string) => Buffer.from(content)
const pixelsOf = (png: Uint8Array) => sharp(png).grayscale().raw().toBuffer({ resolveWithObject: true })

describe('inspecting', () => {
  it('tells kind, pages and sizes of a PDF, turned pages included', async () => {
    const pdf = pdfOf([{}, { width: 595, height: 842 }, { entries: '/Rotate 90' }])
    expect(await documents.inspect(pdf)).toEqual({
      kind: 'pdf',
      pages: 3,
      sizes: [
        { width: 612, height: 792 },
        { width: 595, height: 842 },
        { width: 792, height: 612 },
      ],
      notes: [],
    })
  })

  it('counts the pages of a text as they are rendered, small or large, from bytes or a file', async () => {
    const folder = testFolder()
    for (const lines of [1, 58, 59, 2300]) {
      const long = text('the quick brown fox jumps over\n'.repeat(lines))
      const path = join(folder, `${lines}.txt`)
      writeFileSync(path, long)
      const { pages } = await documents.inspect(long)
      expect(pages).toBe(Math.ceil(lines / 58))
      expect((await documents.inspect({ path })).pages).toBe(pages)
      expect((await documents.toTiff(long, join(folder, 'text.tif'), fineLetter)).pages).toBe(pages)
    }
  })

  it('takes PNG, JPEG turned by its camera, and TIFF pages', async () => {
    const path = join(testFolder(), 'fax.tif')
    await writePages(path, [noiseBitmap(1728, 2156), noiseBitmap(1728, 1000)])
    const turned = await photo().withMetadata({ orientation: 6, density: 100 }).jpeg().toBuffer()
    expect(await documents.inspect(await photo().png().toBuffer())).toMatchObject({ kind: 'png', pages: 1 })
    expect(await documents.inspect(turned)).toMatchObject({ kind: 'jpeg', sizes: [{ width: 345.6, height: 460.8 }] })
    expect(await documents.inspect({ path })).toMatchObject({ kind: 'tiff', pages: 2 })
  })

  it('leaves the bytes it was given as they are', async () => {
    const pdf = letterPdf()
    const copy = Buffer.from(pdf)
    await documents.inspect(pdf)
    expect(pdf.equals(copy)).toBe(true)
  })
})

describe('making fax pages', () => {
  it('writes every page of a PDF in order, with its place and size', async () => {
    const path = join(testFolder(), 'fax.tif')
    // Page n has a bar that begins n/20 of the way down.
    const pages = Array.from({ length: 15 }, (_, n) => ({ content: `0 ${792 - 39.6 * (n + 1)} 612 20 re f` }))
    const prepared = await documents.toTiff(pdfOf(pages), path, fineLetter)
    expect(prepared).toMatchObject({ pages: 15, bytes: readFileSync(path).length })
    expect(new Set(prepared.sizes.map(({ width, height }) => `${width}x${height}`))).toEqual(new Set(['1728x2156']))
    const tops = readPages(path).map((page) => page.words.findIndex((word) => word !== 0) / page.rowWords / page.height)
    tops.forEach((top, n) => expect(top).toBeCloseTo((39.6 * (n + 1) - 20) / 792, 2))
  })

  it.each([
    ['standard', 'letter', 1078],
    ['fine', 'letter', 2156],
    ['standard', 'a4', 1146],
    ['fine', 'a4', 2292],
  ] as const)('makes %s %s pages of %i rows', async (resolution, paper, rows) => {
    const path = join(testFolder(), 'fax.tif')
    for (const source of [letterPdf(), text('Hello'), await photo().jpeg().toBuffer()]) {
      await documents.toTiff(source, path, { resolution, paper })
      const [page] = readPages(path)
      expect([page?.width, page?.height]).toEqual([1728, rows])
      expect(blackShare(page!)).toBeGreaterThan(0.0001)
    }
  })

  it('turns a landscape page and cuts nothing off', async () => {
    const path = join(testFolder(), 'fax.tif')
    const corners = '0 0 40 40 re 752 572 40 40 re 0 572 40 40 re 752 0 40 40 re f'
    await documents.toTiff(pdfOf([{ width: 792, height: 612, content: corners }]), path, fineLetter)
    const [page] = readPages(path)
    for (const [x, y] of [
      [0.02, 0.02],
      [0.94, 0.02],
      [0.02, 0.96],
      [0.94, 0.96],
    ] as const) {
      expect(blackShare(page!, x, y, x + 0.03, y + 0.02)).toBeGreaterThan(0.9)
    }
  })

  it('draws annotations and the fields of a form', async () => {
    const path = join(testFolder(), 'fax.tif')
    const square = '<</Type/XObject/Subtype/Form/BBox[0 0 100 100]/Length 16>>stream\n0 0 100 100 re f\nendstream'
    const note = '<</Type/Annot/Subtype/Square/F 4/Rect[100 600 200 700]/AP<</N 5 0 R>>>>'
    const field = '<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/V(a)/F 4/Rect[400 100 500 200]/AP<</N 5 0 R>>>>'
    await documents.toTiff(pdfOf([{ entries: `/Annots[${note}${field}]` }], [square]), path, fineLetter)
    const [page] = readPages(path)
    expect(blackShare(page!, 0.18, 0.13, 0.31, 0.23)).toBeGreaterThan(0.9)
    expect(blackShare(page!, 0.67, 0.76, 0.8, 0.86)).toBeGreaterThan(0.9)
  })

  it('takes fax pages as they are and changes only their rows to another resolution', async () => {
    const folder = testFolder()
    const page = noiseBitmap(1728, 1078)
    await writePages(join(folder, 'in.tif'), [page], 98)
    for (const [resolution, rows] of [
      ['standard', 1078],
      ['fine', 2156],
    ] as const) {
      await documents.toTiff({ path: join(folder, 'in.tif') }, join(folder, 'out.tif'), { resolution, paper: 'letter' })
      const [out] = readPages(join(folder, 'out.tif'))
      expect(out?.height).toBe(rows)
      expect(blackShare(out!)).toBeCloseTo(blackShare(page), 6)
    }
  })

  it('shows the tones of a photograph by dots', async () => {
    const path = join(testFolder(), 'fax.tif')
    await documents.toTiff(await photo(1200, 1500).jpeg().toBuffer(), path, fineLetter)
    const [page] = readPages(path)
    const [dark, light] = [blackShare(page!, 0.1, 0.7, 0.3, 0.9), blackShare(page!, 0.7, 0.1, 0.9, 0.3)]
    expect(dark).toBeGreaterThan(0.55)
    expect(light).toBeLessThan(0.35)
    expect(light).toBeGreaterThan(0.1)
  })

  it('is decoded by libtiff to the page that the preview shows', async (context) => {
    requireJudge(context, 'tiffcp')
    const folder = testFolder()
    await documents.toTiff(letterPdf(), join(folder, 'fax.tif'), fineLetter)
    runJudge('tiffcp', '-c', 'none', join(folder, 'fax.tif'), join(folder, 'plain.tif'))
    const [page] = readPages(join(folder, 'fax.tif'))
    const plain = sharp(join(folder, 'plain.tif')).grayscale().resize(1728, 2244, { kernel: 'nearest', fit: 'fill' })
    const preview = await documents.page(letterPdf(), 1, fineLetter)
    expect(preview).toMatchObject({ width: 1728, height: 2244 })
    const shown = (await pixelsOf(preview!.png)).data.filter((tone) => tone === 0).length
    expect(shown / (1728 * 2244)).toBeCloseTo(blackShare(page!), 3)
    expect((await plain.raw().toBuffer()).filter((tone) => tone === 0).length / (1728 * 2244)).toBeCloseTo(
      shown / (1728 * 2244),
      3,
    )
  })

  it.each(['MH', 'MR'] as const)('codes pages in %s for machines that know no T.6', async (coding) => {
    const folder = testFolder()
    for (const resolution of ['fine', 'standard'] as const) {
      const setup = { resolution, paper: 'letter' } as const
      await documents.toTiff(letterPdf(2), join(folder, 't6.tif'), setup)
      await documents.toTiff(letterPdf(2), join(folder, 't4.tif'), { ...setup, coding })
      const file = readFileSync(join(folder, 't4.tif'))
      const t4Options = coding === 'MR' ? 1 : 0
      expect(readTiff(file, defaultLimits)[0]).toMatchObject({ compression: 3, t4Options, fillOrder: 1 })
      const [t4, t6] = [readPages(join(folder, 't4.tif')), readPages(join(folder, 't6.tif'))]
      expect(t4.map((page, index) => sameBitmap(page, t6[index]!))).toEqual([true, true])
    }
  })

  it('stops when it is aborted and leaves nothing behind', async () => {
    const folder = testFolder()
    const controller = new AbortController()
    const made = documents.toTiff(letterPdf(200), join(folder, 'fax.tif'), fineLetter, controller.signal)
    setTimeout(() => controller.abort(new Error('no longer wanted')), 100)
    await expect(made).rejects.toThrow('no longer wanted')
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('showing pages', () => {
  it('gives a gray page of the width asked for, in the proportions of the paper at both resolutions', async () => {
    for (const resolution of ['fine', 'standard'] as const) {
      const image = await documents.page(letterPdf(3), 2, { width: 400, resolution, paper: 'letter' })
      expect(image).toMatchObject({ width: 400, height: 519 })
      const { data, info } = await pixelsOf(image!.png)
      expect([info.width, info.height]).toEqual([400, 519])
      expect(new Set(data).size).toBeGreaterThan(4)
    }
  })

  it('gives nothing for a page that is not there', async () => {
    for (const n of [0, -1, 1.5, 2, 1e9]) expect(await documents.page(letterPdf(), n, fineLetter)).toBeUndefined()
  })
})

describe('making PDF', () => {
  it('leaves a PDF as it is', async () => {
    const pdf = letterPdf()
    expect(Buffer.compare(await documents.toPdf(pdf, { paper: 'a4' }), pdf)).toBe(0)
  })

  it('lays text and images out on the paper, where the fax page has them', async () => {
    const folder = testFolder()
    const samples = [
      text('Grüße, שלום, 😀\n'.repeat(70)),
      await photo().png().toBuffer(),
      await photo().jpeg().toBuffer(),
    ]
    for (const source of samples) {
      const pdf = await documents.toPdf(source, { paper: 'letter' })
      expect((await documents.inspect(pdf)).sizes[0]).toEqual({ width: 612, height: 792 })
      await documents.toTiff(source, join(folder, 'direct.tif'), fineLetter)
      await documents.toTiff(pdf, join(folder, 'pdf.tif'), fineLetter)
      const [direct, through] = [readPages(join(folder, 'direct.tif')), readPages(join(folder, 'pdf.tif'))]
      expect(through.length).toBe(direct.length)
      expect(Math.abs(blackShare(direct[0]!) / blackShare(through[0]!) - 1)).toBeLessThan(0.1)
    }
  })

  it('turns strips of a TIFF file into one without loss', async (context) => {
    requireJudge(context, 'tiffcp')
    const folder = testFolder()
    const page = noiseBitmap(1728, 2156)
    await writePages(join(folder, 'one.tif'), [page])
    runJudge('tiffcp', '-c', 'g3:2d', '-r', '100', join(folder, 'one.tif'), join(folder, 'strips.tif'))
    const pdf = await documents.tiffToPdf({ path: join(folder, 'strips.tif') })
    expect(Buffer.from(pdf).includes('/K -1')).toBe(true)
    expect(await documents.inspect(pdf)).toMatchObject({ pages: 1 })
    await documents.toTiff({ path: join(folder, 'strips.tif') }, join(folder, 'again.tif'), fineLetter)
    expect(sameBitmap(readPages(join(folder, 'again.tif'))[0]!, page)).toBe(true)
  })

  it('takes scans of other kinds', async () => {
    const scan = await photo(1700, 2200).withMetadata({ density: 200 }).tiff({ compression: 'lzw' }).toBuffer()
    expect(await documents.inspect(scan)).toMatchObject({ kind: 'tiff', sizes: [{ width: 612, height: 792 }] })
    expect(await documents.inspect(await documents.tiffToPdf(scan))).toMatchObject({
      sizes: [{ width: 612, height: 792 }],
    })
    expect(await documents.page(scan, 1, { ...fineLetter, width: 100 })).toMatchObject({ width: 100 })
  })

  it('refuses what is no TIFF file', async () => {
    await expect(documents.tiffToPdf(text(textAt(0, 0, 1, 'x')))).rejects.toThrow(/not a TIFF/)
  })
})
