import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createDocuments } from './documents.ts'
import type { Receipt } from './receipt.ts'
import { requireJudge, runJudge, testFolder } from './testing/judges.ts'
import { makeCffFont } from './testing/made-cff-font.ts'

vi.setConfig({ testTimeout: 60_000 })

const documents = createDocuments({ threads: 1 })
afterAll(() => documents.close())

const receipt: Receipt = {
  title: 'Transmission report',
  outcome: 'Delivered. 2 of 2 pages were confirmed.',
  facts: [
    ['To', '+15555550123'],
    ['Document', `${'a-very-long-name-without-spaces-'.repeat(6)}.pdf`],
  ],
  attempts: ['1. Busy.', '2. Delivered.'],
  picture: undefined,
}
const picture = () =>
  documents.page(Buffer.from('Dear colleague'), 1, { resolution: 'fine', paper: 'letter', width: 400 })

describe('a transmission report', () => {
  it('can be read by poppler, every word of it, with the picture of the page', async (context) => {
    requireJudge(context, 'pdftotext')
    const path = join(testFolder(), 'receipt.pdf')
    writeFileSync(path, await documents.receipt({ ...receipt, picture: await picture() }, { paper: 'letter' }))
    const read = runJudge('pdftotext', '-layout', path, '-').replaceAll(/\s+/g, ' ')
    for (const words of ['Transmission report', receipt.outcome, '+15555550123', '1. Busy.', '2. Delivered.']) {
      expect(read).toContain(words)
    }
    expect(runJudge('pdfimages', '-list', path)).toMatch(/image +400 +519 +gray +1 +4/)
  })

  it('is set with fonts of the system, and names what no font has by its code', async (context) => {
    requireJudge(context, 'pdftotext')
    const folder = testFolder()
    writeFileSync(join(folder, 'a.otf'), makeCffFont({ character: '山', kind: 'named' }))
    const own = createDocuments({ threads: 1, fonts: folder })
    onTestFinished(() => own.close())
    const path = join(folder, 'receipt.pdf')
    const facts = [['Document', '山田.pdf']] as const
    writeFileSync(path, await own.receipt({ ...receipt, facts }, { paper: 'letter' }))
    expect(runJudge('pdftotext', '-layout', path, '-').replaceAll(' ', '')).toContain('山[U+7530].pdf')
  })

  it('is a sound PDF of one page, and of more when there were many attempts', async () => {
    const one = await documents.receipt({ ...receipt, picture: await picture() }, { paper: 'a4' })
    expect(await documents.inspect(one)).toMatchObject({ kind: 'pdf', pages: 1 })
    const attempts = Array.from({ length: 120 }, (_, n) => `${n + 1}. The provider could not be reached.`)
    const long = await documents.receipt({ ...receipt, attempts }, { paper: 'a4' })
    expect(await documents.inspect(long)).toMatchObject({ pages: 3 })
  })
})
