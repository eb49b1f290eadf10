import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, it, vi } from 'vitest'
import { type Bitmap, packBitmap, sameBitmap } from '../raster/bitmap.ts'
import { defaultLimits } from '../base/limits.ts'
import { DocumentProblem } from '../base/problem.ts'
import { anyBitmap, noiseBitmap } from '../testing/bitmap-samples.ts'
import { readPortableBitmaps, requireJudge, runJudge, testFolder, writePages } from '../testing/judges.ts'
import { decodeTiffPage } from './decode.ts'
import { copyTiffToPdf } from './pdf.ts'
import { readTiff } from './read.ts'
import { writeTiff } from './write.ts'
import { rounds } from '../testing/rounds.ts'

// Workers and judges take their time on a machine that is busy with other tests.
vi.setConfig({ testTimeout: 60_000 })

const samplePages = () => fc.sample(anyBitmap([1728], 80), { numRuns: 6, seed: 9 })

describe('writing TIFF', () => {
  it('writes what it reads: every page, tag and pixel', async () => {
    const path = join(testFolder(), 'fax.tif')
    const pages = samplePages()
    await writePages(path, pages, 98)
    const file = readFileSync(path)
    const read = readTiff(file, defaultLimits)
    expect(read.map(({ width, height }) => [width, height])).toEqual(pages.map(({ width, height }) => [width, height]))
    expect(read[0]).toMatchObject({ compression: 4, photometric: 0, fillOrder: 1, dots: { across: 204, down: 98 } })
    expect(read.every(({ strips }) => strips.length === 1)).toBe(true)
    expect(read.map((page, index) => sameBitmap(decodeTiffPage(file, page).bitmap, pages[index]!))).not.toContain(false)
  })

  it('is read pixel for pixel by the image library', async () => {
    const path = join(testFolder(), 'fax.tif')
    const pages = samplePages()
    await writePages(path, pages)
    for (const [page, bitmap] of pages.entries()) {
      const gray = await sharp(path, { page }).grayscale().toColorspace('b-w').raw().toBuffer()
      expect(gray.equals(grayOf(bitmap))).toBe(true)
    }
  })

  it('satisfies libtiff', async (context) => {
    requireJudge(context, 'tiffinfo')
    const path = join(testFolder(), 'fax.tif')
    await writePages(path, samplePages())
    const found = runJudge('tiffinfo', '-D', path)
    expect(found).not.toMatch(/warning|error/i)
    expect(found).toContain('Resolution: 204, 196 pixels/inch')
    expect(found).toContain('Page Number: 5-6')
  })

  it('leaves what was there, and nothing else, when a page cannot be made', async () => {
    const folder = testFolder()
    writeFileSync(join(folder, 'fax.tif'), 'old')
    async function* failing() {
      yield { width: 8, height: 1, data: Uint8Array.of(0x80) }
      throw new Error('no more pages')
    }
    await expect(writeTiff(join(folder, 'fax.tif'), failing(), 2, 196)).rejects.toThrow('no more pages')
    expect(readdirSync(folder)).toEqual(['fax.tif'])
    expect(readFileSync(join(folder, 'fax.tif'), 'utf8')).toBe('old')
  })
})

describe('TIFF to PDF', () => {
  it.for<[string, string[]]>([
    ['G4', ['-c', 'g4']],
    ['MH', ['-c', 'g3:1d']],
    ['MH with filled lines', ['-c', 'g3:1d:fill']],
    ['MR', ['-c', 'g3:2d']],
    ['MR with filled lines', ['-c', 'g3:2d:fill']],
    ['G4 with reversed bits', ['-c', 'g4', '-f', 'lsb2msb']],
  ])('keeps every pixel of %s for Ghostscript and poppler', async ([, options], context) => {
    for (const judge of ['tiffcp', 'gs', 'pdfimages'] as const) requireJudge(context, judge)
    const folder = testFolder()
    const pages = samplePages()
    await writePages(join(folder, 'ours.tif'), pages)
    // One strip for each page, as fax programs write it.
    runJudge('tiffcp', ...options, '-r', '10000', join(folder, 'ours.tif'), join(folder, 'line.tif'))
    const file = readFileSync(join(folder, 'line.tif'))
    const pdf = copyTiffToPdf(file, readTiff(file, defaultLimits))
    expect(pdf).toBeDefined()
    writeFileSync(join(folder, 'fax.pdf'), pdf!)
    for (const read of [byGhostscript, byPoppler]) {
      expect(read(folder).map((page, index) => sameBitmap(page, pages[index]!))).toEqual(pages.map(() => true))
    }
  })

  it('leaves files with strips, tiles or other codings to the pool', async (context) => {
    requireJudge(context, 'tiffcp')
    const folder = testFolder()
    await writePages(join(folder, 'ours.tif'), [noiseBitmap(1728, 64)])
    runJudge('tiffcp', '-c', 'g4', '-r', '16', join(folder, 'ours.tif'), join(folder, 'strips.tif'))
    const file = readFileSync(join(folder, 'strips.tif'))
    expect(copyTiffToPdf(file, readTiff(file, defaultLimits))).toBeUndefined()
  })
})

