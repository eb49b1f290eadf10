import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createDocuments } from '../../documents.ts'
import { requireJudge, runJudge, testFolder } from '../../testing/judges.ts'
import { readMsg } from './read-msg.ts'
import { msgFile } from '../testing/msg-file.ts'
import { mailFile, wordFile, wordText } from '../testing/office-files.ts'

const documents = createDocuments({ threads: 1 })
afterAll(() => documents.close())

const letter = wordFile({ body: wordText('The letter itself') })
const inner = mailFile(['Content-Type: text/plain\n\nInner text'], 'Inner')
const mail = msgFile({
  subject: 'Résultats',
  body: 'Dear Bob,\r\n\r\nsee attached.',
  attachments: [
    { name: 'letter.docx', bytes: letter },
    { name: 'inner.eml', bytes: inner },
    { name: 'data.zip', bytes: Buffer.from('PK\x05\x06'.padEnd(22, '\0')) },
  ],
})

describe('a mail that Outlook saved', () => {
  it('is read with its head, its text and its attachments, byte for byte', () => {
    const message = readMsg(mail)
    expect(message).toMatchObject({
      from: 'Ann <ann@example.com>',
      to: 'Bob <bob@example.com>',
      subject: 'Résultats',
      text: 'Dear Bob,\r\n\r\nsee attached.',
    })
    expect(message.attachments.map(({ name, bytes }) => [name, bytes.length])).toEqual([
      ['letter.docx', letter.length],
      ['inner.eml', inner.length],
      ['data.zip', 22],
    ])
    expect(Buffer.from(message.attachments[0]?.bytes ?? []).equals(letter)).toBe(true)
  })

  it('is faxed as any other mail: what is attached follows, and what cannot be faxed is named', async (context) => {
    requireJudge(context, 'pdftotext')
    const { kind, pages, notes } = await documents.inspect(mail)
    expect([kind, pages]).toEqual(['msg', 3])
    expect(notes).toContainEqual(expect.objectContaining({ text: expect.stringContaining('left out: data.zip') }))
    const path = join(testFolder(), 'mail.pdf')
    writeFileSync(path, await documents.toPdf(mail, { paper: 'letter' }))
    const text = runJudge('pdftotext', '-layout', path, '-')
    for (const part of ['Résultats', 'see attached', 'The letter itself', 'Inner text']) expect(text).toContain(part)
  })

  it('is read in whatever code page its text is stored', () => {
    const html = Buffer.from('<p>Gr\xfc\xdfe</p>', 'latin1')
    const stored = msgFile({ subject: 'x', body: '', attachments: [], html: { bytes: html, page: 28_591 } })
    expect(readMsg(stored).html).toBe('<p>Grüße</p>')
    const japanese = { bytes: Buffer.from([0x82, 0xa0]), page: 932 }
    expect(readMsg(msgFile({ subject: 'x', body: '', attachments: [], html: japanese })).html).toBe('あ')
  })

  it('that is cut off is refused in a sentence', async () => {
    for (const share of [0.1, 0.4, 0.7]) {
      const cut = mail.subarray(0, Math.floor(mail.length * share))
      const found = await documents.inspect(cut).catch((problem: unknown) => problem)
      if (found instanceof Error) expect(found).toMatchObject({ name: 'DocumentProblem' })
    }
  })
})
