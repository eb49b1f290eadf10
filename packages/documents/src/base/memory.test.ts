import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { createDocuments } from '../documents.ts'
import { planMemory } from './memory.ts'
import { bombs, jpxImage, nestedForms, turnedPng } from '../testing/bombs.ts'
import { testFolder } from '../testing/judges.ts'
import { letterPdf, pdfOf } from '../testing/pdf-samples.ts'
import { fineLetter } from '../testing/samples.ts'

vi.setConfig({ testTimeout: 200_000 })

const run = promisify(execFile)
const memory = { usual: 64, large: 96 }
const documents = createDocuments({ threads: 2, memory })
afterAll(() => documents.close())

const refusal = {
  code: 'too_large',
  sentence: expect.stringContaining('needs more memory than the 96 MB allowed for one') as unknown,
}

/** All of them are thrown in the long run; one that is soon drawn or refused, each time. */
const thrown = Object.keys(bombs).filter((name) => process.env['FAXDECK_LONG'] || name === 'JBIG2')

describe('memory', () => {
  it('is planned by what the process may use', () => {
    expect(planMemory(1024, 2)).toEqual({ threads: 2, usual: 128, large: 384, background: 128, held: 128 })
    expect(planMemory(1024, 16)).toEqual({ threads: 2, usual: 128, large: 384, background: 128, held: 128 })
    expect(planMemory(512, 2)).toEqual({ threads: 1, usual: 128, large: 128, background: 128, held: 64 })
    expect(planMemory(64_000, 8)).toEqual({ threads: 8, usual: 128, large: 512, background: 512, held: 1024 })
  })

  it('that a PDF wants beyond its share is refused with a sentence, also for several at once, and the next is drawn', async () => {
    const bomb = nestedForms()
    const drawn = Array.from({ length: 3 }, (_, n) =>
      documents.toTiff(bomb, join(testFolder(), `${n}.tiff`), fineLetter),
    )
    for (const { status, reason } of (await Promise.allSettled(drawn)) as PromiseRejectedResult[]) {
      expect([status, reason]).toEqual(['rejected', expect.objectContaining(refusal)])
    }
    expect(await documents.toTiff(letterPdf(), join(testFolder(), 'letter.tiff'), fineLetter)).toMatchObject({
      pages: 1,
    })
  })

  it('that a picture wants beyond its share is refused before it is decoded', async () => {
    await expect(documents.inspect(await turnedPng(6000))).rejects.toMatchObject(refusal)
    expect(await documents.inspect(await turnedPng(4800))).toMatchObject({ pages: 1 })
  })

  it('that a JPEG 2000 image wants is refused by what its codestream says, whatever its dictionary claims', async () => {
    const sentence =
      'An image in the file has 30000 by 30000 pixels, which is too large. Save it at a lower resolution.'
    for (const shown of [30_000, 100]) {
      await expect(documents.inspect(jpxImage(30_000, shown))).rejects.toMatchObject({ code: 'too_large', sentence })
    }
    expect(await documents.inspect(jpxImage(8000))).toMatchObject({ pages: 1 })
    const alike = `% ${'\xff\x4f\xff\x51'.repeat(40)}`
    expect(await documents.inspect(pdfOf([{ content: alike }]))).toMatchObject({ pages: 1 })
  })

  it.skipIf(process.platform !== 'linux').each(thrown)(
    'of a process that draws several at once stays within the plan, and each is drawn or refused: %s',
    async (name) => {
      const program = join(import.meta.dirname, '../testing/bombs-at-once.ts')
      const { stdout } = await run(process.execPath, [program, '4', '128', '256', name])
      const { drawn, codes, grown } = JSON.parse(stdout) as { drawn: number; codes: string[]; grown: number }
      expect(drawn + codes.length).toBe(4)
      for (const code of codes) expect(['too_large', 'too_slow', 'broken']).toContain(code)
      if (name === 'nested forms') expect(drawn).toBe(0)
      // Two threads and the large one, each with its code and its copies of pages.
      expect(grown).toBeLessThan(2 * 128 + 256 + 3 * 64)
    },
  )
})
