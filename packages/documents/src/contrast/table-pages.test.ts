import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { openPdf } from '../pdf/pages.ts'
import { blackGained } from '../testing/black-gained.ts'
import { requireJudge, runJudge, testFolder } from '../testing/judges.ts'
import { wordsRead } from '../testing/read-again.ts'
import { readPages } from '../testing/samples.ts'
import { type TableKind, tableKinds, tablePage } from '../testing/table-pages.ts'
import { popplerPage } from '../testing/words.ts'
import { defaultLimits } from '../base/limits.ts'

vi.setConfig({ testTimeout: 1_200_000 })

const isLong = Boolean(process.env['FAXDECK_LONG'])
/** Two hundred pages in the long run; otherwise one of each kind, and one as a picture. */
const numbers = isLong ? Array.from({ length: 20 }, (_, number) => number) : [4, 6]
const resolutions = ['fine', 'standard'] as const
/** Percent of a page. */
const mostGained = 0.3

describe('pages with tables', () => {
  it.for(tableKinds)('are no darker than poppler has them: %s', async (kind: TableKind, context) => {
    requireJudge(context, 'pdftoppm')
    const folder = testFolder()
    const darker: unknown[] = []
    for (const number of numbers) {
      const pdf = await tablePage(kind, number)
      const opened = await openPdf(pdf, 'letter', defaultLimits, 'split')
      for (const resolution of resolutions) {
        const gained = blackGained(
          await opened.render(0, resolution, 'auto'),
          popplerPage(pdf, folder, resolution),
          resolution,
        )
        if (gained >= mostGained) darker.push([number, resolution, gained])
      }
      opened.close?.()
    }
    // One in a hundred may be.
    expect(darker.slice(isLong ? 1 : 0)).toEqual([])
  })

  it.runIf(isLong).for(tableKinds)('are read as well as those of Ghostscript: %s', async (kind: TableKind, context) => {
    requireJudge(context, 'gs')
    requireJudge(context, 'tesseract')
    const folder = testFolder()
    const device = ['-sDEVICE=tiffg4', '-r204x196', '-g1728x2156', '-dPDFFitPage']
    for (const number of numbers) {
      const pdf = await tablePage(kind, number)
      const [path, tiff] = [join(folder, 'page.pdf'), join(folder, 'gs.tif')]
      writeFileSync(path, pdf)
      runJudge('gs', '-q', '-dNOPAUSE', '-dBATCH', '-dSAFER', ...device, `-sOutputFile=${tiff}`, path)
      const opened = await openPdf(pdf, 'letter', defaultLimits, 'split')
      const said = new Set(runJudge('pdftotext', path, '-').match(/[a-z]{3,}/g))
      const ours = await wordsRead(await opened.render(0, 'fine', 'auto'), 'fine')
      const theirs = await wordsRead(readPages(tiff)[0]!, 'fine')
      opened.close?.()
      const found = (read: ReadonlySet<string>) => [...said].filter((word) => read.has(word)).length
      expect.soft([number, found(ours) - found(theirs)]).toSatisfy(([, more]: number[]) => more! >= 0)
    }
  })
})
