import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import { describe, expect, it, onTestFinished, type TestContext, vi } from 'vitest'
import { createDocuments, type Documents } from '../documents.ts'
import { mailAttachment, mailFile, odtFile, wordFile, wordText } from '../flow/testing/office-files.ts'
import { requireJudge, runJudge, testFolder } from '../testing/judges.ts'
import { letterPdf } from '../testing/pdf-samples.ts'
import { findOffice } from './find-office.ts'
import type { OfficeSetup } from './office.ts'
import { officeFormatOf } from '../kinds/office-format.ts'
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
    expect(await documents.inspect(word)).toMatchObject({ pages: 1, notes: [] })
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

describe('office documents that come at the same time', () => {
  it('wait for each other, few and not long; the others are told to come again', async () => {
    const script = `sleep 1\nfor last; do :; done\nprintf '%s' "%PDF-1.4" > "$(dirname "$last")/document.pdf"`
    const { documents } = open({ program: pretender(script), isolated: false, turns: { waiting: 2, ms: 60_000 } })
    const letters = Array.from({ length: 6 }, (_, n) => wordFile({ body: wordText(`Letter ${n}`) }))
    const outcomes = await Promise.allSettled(letters.map((letter) => documents.intake(letter, null)))
    const refused = outcomes.filter(({ status }) => status === 'rejected')
    expect(refused.length).toBeGreaterThanOrEqual(3)
    const reason = { code: 'busy', sentence: expect.stringContaining('again in a minute') }
    for (const each of refused) expect(each).toMatchObject({ reason })
    expect(Buffer.from(await documents.intake(letters[5]!, null)).toString()).toBe('%PDF-1.4')
  })

  it('are refused when their turn does not come in time, and hold up nobody afterwards', async () => {
    const script = `sleep 2\nfor last; do :; done\nprintf '%s' "%PDF-1.4" > "$(dirname "$last")/document.pdf"`
    const { documents } = open({ program: pretender(script), isolated: false, turns: { waiting: 9, ms: 300 } })
    const [first, second] = [word, wordFile({ body: wordText('B') })]
    const begun = documents.intake(first, null)
    await expect(documents.intake(second, null)).rejects.toMatchObject({ code: 'busy' })
    await begun
    expect(Buffer.from(await documents.intake(second, null)).toString()).toBe('%PDF-1.4')
  })
})

describe('an office document attached to a mail', () => {
  const workbook = old('Workbook')
  const mail = mailFile([
    'Content-Type: text/plain\n\nSee attached.',
    mailAttachment('list.xls', workbook),
    mailAttachment('inner.eml', mailFile(['Content-Type: text/plain\n\nInner', mailAttachment('letter.docx', word)])),
  ])

  it('is laid out by LibreOffice as well, also in a mail that is attached', async (context) => {
    requireJudge(context, 'pdftotext')
    const made = join(testFolder(), 'made.pdf')
    writeFileSync(made, letterPdf())
    const script = `for last; do :; done\ncp ${made} "$(dirname "$last")/document.pdf"`
    const { documents, directory } = open({ program: pretender(script), isolated: false })
    const pdf = await documents.intake(mail, 'mail.eml')
    const text = textOf(pdf)
    expect(text).toContain('Attachments: list.xls, inner.eml')
    expect(text.match(/Line 1 of page 1:/g)).toHaveLength(2)
    expect(await documents.inspect(pdf)).toMatchObject({ kind: 'pdf', pages: 4, notes: [] })
    expect(readdirSync(directory)).toEqual([])
  })

  it('that LibreOffice cannot read is named, or laid out the built-in way, and the mail is faxed', async () => {
    const { documents } = open({ program: pretender('exit 1'), isolated: false })
    const warnings = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    onTestFinished(() => warnings.mockRestore())
    const kept = await documents.intake(mail, 'mail.eml')
    expect(kept).toBe(mail)
    const { pages, notes } = await documents.inspect(kept)
    expect(pages).toBe(3)
    expect(notes).toContainEqual(expect.objectContaining({ text: expect.stringContaining('left out: list.xls') }))
  })

  it('is not looked at where LibreOffice is absent', async () => {
    const documents = createDocuments({ threads: 1 })
    onTestFinished(() => documents.close())
    expect(await documents.intake(mail, 'mail.eml')).toBe(mail)
  })
})

/** Flat OpenDocument files, which LibreOffice makes the other formats of. */
const flat = (kind: string, body: string) =>
  `<?xml version="1.0"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.${kind}"><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document>`
const sources = {
  fodt: flat('text', '<text:p>A made letter</text:p>'),
  fods: flat(
    'spreadsheet',
    '<table:table table:name="S"><table:table-row><table:table-cell office:value-type="string"><text:p>A made cell</text:p></table:table-cell></table:table-row></table:table>',
  ),
  fodp: flat(
    'presentation',
    '<draw:page draw:name="P"><draw:frame svg:x="2cm" svg:y="2cm" svg:width="15cm" svg:height="3cm"><draw:text-box><text:p>A made slide</text:p></draw:text-box></draw:frame></draw:page>',
  ),
}

/** A document as LibreOffice itself saves it in another format. */
function saveAs(soffice: string, from: keyof typeof sources, format: string): Buffer {
  const folder = testFolder()
  writeFileSync(join(folder, `made.${from}`), sources[from])
  const profile = `-env:UserInstallation=file://${folder}/profile`
  const parameters = ['--headless', profile, '--convert-to', format, '--outdir', folder, join(folder, `made.${from}`)]
  execFileSync(soffice, parameters, { stdio: 'ignore' })
  return readFileSync(join(folder, `made.${format}`))
}

const isLong = Boolean(process.env['FAXDECK_LONG'])

describe('LibreOffice', () => {
  it('lays out what people have, and leaves nothing behind', async (context) => {
    requireJudge(context, 'pdftotext')
    const { documents, directory } = open({ program: requireOffice(context) })
    for (const bytes of isLong ? [word, Buffer.from('{\\rtf1 A letter\\par}')] : [word]) {
      const pdf = await documents.intake(bytes, null)
      expect(textOf(pdf)).toContain('A letter')
      expect(await documents.inspect(pdf)).toMatchObject({ kind: 'pdf', pages: 1, notes: [] })
    }
    expect(readdirSync(directory)).toEqual([])
  })

  it.runIf(isLong).for([
    ['fodt', 'doc', 'letter'],
    ['fodt', 'docx', 'letter'],
    ['fodt', 'odt', 'letter'],
    ['fods', 'xls', 'cell'],
    ['fods', 'xlsx', 'cell'],
    ['fods', 'ods', 'cell'],
    ['fodp', 'ppt', 'slide'],
    ['fodp', 'pptx', 'slide'],
    ['fodp', 'odp', 'slide'],
  ] as const)('lays out what it made of %s itself as %s', async ([from, format, word], context) => {
    requireJudge(context, 'pdftotext')
    const soffice = requireOffice(context)
    const bytes = saveAs(soffice, from, format)
    expect(officeFormatOf(bytes)?.ending).toBe(format)
    const { documents } = open({ program: soffice })
    expect(textOf(await documents.intake(bytes, `made.${format}`))).toContain(`A made ${word}`)
  })

  it.runIf(isLong).for([true, false])(
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
