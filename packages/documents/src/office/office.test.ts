import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import { describe, expect, it, onTestFinished, type TestContext, vi } from 'vitest'
import { createDocuments, type Documents } from '../documents.ts'
import { odtFile, wordFile, wordText } from '../flow/testing/office-files.ts'
import { requireJudge, runJudge, testFolder } from '../testing/judges.ts'
import { findOffice } from './find-office.ts'
import type { OfficeSetup } from './office.ts'
import { officeFormatOf } from './office-format.ts'
import { runBounded } from './run-bounded.ts'
import { hostileOds, hostileOdt, officeBomb } from './testing/hostile-files.ts'

vi.setConfig({ testTimeout: 240_000 })

const program = findOffice('')

function requireOffice(context: TestContext): string {
  context.skip(
    program === undefined,
    'soffice is not installed: install libreoffice-writer-nogui and libreoffice-calc-nogui to test with it.',
  )
  return program ?? ''
}

function open(setup: Partial<OfficeSetup> & { program: string }): { documents: Documents; directory: string } {
  const directory = join(testFolder(), 'scratch')
  const documents = createDocuments({ threads: 1, office: { directory, ...setup } })
  onTestFinished(() => documents.close())
  return { documents, directory }
}

function textOf(pdf: Uint8Array): string {
  const path = join(testFolder(), 'made.pdf')
  writeFileSync(path, pdf)
  return runJudge('pdftotext', '-layout', path, '-')
}

/** A program in place of LibreOffice, in shell. */
function pretender(script: string): string {
  const path = join(testFolder(), 'soffice')
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return path
}

const word = wordFile({ body: wordText('A letter') })
const old = (stream: string) =>
  Buffer.concat([
    Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1'),
    Buffer.alloc(600),
    Buffer.from(stream, 'utf16le'),
  ])

describe('an office document', () => {
  it.each([
    ['docx', word],
    ['odt', odtFile({ text: '<text:p>x</text:p>' })],
    ['rtf', Buffer.from('{\\rtf1 x}')],
    ['ods', hostileOds('http://127.0.0.1/')],
    ['xlsx', zipSync({ '[Content_Types].xml': new Uint8Array(), 'xl/workbook.xml': new Uint8Array() })],
    ['doc', old('WordDocument')],
    ['xls', old('Workbook')],
    ['ppt', old('PowerPoint Document')],
    [undefined, old('__properties_version1.0 WordDocument')],
    [undefined, Buffer.from('PK\x03\x04 cut off')],
    [undefined, Buffer.from('text')],
  ])('is known by what is in it: %s', (ending, bytes) => {
    expect(officeFormatOf(bytes)?.ending).toBe(ending)
  })

  it('that is protected with a password or a bomb is refused before anything opens it', async () => {
    expect(() => officeFormatOf(old('EncryptedPackage'))).toThrow(expect.objectContaining({ code: 'encrypted' }))
    const { documents } = open({ program: '/bin/false' })
    await expect(documents.intake(officeBomb(), null)).rejects.toMatchObject({ code: 'too_large' })
  })

  it('is laid out the built-in way or refused with what to do where LibreOffice is absent', async () => {
    const documents = createDocuments({ threads: 1 })
    onTestFinished(() => documents.close())
    expect(await documents.intake(word, 'a.docx')).toBe(word)
    expect((await documents.inspect(word)).notes).toMatchObject([{ text: expect.stringContaining('built-in way') }])
    await expect(documents.intake(old('Workbook'), 'a.xls')).rejects.toMatchObject({
      code: 'unsupported',
      sentence: expect.stringMatching(/^Old Excel workbooks .*LibreOffice.*PDF/),
    })
  })
})

describe('a LibreOffice that fails', () => {
  it.each([
    ['ends with an error', 'exit 1'],
    ['crashes', 'kill -SEGV $$'],
    ['makes nothing', 'exit 0'],
    ['fills the disk', 'exec dd if=/dev/zero of=document.pdf bs=1M count=300'],
    ['works for ever', 'while :; do :; done'],
    ['waits for ever, and in a child', 'sleep 300 & sleep 300'],
  ])('leaves the built-in way: it %s', async (_what, script) => {
    const bounds = { ms: 3000, seconds: 1, memoryMb: 512, fileMb: 1 }
    const { documents, directory } = open({ program: pretender(script), bounds })
    const warnings = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    onTestFinished(() => warnings.mockRestore())
    expect(await documents.intake(word, null)).toBe(word)
    expect(warnings).toHaveBeenCalledOnce()
    await expect(documents.intake(old('Workbook'), null)).rejects.toMatchObject({
      code: expect.stringMatching(/broken|too_slow/),
    })
    expect(readdirSync(directory)).toEqual([])
  })

  it('is ended with all that it has started, and knows nothing of this process', async () => {
    const folder = testFolder()
    process.env['FAXDECK_TEST_SECRET'] = 'secret'
    onTestFinished(() => {
      delete process.env['FAXDECK_TEST_SECRET']
    })
    const script = 'env > environment; sleep 300 & echo $! > child; exit 0'
    const run = { program: pretender(script), parameters: [], environment: { PATH: process.env['PATH'] }, folder }
    await runBounded(run, { ms: 20_000, seconds: 5, memoryMb: 512, fileMb: 1 })
    expect(readFileSync(join(folder, 'environment'), 'utf8')).not.toContain('secret')
    const child = Number(readFileSync(join(folder, 'child'), 'utf8'))
    await expect.poll(() => isRunning(child), { timeout: 10_000 }).toBe(false)
  })

  it('is asked once for a document that several want at the same time', async () => {
    const count = join(testFolder(), 'count')
    const script = `echo x >> ${count}\nfor last; do :; done\nprintf '%s' "%PDF-1.4" > "$(dirname "$last")/document.pdf"`
    const { documents } = open({ program: pretender(script), isolated: false })
    await Promise.all([1, 2, 3].map(() => documents.intake(word, null)))
    expect(readFileSync(count, 'utf8')).toBe('x\n')
  })
})

describe('LibreOffice', () => {
  it('lays out what people have, and leaves nothing behind', async (context) => {
    requireJudge(context, 'pdftotext')
    const { documents, directory } = open({ program: requireOffice(context) })
    for (const bytes of [word, Buffer.from('{\\rtf1 A letter\\par}')]) {
      const pdf = await documents.intake(bytes, null)
      expect(textOf(pdf)).toContain('A letter')
      expect(await documents.inspect(pdf)).toMatchObject({ kind: 'pdf', pages: 1, notes: [] })
    }
    expect(readdirSync(directory)).toEqual([])
  })

  it.for([true, false])(
    'runs no macro and asks for nothing from elsewhere, its network taken away: %s',
    async (isolated, context) => {
      requireJudge(context, 'pdftotext')
      const { documents } = open({ program: requireOffice(context), isolated })
      let asked = 0
      const server = createServer((_request, response) => response.end(String(++asked)))
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      onTestFinished(() => void server.close())
      const address = server.address()
      const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/x`
      const written = join(testFolder(), 'written.txt')
      const letter = textOf(await documents.intake(hostileOdt({ url, written }), null))
      const sheet = textOf(await documents.intake(hostileOds(url), null))
      expect(letter).toContain('Hello from the letter')
      expect(sheet).toContain('Hello from the sheet')
      expect(existsSync(written)).toBe(false)
      expect(asked).toBe(0)
    },
  )
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
