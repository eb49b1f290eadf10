import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createDocuments } from './documents.ts'
import { defaultLimits } from './limits.ts'
import { DocumentProblem } from './problem.ts'
import { useSystemFonts } from './system-fonts.ts'
import { requireJudge, runJudge, testFolder } from './testing/judges.ts'
import { collectionOf, makeFont } from './testing/made-font.ts'
import { blackShare, fineLetter, readPages } from './testing/samples.ts'
import { cell, margin } from './text-layout.ts'
import { textToPdf } from './text-pdf.ts'

// Workers and judges take their time on a machine that is busy with other tests.
vi.setConfig({ testTimeout: 60_000 })

function documentsWith(fonts: Record<string, Buffer> | undefined) {
  const folder = testFolder()
  for (const [name, bytes] of Object.entries(fonts ?? {})) writeFileSync(join(folder, name), bytes)
  const documents = createDocuments({ threads: 1, fonts: fonts && folder })
  onTestFinished(() => documents.close())
  return { documents, folder }
}

const refusal = (sentence: RegExp) =>
  expect.objectContaining({ code: 'unsupported', sentence: expect.stringMatching(sentence) })

const han = '漢'
const rare = '\u{2000B}'

describe('characters that no bundled font has', () => {
  it.each([
    ['with a character map of format 4 and short offsets', han, { format: 4, longOffsets: false }, 'a.ttf'],
    ['with a character map of format 12 and long offsets', rare, { format: 12, longOffsets: true }, 'a.otf'],
  ] as const)('are set from a font of the folder, %s', async (_name, character, kind, file) => {
    const { documents, folder } = documentsWith({ [file]: makeFont({ character, ...kind }) })
    const text = Buffer.from(`ab${character}${character}c`)
    expect(await documents.inspect(text)).toMatchObject({ kind: 'text', pages: 1 })
    const path = join(folder, 'fax.tif')
    await documents.toTiff(text, path, fineLetter)
    const [page] = readPages(path)
    // Each takes two cells; the square fills 64 % of an em, which is 28 pixels of 34.
    const across = (cells: number) => (margin.across + cells * cell.width) / 1728
    const inRow = (from: number, to: number) =>
      blackShare(page!, across(from), margin.down / 2156, across(to), (margin.down + cell.height) / 2156)
    for (const column of [2, 4]) expect(inRow(column, column + 2)).toBeGreaterThan(0.35)
    expect(inRow(6, 7)).toBeGreaterThan(0.02)
    expect(inRow(7, 20)).toBe(0)
  })

  it('are found in a collection, behind fonts that are damaged or of another kind', async () => {
    const font = makeFont({ character: han, format: 4, longOffsets: true })
    const { documents } = documentsWith({
      'a.ttf': font.subarray(0, font.length / 2),
      'b.otf': Buffer.from('OTTO\0\x01 nothing of ours'),
      'c.ttf': Buffer.alloc(0),
      'd.txt': Buffer.from('no font at all'),
      'e.ttc': collectionOf(font),
    })
    expect(await documents.inspect(Buffer.from(han))).toMatchObject({ pages: 1 })
  })

  it('are named and refused when no font has them', async () => {
    const { documents } = documentsWith({ 'a.ttf': makeFont({ character: han, format: 12, longOffsets: false }) })
    const text = Buffer.from(`${han} 字 ${rare}`)
    const refused = refusal(/no shape for: 字 \(U\+5B57\), .* \(U\+2000B\)\. Send/)
    await expect(documents.inspect(text)).rejects.toEqual(refused)
    await expect(documents.page(text, 1, fineLetter)).rejects.toEqual(refused)
    const none = documentsWith({})
    await expect(none.documents.inspect(Buffer.from(han))).rejects.toEqual(refusal(/漢 \(U\+6F22\)/))
  })

  it('are set or refused, whatever a damaged font says', () => {
    const font = makeFont({ character: han, format: 4, longOffsets: true })
    const folder = testFolder()
    for (let at = 0; at < font.length; at++) {
      const damaged = Buffer.from(font)
      damaged[at] = 0xff - damaged[at]!
      const own = join(folder, String(at))
      mkdirSync(own)
      writeFileSync(join(own, 'a.ttf'), damaged)
      useSystemFonts(own)
      try {
        expect(textToPdf(Buffer.from(han), 'letter', defaultLimits).length).toBeGreaterThan(500)
      } catch (problem) {
        expect(problem).toBeInstanceOf(DocumentProblem)
      }
    }
  })
})

describe('Chinese and Japanese text', () => {
  it('is set with a font of the system and can be read back', async (context) => {
    context.skip(
      !existsSync('/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf'),
      'No font of Chinese characters is installed: install fonts-droid-fallback.',
    )
    requireJudge(context, 'pdftotext')
    const { documents, folder } = documentsWith(undefined)
    const text = '検査結果をお送りします。\n请查收附件中的检查报告。'
    const path = join(folder, 'text.pdf')
    writeFileSync(path, await documents.toPdf(Buffer.from(text), { paper: 'a4' }))
    expect(runJudge('pdftotext', path, '-').replaceAll(/[ \f]/g, '').trim()).toBe(text)
  })
})
