import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { findChanges, changeRow } from '../raster/bitmap.ts'
import { createDocuments } from '../documents.ts'
import { defaultLimits } from '../base/limits.ts'
import { requireJudge, runJudge, testFolder } from '../testing/judges.ts'
import { blackShare, fineLetter, readPages } from '../testing/samples.ts'
import { textToPdf } from './pdf.ts'

// Workers and judges take their time on a machine that is busy with other tests.
vi.setConfig({ testTimeout: 60_000 })

const documents = createDocuments({ threads: 1 })
afterAll(() => documents.close())

async function pageOf(text: string) {
  const path = join(testFolder(), 'text.tif')
  await documents.toTiff(Buffer.from(text), path, fineLetter)
  const [page] = readPages(path)
  if (!page) throw new Error('No page was made.')
  return page
}

describe('setting text', () => {
  it('sets every letter on the pixel grid: the same letter looks the same everywhere', async () => {
    const page = await pageOf('a'.repeat(84))
    const changes = changeRow(page.width)
    const patterns = new Set<string>()
    for (let y = 148; y < 180; y++) {
      const count = findChanges(page, y, changes)
      const places = [...changes.subarray(0, count)].map((change) => change - 150)
      for (let column = 0; column < 84; column++) {
        const own = places.filter((place) => Math.floor(place / 17) === column).map((place) => place % 17)
        patterns.add(`${y}: ${own.join(' ')}`)
      }
    }
    expect(patterns.size).toBe(32)
    expect(blackShare(page)).toBeGreaterThan(0.001)
  })

  it('can be read back by poppler, with its fonts embedded', (context) => {
    requireJudge(context, 'pdftotext')
    const folder = testFolder()
    const lines = ['Dear Dr. Müller,', 'Ελληνικά Русский Ćevapčići', 'Emoji 😀 ☃ ½ → ∑', 'x'.repeat(84)]
    writeFileSync(join(folder, 'text.pdf'), textToPdf(Buffer.from(lines.join('\n')), 'letter', defaultLimits))
    const read = runJudge('pdftotext', '-layout', join(folder, 'text.pdf'), '-')
    expect(
      read
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean),
    ).toEqual(lines)
    const fonts = runJudge('pdffonts', join(folder, 'text.pdf'))
    expect(fonts.match(/CID TrueType +Identity-H +yes yes yes/g)).toHaveLength(2)
  })

  it('sets right-to-left lines from the right edge', async () => {
    const page = await pageOf('שלום')
    expect(blackShare(page, 0, 0, 0.8, 1)).toBe(0)
    expect(blackShare(page, 0.8, 0, 1, 1)).toBeGreaterThan(0)
  })

  it('sets a combining mark over its letter', async () => {
    const plain = await pageOf('x')
    const marked = await pageOf('x\u0304')
    const cell = [150 / 1728, 148 / 2156, 167 / 1728, 180 / 2156] as const
    expect(blackShare(marked, ...cell)).toBeGreaterThan(blackShare(plain, ...cell))
    expect(blackShare(marked, cell[2], 0, 1, 1)).toBe(0)
  })
})
