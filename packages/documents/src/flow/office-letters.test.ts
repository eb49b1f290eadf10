import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { createDocuments } from '../documents.ts'
import { findOffice } from '../office/find-office.ts'
import { requireJudge, runJudge, testFolder } from '../testing/judges.ts'
import { compareAll, judge, letters, writeCorpus } from './testing/office-witness.ts'

vi.setConfig({ testTimeout: 900_000 })

const isLong = Boolean(process.env['FAXDECK_LONG'])
const documents = createDocuments({ threads: 1, paper: 'letter' })
afterAll(() => documents.close())

describe('letters that are laid out without LibreOffice', () => {
  it.for([
    ['docx', 4],
    ['odt', 4],
    ['rtf', 9],
  ] as const)('keep their words, numbers, notes, boxes, headers and footers: %s', async ([kind, count], context) => {
    requireJudge(context, 'pdftotext')
    for (const { letter, bytes } of letters(kind, isLong ? 60 : count)) {
      const path = join(testFolder(), 'made.pdf')
      writeFileSync(path, await documents.toPdf(bytes, { paper: 'letter' }))
      const words = letter.body.length
      expect(judge(runJudge('pdftotext', '-raw', path, '-'), letter)).toEqual({ words, inOrder: words, faults: [] })
      expect((await documents.inspect(bytes)).notes).toEqual([])
    }
  })

  it.runIf(isLong)('say what LibreOffice makes of them, 200 in all', async (context) => {
    requireJudge(context, 'pdftotext')
    context.skip(findOffice('') === undefined, 'soffice is not installed: install libreoffice-writer-nogui.')
    const folder = testFolder()
    const corpus = join(folder, 'corpus')
    mkdirSync(corpus)
    const { ours, theirs } = await compareAll(writeCorpus(corpus), folder)
    expect(ours).toHaveLength(200)
    expect(ours.flatMap(({ path, faults }) => faults.map((fault) => `${path}: ${fault}`))).toEqual([])
    ours.forEach(({ path, words, inOrder }, at) => {
      const least = Math.min(0.995 * words, theirs[at]!.inOrder)
      expect(inOrder, path).toBeGreaterThanOrEqual(least)
    })
  })
})
