import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { createDocuments } from '../documents.ts'
import { DocumentProblem } from '../base/problem.ts'
import { requireJudge, runJudge, testFolder } from '../testing/judges.ts'
import { fineLetter } from '../testing/samples.ts'
import { defaultLimits } from '../base/limits.ts'
import { readHeic } from './heic-read.ts'

const documents = createDocuments({ threads: 1 })
afterAll(() => documents.close())

/** Stored on its side, as a phone that is held upright does (`irot`): 256 by 192 pixels when it is shown. */
const photo = readFileSync(new URL('../testing/photo.heic', import.meta.url))

/** The mean difference between two pictures in gray. */
async function difference(one: Uint8Array, other: Uint8Array): Promise<number> {
  const [a, b] = await Promise.all([one, other].map((each) => sharp(each).grayscale().raw().toBuffer()))
  expect(a!.length).toBe(b!.length)
  return a!.reduce((sum, tone, at) => sum + Math.abs(tone - b![at]!), 0) / a!.length
}

describe('a HEIC photo', () => {
  it('is drawn upright, as it was taken', async () => {
    const scene = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="480" height="320"><defs><linearGradient id="g"><stop offset="0" stop-color="#fff"/><stop offset="1" stop-color="#9bd"/></linearGradient></defs><rect width="480" height="320" fill="url(#g)"/><rect x="20" y="30" width="120" height="60" fill="#111"/><circle cx="360" cy="220" r="60" fill="#a33"/></svg>',
    )
    const drawn = await sharp(scene).resize(256, 192, { fit: 'fill' }).png().toBuffer()
    const { png, pictures } = await readHeic(photo, defaultLimits)
    expect(pictures).toBe(1)
    expect(await sharp(png).metadata()).toMatchObject({ width: 256, height: 192 })
    expect(await difference(png, drawn)).toBeLessThan(2)
  })

  it('is decoded as the reference program does', async (context) => {
    requireJudge(context, 'heif-convert')
    const [file, judged] = ['photo.heic', 'photo.png'].map((name) => join(testFolder(), name)) as [string, string]
    writeFileSync(file, photo)
    runJudge('heif-convert', file, judged)
    const { png } = await readHeic(photo, defaultLimits)
    expect(await difference(png, readFileSync(judged))).toBeLessThan(1)
  })

  it('is faxed, previewed and made a PDF as any other photo', async () => {
    expect(await documents.inspect(photo)).toMatchObject({ kind: 'heic', pages: 1, notes: [] })
    const page = await documents.page(photo, 1, { ...fineLetter, width: 400 })
    expect((await sharp(page?.png).stats()).channels[0]?.min).toBeLessThan(60)
    expect(Buffer.from(await documents.toPdf(photo, { paper: 'a4' })).toString('latin1', 0, 5)).toBe('%PDF-')
  })

  it('of too many pixels is refused before it is decoded', async () => {
    const small = { ...defaultLimits, pixels: 1000 }
    await expect(readHeic(photo, small)).rejects.toMatchObject({
      code: 'too_large',
      sentence: expect.stringMatching(/256 by 192 pixels/),
    })
    const huge = Buffer.from(photo)
    // ispe: width and height behind version and flags.
    huge.writeUInt32BE(30_000, huge.indexOf('ispe') + 8)
    huge.writeUInt32BE(30_000, huge.indexOf('ispe') + 12)
    await expect(documents.inspect(huge)).rejects.toMatchObject({ code: expect.stringMatching(/too_large|broken/) })
  })

  it('that wants more memory than a document may take is refused for that, and not as damaged', async () => {
    const plain = readFileSync(new URL('../testing/plain.heic', import.meta.url))
    expect((await readHeic(plain, defaultLimits)).pictures).toBe(1)
    const refusal = { code: 'too_large', sentence: expect.stringContaining('20 MB allowed') }
    await expect(readHeic(plain, defaultLimits, 20)).rejects.toMatchObject(refusal)
    expect((await readHeic(photo, defaultLimits)).pictures).toBe(1)
  })

  it('that is cut off or damaged is refused with a sentence, and the next one is read', async () => {
    const cut = Array.from({ length: 12 }, (_, n) => photo.subarray(0, 24 + Math.floor((n * (photo.length - 40)) / 12)))
    const damaged = Array.from({ length: 60 }, (_, n) => {
      const file = Buffer.from(photo)
      file[12 + ((n * 37) % (photo.length - 12))]! ^= 1 << (n % 8)
      return file
    })
    for (const file of [...cut, ...damaged]) {
      const found = await documents.inspect(file).catch((problem: unknown) => problem)
      if (found instanceof Error) expect(found).toBeInstanceOf(DocumentProblem)
    }
    for (const file of cut) await expect(documents.inspect(file)).rejects.toMatchObject({ code: 'broken' })
    expect(await documents.inspect(photo)).toMatchObject({ pages: 1 })
  })
})