describe('reading TIFF', () => {
  it('answers any damage with pages or a problem', async () => {
    const path = join(testFolder(), 'fax.tif')
    await writePages(path, samplePages())
    const whole = readFileSync(path)
    const damage = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(damage, fc.nat(whole.length), (changes, length) => {
        const file = Uint8Array.from(whole)
        for (const [at, byte] of changes) file[at] = byte
        const found = readOrProblem(file.subarray(0, Math.max(length, 8)))
        expect(found === 'read' || found instanceof DocumentProblem).toBe(true)
      }),
      { numRuns: rounds(1500) },
    )
  })

  it('refuses a list of pages that runs in a circle', async () => {
    const path = join(testFolder(), 'fax.tif')
    await writePages(path, [noiseBitmap(32, 4), noiseBitmap(32, 4)])
    const file = readFileSync(path)
    const second = file.readUInt32LE(8 + 2 + 12 * 18)
    file.writeUInt32LE(8, second + 2 + 12 * 18)
    expect(() => readTiff(file, defaultLimits)).toThrow(/its list of pages loops/)
  })

  it('refuses too many pages, too many pixels and a file that is cut off', async () => {
    const path = join(testFolder(), 'fax.tif')
    await writePages(path, [noiseBitmap(1728, 100), noiseBitmap(1728, 100)])
    const file = readFileSync(path)
    expect(() => readTiff(file, { ...defaultLimits, pages: 1 })).toThrow(/more than 1 pages/)
    expect(() => readTiff(file, { ...defaultLimits, pixels: 1000 })).toThrow(/1728 by 100 pixels/)
    expect(() => readTiff(file.subarray(0, file.length - 5), defaultLimits)).toThrow(/cut off/)
  })
})

function readOrProblem(file: Uint8Array): unknown {
  try {
    const small = { ...defaultLimits, pixels: 1_000_000 }
    for (const page of readTiff(file, small)) decodeTiffPage(file, page)
    return 'read'
  } catch (error) {
    return error
  }
}

function grayOf(bitmap: Bitmap): Buffer {
  const packed = packBitmap(bitmap)
  const rowBytes = packed.length / bitmap.height
  return Buffer.from(
    Array.from({ length: bitmap.width * bitmap.height }, (_, index) => {
      const [x, y] = [index % bitmap.width, Math.floor(index / bitmap.width)]
      return packed[y * rowBytes + (x >> 3)]! & (0x80 >> (x & 7)) ? 0 : 255
    }),
  )
}

function byGhostscript(folder: string): Bitmap[] {
  const options = ['-q', '-dNOPAUSE', '-dBATCH', '-sDEVICE=pbmraw', '-r204x196']
  runJudge('gs', ...options, `-sOutputFile=${join(folder, 'gs.pbm')}`, join(folder, 'fax.pdf'))
  return readPortableBitmaps(readFileSync(join(folder, 'gs.pbm')))
}

function byPoppler(folder: string): Bitmap[] {
  runJudge('pdfimages', join(folder, 'fax.pdf'), join(folder, 'image'))
  const files = readdirSync(folder).filter((name) => name.startsWith('image-'))
  return files.sort().flatMap((name) => readPortableBitmaps(readFileSync(join(folder, name))))
}
