import sharp from 'sharp'
import { join } from 'node:path'
import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { sameBitmap } from '../raster/bitmap.ts'
import { createDocuments } from '../documents.ts'
import { defaultLimits } from '../base/limits.ts'
import { noiseBitmap } from '../testing/bitmap-samples.ts'
import { requireJudge, runJudge, testFolder, writePages } from '../testing/judges.ts'
import { fineLetter, photo } from '../testing/samples.ts'
import { decodeTiffPage } from './decode.ts'
import { readTiff } from './read.ts'

const documents = createDocuments({ threads: 1 })
afterAll(() => documents.close())

/** Where the value of a tag stands in the first directory of a little-endian TIFF file. */
function valueAt(file: Buffer, wanted: number): number {
  const directory = file.readUInt32LE(4)
  for (let entry = 0; entry < file.readUInt16LE(directory); entry++) {
    const at = directory + 2 + 12 * entry
    if (file.readUInt16LE(at) === wanted) return at + 8
  }
  throw new Error('The tag is not there.')
}

/** Whether a page of it has both black and white on it. */
async function isDrawn(file: Uint8Array): Promise<boolean> {
  const page = await documents.page(file, 1, { ...fineLetter, width: 400 })
  const { channels } = await sharp(page?.png).extract({ left: 150, top: 220, width: 60, height: 60 }).stats()
  return channels[0]!.min < 100 && channels[0]!.max > 200
}

describe('varieties of TIFF', () => {
  it.for([
    ['BigTIFF', ['-8']],
    ['planes', ['-p', 'separate']],
    ['tiles', ['-t', '-w', '64', '-l', '64']],
    ['deflated BigTIFF in tiles', ['-8', '-c', 'zip', '-t', '-w', '64', '-l', '64']],
    ['big-endian', ['-B']],
  ] as [string, string[]][])('are read: %s', async ([, options], context) => {
    requireJudge(context, 'tiffcp')
    const folder = testFolder()
    await photo().tiff({ compression: 'none' }).toFile(join(folder, 'photo.tif'))
    runJudge('tiffcp', ...options, join(folder, 'photo.tif'), join(folder, 'other.tif'))
    const file = readFileSync(join(folder, 'other.tif'))
    expect(await documents.inspect(file)).toMatchObject({ kind: 'tiff', pages: 1 })
    expect(await isDrawn(file)).toBe(true)
  })

  it('with colors of CIE L*a*b* and transparency are drawn, not blank; those that cannot be are named', async () => {
    const lab = async (channels: 3 | 4) => {
      const pixels = Buffer.alloc(channels * 200 * 200, 255)
      for (let at = 0; at < pixels.length; at += channels) pixels.fill((at / channels) % 40 < 20 ? 255 : 0, at, at + 1)
      for (let at = 0; at < pixels.length; at += channels) pixels.fill(0, at + 1, at + 3)
      const raw = { width: 200, height: 200, channels }
      const file = await sharp(pixels, { raw }).withMetadata({ density: 72 }).tiff({ compression: 'none' }).toBuffer()
      file.writeUInt16LE(8, valueAt(file, 262))
      return file
    }
    expect(await isDrawn(await lab(4))).toBe(true)
    await expect(documents.inspect(await lab(3))).rejects.toThrow(/L\*a\*b/)
  })

  it('that cannot be read are named, not called damaged', async (context) => {
    requireJudge(context, 'tiffcp')
    const folder = testFolder()
    await photo().tiff({ compression: 'none' }).toFile(join(folder, 'photo.tif'))
    const options = ['-p', 'separate', '-t', '-w', '64', '-l', '64']
    runJudge('tiffcp', ...options, join(folder, 'photo.tif'), join(folder, 'planes.tif'))
    await expect(documents.inspect(readFileSync(join(folder, 'planes.tif')))).rejects.toThrow(/separate planes/)
    const old = readFileSync(join(folder, 'photo.tif'))
    old.writeUInt16LE(6, valueAt(old, 259))
    await expect(documents.inspect(old)).rejects.toThrow(/old-style JPEG/)
  })

  it('with strips of no length are read to where the next one begins', async () => {
    const path = join(testFolder(), 'fax.tif')
    const page = noiseBitmap(1728, 40)
    await writePages(path, [page])
    const file = readFileSync(path)
    file.writeUInt32LE(0, valueAt(file, 279))
    writeFileSync(path, file)
    expect(sameBitmap(decodeTiffPage(file, readTiff(file, defaultLimits)[0]!).bitmap, page)).toBe(true)
  })
})

describe('a G3 page with damaged rows', () => {
  it('has copies of the rows above them, in its PDF too, and tells how many', async () => {
    const path = join(testFolder(), 'g3.tif')
    const page = noiseBitmap(1728, 60)
    await writePages(path, [page], 196, { coding: 'MH' })
    const file = readFileSync(path)
    const [strip] = readTiff(file, defaultLimits)[0]!.strips
    file.fill(0xff, strip!.offset + 400, strip!.offset + 420)
    const { notes } = await documents.inspect(file)
    expect(notes).toEqual([{ page: 1, kind: 'repaired', text: expect.stringMatching(/^\d+ damaged rows? /) }])
    const { repaired } = decodeTiffPage(file, readTiff(file, defaultLimits)[0]!)
    expect(repaired).toBeGreaterThan(0)
    expect(repaired).toBeLessThan(6)
    const pdf = Buffer.from(await documents.tiffToPdf(file)).toString('latin1')
    expect(pdf).toContain('/K -1')
  })
})

describe('pages of a TIFF', () => {
  it('that lie on their side are measured as they are shown', async () => {
    const turned = await photo(400, 300).withMetadata({ orientation: 6, density: 100 }).tiff().toBuffer()
    const [size] = (await documents.inspect(turned)).sizes
    expect([size!.width, size!.height].map(Math.round)).toEqual([216, 288])
  })

  it('whose data ends before they do say so, and where', async () => {
    const path = join(testFolder(), 'cut.tif')
    await writePages(path, [noiseBitmap(1728, 200)], 196, { coding: 'MH' })
    const file = readFileSync(path)
    expect((await documents.inspect(file)).notes).toEqual([])
    const lengthAt = valueAt(file, 279)
    file.writeUInt32LE(Math.floor(file.readUInt32LE(lengthAt) * 0.7), lengthAt)
    const { notes } = await documents.inspect(file)
    expect(notes).toContainEqual({
      page: 1,
      kind: 'lost_writing',
      text: expect.stringMatching(/ends after row 1[34]\d of 200/),
    })
    const drawn = await documents.page(file, 1, fineLetter)
    expect(drawn?.notes).toContainEqual(
      expect.objectContaining({ kind: 'lost_writing', places: [expect.objectContaining({ left: 0, width: 1 })] }),
    )
  })
})
