import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { flattenOutline } from './cff-outline.ts'
import { subsetCff } from './cff-subset.ts'
import { readCff } from './cff.ts'
import { createDocuments } from '../documents.ts'
import { readFont } from './font.ts'
import { defaultLimits } from '../base/limits.ts'
import { DocumentProblem } from '../base/problem.ts'
import { useSystemFonts } from './system-fonts.ts'
import { readPortableBitmaps, requireJudge, runJudge, testFolder } from '../testing/judges.ts'
import { code, makeCffFont, operator } from '../testing/made-cff-font.ts'
import { collectionOf, makeFont } from '../testing/made-font.ts'
import { blackShare, fineLetter, readPages } from '../testing/samples.ts'
import { cell, margin } from '../text/layout.ts'
import { textToPdf } from '../text/pdf.ts'

// Workers and judges take their time on a machine that is busy with other tests.
vi.setConfig({ testTimeout: 60_000 })
// A folder without fonts: other files of this process find what they found before.
afterAll(() => useSystemFonts(''))

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
/** Every byte of a font is damaged once in the long form. */
const damagedApart = process.env['FAXDECK_LONG'] ? 1 : 7
const rare = '\u{2000B}'

describe('characters that no bundled font has', () => {
  it.each([
    [
      'with a character map of format 4 and short offsets',
      han,
      makeFont({ character: han, format: 4, longOffsets: false }),
    ],
    [
      'with a character map of format 12 and long offsets',
      rare,
      makeFont({ character: rare, format: 12, longOffsets: true }),
    ],
    ['with PostScript outlines by CIDs', rare, makeCffFont({ character: rare, kind: 'cid' })],
    ['with PostScript outlines by names', han, makeCffFont({ character: han, kind: 'named' })],
  ])('are set from a font of the folder, %s', async (_name, character, font) => {
    const { documents, folder } = documentsWith({ 'a.otf': font })
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

  it.each([
    ['TrueType outlines', makeFont({ character: han, format: 4, longOffsets: true })],
    ['PostScript outlines', makeCffFont({ character: han, kind: 'cid' })],
  ])('are found in a collection of %s, behind fonts that are damaged or of another kind', async (_name, font) => {
    const { documents } = documentsWith({
      'a.ttf': font.subarray(0, font.length / 2),
      'b.otf': Buffer.from('OTTO\0\x01 nothing of ours'),
      'c.ttf': Buffer.alloc(0),
      'd.txt': Buffer.from('no font at all'),
      'e.otc': collectionOf(font),
    })
    expect(await documents.inspect(Buffer.from(han))).toMatchObject({ pages: 1 })
  })

  it.each([
    ['あ', 'Made CJK JP'],
    ['한', 'Made CJK KR'],
    ['们', 'Made CJK SC'],
    ['們', 'Made CJK TC'],
  ])('are set in the forms of their region where a collection has one for each: %s', async (character, family) => {
    const families = ['Made CJK JP', 'Made CJK KR', 'Made CJK SC', 'Made CJK TC', 'Made CJK HK']
    // No other face than the right one has the character.
    const faces = families.map((own) =>
      makeFont({ character: own === family ? character : rare, format: 12, longOffsets: false, family: own }),
    )
    const { documents } = documentsWith({ 'a.ttc': collectionOf(...faces) })
    expect(await documents.inspect(Buffer.from(character))).toMatchObject({ pages: 1 })
    const said = { template: 'plain', to: character, toNumber: null, from: null, fromNumber: null } as const
    const cover = { ...said, subject: null, note: null, date: '1 May 2026' }
    expect(await documents.measureCover(cover)).toEqual({ pages: 1 })
    // What was set before does not count.
    expect(await documents.inspect(Buffer.from(character))).toMatchObject({ pages: 1 })
    await expect(documents.inspect(Buffer.from('字'))).rejects.toEqual(refusal(/字/))
  })

  it('are set from the first face of a collection, and of files, when no other is of their region', async () => {
    const face = (family: string) => makeFont({ character: 'あ', format: 12, longOffsets: false, family })
    const first = documentsWith({ 'a.ttc': collectionOf(face('Made'), face('Made CJK SC')) })
    expect(await first.documents.inspect(Buffer.from('あ'))).toMatchObject({ pages: 1 })
    const other = documentsWith({ 'MadeSC-Regular.ttf': face('Made SC') })
    expect(await other.documents.inspect(Buffer.from('あ'))).toMatchObject({ pages: 1 })
  })

  it('are set in regular type, and from the file of their region, where a folder has several', async () => {
    const font = makeFont({ character: 'あ', format: 12, longOffsets: false })
    const nameIn = async (...names: string[]) => {
      const { documents } = documentsWith(Object.fromEntries(names.map((name) => [name, font])))
      const pdf = Buffer.from(await documents.toPdf(Buffer.from('あ'), { paper: 'a4' }))
      return /FAXTXT\+([\w-]*CJK[\w-]*|[\w-]*Sans[A-Z]{2}[\w-]*)/.exec(pdf.toString('latin1'))?.[1]
    }
    expect(await nameIn('NotoSansCJK-Bold.ttf', 'NotoSansCJK-Regular.ttf')).toBe('NotoSansCJK-Regular')
    expect(await nameIn('NotoSansSC-Regular.ttf', 'NotoSansJP-Regular.ttf')).toBe('NotoSansJP-Regular')
  })

  it('are named and refused when no font has them', async () => {
    const { documents } = documentsWith({ 'a.ttf': makeFont({ character: han, format: 12, longOffsets: false }) })
    const text = Buffer.from(`${han} 字 ${rare}`)
    const refused = refusal(
      /cannot draw: 字 \(U\+5B57\), .* \(U\+2000B\)\. To print Chinese.* fonts-noto-cjk .* Or send/,
    )
    await expect(documents.inspect(text)).rejects.toEqual(refused)
    await expect(documents.page(text, 1, fineLetter)).rejects.toEqual(refused)
    expect(await documents.findUnprintable(`${han} 字 a${rare}字\u200b`)).toEqual(['字 (U+5B57)', `${rare} (U+2000B)`])
    expect(await documents.findUnprintable('Dr. Doe')).toEqual([])
    const none = documentsWith({})
    await expect(none.documents.inspect(Buffer.from(han))).rejects.toEqual(refusal(/漢 \(U\+6F22\)/))
  })

  it.each([
    ['TrueType', makeFont({ character: han, format: 4, longOffsets: true })],
    ['CID-keyed', makeCffFont({ character: han, kind: 'cid' })],
    ['named', makeCffFont({ character: han, kind: 'named' })],
  ])('are set or refused, whatever a damaged font says: %s', async (_name, font) => {
    const warned = vi.spyOn(process, 'emitWarning').mockReturnValue()
    onTestFinished(() => warned.mockRestore())
    const { documents, folder } = documentsWith({})
    for (let at = 0; at < font.length; at += damagedApart) {
      const damaged = Buffer.from(font)
      damaged[at] = 0xff - damaged[at]!
      const own = join(folder, String(at))
      mkdirSync(own)
      writeFileSync(join(own, 'a.ttf'), damaged)
      useSystemFonts(own)
      try {
        const pdf = Buffer.from(textToPdf(Buffer.from(han), 'letter', defaultLimits))
        if (at % 16 === 0) expect(await documents.page(pdf, 1, fineLetter)).toMatchObject({ width: 1728 })
      } catch (problem) {
        expect(problem).toBeInstanceOf(DocumentProblem)
      }
    }
    expect(warned).toHaveBeenCalledWith(expect.stringMatching(/a\.ttf cannot be used for faxes\. \w/))
  })

  it.each([
    ['calls itself', code(1 - 107, operator.callsubr)],
    [
      'calls itself more and more often',
      code(
        ...Array<(number | string)[]>(9)
          .fill([1 - 107, operator.callsubr])
          .flat(),
      ),
    ],
    ['calls one that is not there', code(500, operator.callsubr)],
    ['has no number to call', code(operator.callsubr)],
    ['piles up numbers', code(...Array<number>(60).fill(1))],
    ['calculates', code(1, 2, '\x0c\x0a', operator.back)],
    ['ends in the middle of a number', Buffer.of(28, 1)],
  ])('are refused when the outline of the only font %s', (_name, subroutine) => {
    const folder = testFolder()
    for (const kind of ['cid', 'named'] as const) {
      writeFileSync(join(folder, 'a.otf'), makeCffFont({ character: han, kind, subroutine }))
      useSystemFonts(undefined)
      useSystemFonts(folder)
      expect(() => textToPdf(Buffer.from(han), 'letter', defaultLimits)).toThrow(DocumentProblem)
    }
  })
})

describe('a font with PostScript outlines', () => {
  it.each(['cid', 'named'] as const)('is embedded with what is used, and nothing else: %s', (kind) => {
    const { cff } = readFont('Made', makeCffFont({ character: han, kind }))
    const subset = readCff(subsetCff('Made', cff!, [1]))
    expect([subset.charStrings.count, subset.parts.length, subset.globalSubrs.count]).toEqual([2, 1, 0])
    expect(flattenOutline(subset, 1)).toEqual(flattenOutline(cff!, 1))
    expect(subset.charStrings.entry(1)).toEqual(flattenOutline(cff!, 1))
    expect(subset.parts[subset.partOf(1)]!.subrs.count).toBe(0)
  })

  it.for(['cid', 'named'] as const)('looks the same when poppler draws it: %s', (kind, context) => {
    requireJudge(context, 'pdftoppm')
    const folder = testFolder()
    writeFileSync(join(folder, 'a.otf'), makeCffFont({ character: han, kind }))
    useSystemFonts(folder)
    const path = join(folder, 'text.pdf')
    writeFileSync(path, textToPdf(Buffer.from(`ab${han}c`), 'letter', defaultLimits))
    expect(runJudge('pdffonts', path)).toMatch(/CID Type 0C +Identity-H +yes yes yes/)
    expect(runJudge('pdftotext', path, '-').replaceAll(/\s/g, '')).toBe(`ab${han}c`)
    runJudge('pdftoppm', '-mono', '-rx', '204', '-ry', '196', path, join(folder, 'page'))
    const [page] = readPortableBitmaps(readFileSync(join(folder, 'page-1.pbm')))
    const left = (page!.width - 1728) / 2 + margin.across
    const share = (from: number, to: number) => {
      const [x0, x1] = [from, to].map((column) => (left + column * cell.width) / page!.width)
      return blackShare(page!, x0, margin.down / page!.height, x1, (margin.down + cell.height) / page!.height)
    }
    expect(share(2, 4)).toBeGreaterThan(0.35)
    expect(share(4, 5)).toBeGreaterThan(0.02)
    expect(share(5, 20)).toBe(0)
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

it('finds the fonts of a machine also for a user without a home', () => {
  // As Node answers for a user that the system has no name for, and without HOME.
  const homeless = `import os from 'node:os'
    import { syncBuiltinESMExports } from 'node:module'
    os.homedir = () => { throw new Error('uv_os_homedir returned ENOENT') }
    syncBuiltinESMExports()
    await import(${JSON.stringify(new URL('./system-fonts.ts', import.meta.url).href)})`
  expect(() => execFileSync(process.execPath, ['--input-type=module', '-e', homeless], { stdio: 'pipe' })).not.toThrow()
})
