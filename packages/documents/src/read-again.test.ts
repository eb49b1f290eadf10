import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createDocuments } from './documents.ts'
import { requireJudge, testFolder } from './testing/judges.ts'
import { misread, pageOfProse, type Typeface } from './testing/read-again.ts'
import { readPages } from './testing/samples.ts'

const documents = createDocuments({ threads: 1 })
afterAll(() => documents.close())

/** `npm run test:long` reads whole pages of every size in both typefaces and gray type, each some seconds of tesseract. */
const lines = process.env['FAXDECK_LONG'] ? 50 : 10
const few: [Typeface, number, number][] = [['Helvetica', 6, 0]]
const many: [Typeface, number, number][] = [
  ...[6, 7, 8, 9, 10].flatMap((size) => [['Times-Roman', size, 0] as const, ['Helvetica', size, 0] as const]),
  ...[0.4, 0.55, 0.7, 0.8].map((gray) => ['Helvetica', 9, gray] as const),
].map(([face, size, gray]) => [face, size, gray])

/** The arches of this type are as thick as the distance of two coarse rows: Ghostscript's page is read no better. */
const isBetweenRows = (face: Typeface, size: number) => face === 'Times-Roman' && size === 9

describe('small and gray type', () => {
  it.for(process.env['FAXDECK_LONG'] ? many : few)(
    'is read at both resolutions: %s, %d point, gray %d',
    { timeout: 300_000 },
    async ([face, size, gray], context) => {
      requireJudge(context, 'tesseract')
      const { pdf, text } = pageOfProse(face, size, { gray, max: lines })
      const path = join(testFolder(), 'type.tif')
      const errors = { fine: 0, standard: 0 }
      for (const resolution of ['fine', 'standard'] as const) {
        await documents.toTiff(pdf, path, { resolution, paper: 'letter' })
        errors[resolution] = await misread(readPages(path)[0]!, resolution, text)
      }
      expect(errors.fine).toBeLessThan(1)
      expect(errors.standard).toBeLessThan(isBetweenRows(face, size) ? 4 : 2)
    },
  )
})
