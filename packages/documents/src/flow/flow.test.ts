import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createDocuments } from '../documents.ts'
import { requireJudge, runJudge, testFolder } from '../testing/judges.ts'
import { photo } from '../testing/samples.ts'
import { readEml } from './read/read-eml.ts'
import {
  mailAttachment,
  mailFile,
  odtFile,
  wordChart,
  wordFile,
  wordPicture,
  wordText,
} from './testing/office-files.ts'

vi.setConfig({ testTimeout: 60_000 })

const documents = createDocuments({ threads: 1, paper: 'letter' })
afterAll(() => documents.close())

async function textOn(bytes: Uint8Array, ...options: string[]): Promise<string> {
  const path = join(testFolder(), 'made.pdf')
  writeFileSync(path, await documents.toPdf(bytes, { paper: 'letter' }))
  return runJudge('pdftotext', '-layout', ...options, path, '-')
}

const words = (count: number) => Array.from({ length: count }, (_, n) => `word${n}`)
const html = (body: string) => Buffer.from(`<!DOCTYPE html><html><body>${body}</body></html>`)

describe('a document without pages of its own', () => {
  it.each([
    ['html', html('<p>Hello</p>')],
    ['docx', wordFile({ body: wordText('Hello') })],
    ['odt', odtFile({ text: '<text:p>Hello</text:p>' })],
    ['rtf', Buffer.from('{\\rtf1 Hello\\par}')],
    ['eml', mailFile(['Content-Type: text/plain\n\nHello'])],
  ])('is known by its content and faxed as it reads: %s', async (kind, bytes) => {
    expect(await documents.inspect(bytes)).toMatchObject({ kind, pages: 1 })
    const page = await documents.page(bytes, 1, { resolution: 'fine', paper: 'letter' })
    expect(page).toMatchObject({ width: 1728 })
  })

  it('loses no word, however long it is', async (context) => {
    requireJudge(context, 'pdftotext')
    const list = words(1200)
    const rows = words(300).map((word, n) => `<tr><td>${word}x</td><td>${n} ${'long text '.repeat(n % 9)}</td></tr>`)
    const text = await textOn(
      html(`<p>${list.join(' ')}</p><ul><li>${'item '.repeat(50)}last</ul><table>${rows.join('')}</table><p>end</p>`),
    )
    const found = new Set(text.split(/\s+/))
    expect(
      [...list, ...words(300).map((word) => `${word}x`), 'last', 'end'].filter((word) => !found.has(word)),
    ).toEqual([])
  })

  it('repeats the head of a table on each page, and shows one of many columns row by row', async (context) => {
    requireJudge(context, 'pdftotext')
    const rows = words(200).map((word) => `<tr><td>${word}</td><td>1</td></tr>`)
    const long = await textOn(
      html(`<table><thead><tr><th>Test</th><th>Value</th></tr></thead>${rows.join('')}</table>`),
    )
    const pages = long.split('\f').filter((page) => page.trim() !== '')
    expect(pages.length).toBeGreaterThan(3)
    for (const page of pages) expect(page.trimStart()).toMatch(/^Test\s+Value/)
    const cells = (name: string) =>
      words(30)
        .map((word) => `<${name}>${word}</${name}>`)
        .join('')
    const wide = await textOn(html(`<table><tr>${cells('th')}</tr><tr>${cells('td')}</tr></table>`))
    expect(wide).toContain('word29: word29')
    const grouped = `<tr><th>Name</th><th colspan=30>Blood</th></tr><tr><th></th>${cells('th')}</tr>`
    const records = await textOn(
      html(`<table><thead>${grouped}</thead><tr><td colspan=2>x</td>${cells('td')}</tr></table>`),
    )
    expect(records).toContain('Name: x')
    expect(records).toContain('Blood, word1: word0')
  })

  it('may have as many pages as any fax, and something to see', async () => {
    const long = html('<p>line</p>'.repeat(30_000))
    await expect(documents.inspect(long)).rejects.toMatchObject({ code: 'too_many_pages' })
    await expect(documents.inspect(html('<p> </p>'))).rejects.toMatchObject({ code: 'empty' })
  })

  it('tells the sender what its pages lack', async () => {
    expect((await documents.inspect(wordFile({ body: wordText('Hello') }))).notes).toEqual([])
    const { notes } = await documents.inspect(wordFile({ body: wordText('Hello') + wordChart + wordChart }))
    expect(notes).toEqual([
      { page: 1, kind: 'left_out', text: '2 charts were left out. Print the document as PDF to send all of it.' },
    ])
    await expect(documents.inspect(wordFile({ body: wordChart }))).rejects.toMatchObject({
      code: 'empty',
      sentence: expect.stringContaining('shows only a chart'),
    })
    expect((await documents.inspect(html('<p>Hello</p>'))).notes).toEqual([])
  })

  it('has its own pages, with its headers, notes and page numbers in their places', async (context) => {
    requireJudge(context, 'pdftotext')
    const field = (name: string) => `<w:fldSimple w:instr=" ${name} "><w:r><w:t>9</w:t></w:r></w:fldSimple>`
    const mark = '<w:r><w:footnoteReference w:id="2"/></w:r>'
    const sectPr =
      '<w:sectPr><w:headerReference w:type="default" r:id="rIdheader"/><w:headerReference w:type="first" r:id="rIdfirstHeader"/><w:footerReference w:type="default" r:id="rIdfooter"/><w:footerReference w:type="first" r:id="rIdfooter"/><w:titlePg/></w:sectPr>'
    const text = await textOn(
      wordFile({
        body: `<w:p><w:r><w:t>One</w:t></w:r>${mark}</w:p><w:p><w:r><w:br w:type="page"/></w:r></w:p>${wordText('Two')}${sectPr}`,
        header: wordText('Usual'),
        firstHeader: wordText('Letterhead'),
        footer: `<w:p><w:r><w:t xml:space="preserve">Page </w:t></w:r>${field('PAGE')}<w:r><w:t xml:space="preserve"> of </w:t></w:r>${field('NUMPAGES')}</w:p>`,
        footnotes: `<w:footnote w:id="2"><w:p><w:r><w:footnoteRef/></w:r><w:r><w:t xml:space="preserve"> A note.</w:t></w:r></w:p></w:footnote>`,
      }),
    )
    const pages = text.split('\f').map((page) => page.trim().replace(/\s+/g, ' '))
    expect(pages.slice(0, 2)).toEqual(['Letterhead One1 1 A note. Page 1 of 2', 'Usual Two Page 2 of 2'])
  })

  it('never loads anything', async () => {
    let asked = 0
    const server = createServer((_request, response) => response.end(String(++asked)))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('The server has no port.')
    const url = `http://127.0.0.1:${address.port}/x.png`
    const page = `<p>x</p><img src="${url}"><link rel=stylesheet href="${url}"><iframe src="${url}"></iframe><object data="${url}"></object><body background="${url}">`
    await documents.inspect(html(page))
    await documents.inspect(mailFile([`Content-Type: text/html\n\n${page}`]))
    await documents.inspect(wordFile({ body: wordText('x') + wordPicture('rIdL', 'link'), linked: url }))
    expect(asked).toBe(0)
  })

  it('shows its pictures', async (context) => {
    requireJudge(context, 'pdfimages')
    const picture = await photo(300, 200).png().toBuffer()
    const path = join(testFolder(), 'made.pdf')
    const body = wordText('x') + wordPicture('rIdP') + wordPicture('rIdP')
    writeFileSync(path, await documents.toPdf(wordFile({ body, picture }), { paper: 'letter' }))
    expect(runJudge('pdfimages', '-list', path).match(/^ +\d+ +\d+ image/gm)).toHaveLength(2)
  })
})

describe('a mail', () => {
  it('is its head, its text and, behind it, what is attached', async (context) => {
    requireJudge(context, 'pdftotext')
    const letter = wordFile({ body: wordText('The letter itself') })
    const archive = Buffer.from('PK\x05\x06'.padEnd(22, '\0'))
    const inner = mailFile(['Content-Type: text/plain\n\nInner text'], 'Inner')
    const mail = mailFile([
      'Content-Type: text/html\n\n<p>See <b>attached</b></p>',
      mailAttachment('letter.docx', letter),
      mailAttachment('data.zip', archive),
      mailAttachment('inner.eml', inner),
    ])
    const { pages, notes } = await documents.inspect(mail)
    expect(pages).toBe(3)
    const left = 'Attachments that cannot be faxed are left out: data.zip.'
    expect(notes).toContainEqual({ page: 1, kind: 'left_out', text: left })
    const text = await textOn(mail)
    expect(text).toMatch(/From: +Ann <ann@example\.com>/)
    expect(text).toContain('data.zip (not included)')
    for (const part of ['See attached', 'The letter itself', 'Inner text']) expect(text).toContain(part)
  })

  it('loses no picture or file that its text calls by a name', async () => {
    const picture = await photo(80, 60).png().toBuffer()
    const called = (id: string) => `\nContent-ID: <${id}>`
    const letter = wordFile({ body: wordText('The letter itself') })
    const mail = mailFile([
      'Content-Type: text/html\n\n<p>See <img src="cid:a%40b"> and <a href="cid:letter">this</a></p>',
      mailAttachment('shown.png', picture, called('a@b')),
      mailAttachment('other.png', picture, called('a')),
      mailAttachment('letter.docx', letter, called('letter')),
    ])
    const { pages, notes } = await documents.inspect(mail)
    expect(pages).toBe(3)
    expect(notes).not.toContainEqual(expect.objectContaining({ text: expect.stringContaining('internet') }))
  })

  it('says what its attachments lack', async () => {
    const frames = [await photo(64, 48).png().toBuffer(), await photo(48, 64).resize(64, 48).png().toBuffer()]
    const moving = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer()
    const { notes } = await documents.inspect(mailFile([mailAttachment('moving.gif', moving)]))
    expect(notes).toEqual([{ page: 1, kind: 'left_out', text: expect.stringContaining('2 pictures') }])
  })

  it('that is one of several in a file is refused, and none is left out', async () => {
    const mail = Buffer.concat([
      Buffer.from('From ann Sun Nov 22 10:00:00 2026\r\n'),
      mailFile(['Content-Type: text/plain\n\nOne']),
    ])
    expect(await documents.inspect(mail)).toMatchObject({ pages: 1 })
    const both = Buffer.concat([mail, Buffer.from('\r\n\r\n'), mail])
    await expect(documents.inspect(both)).rejects.toMatchObject({
      code: 'unsupported',
      sentence: expect.stringMatching(/several emails/),
    })
  })

  it('shows a long picture as large as a short one, on several pages', async () => {
    const long = await photo(400, 9000).png().toBuffer()
    const inText = mailFile([
      'Content-Type: text/html\n\n<img src="cid:l">',
      mailAttachment('l.png', long, '\nContent-ID: <l>'),
    ])
    const behind = mailFile(['Content-Type: text/plain\n\nHello', mailAttachment('l.png', long)])
    for (const mail of [inText, behind]) expect((await documents.inspect(mail)).pages).toBeGreaterThan(8)
  })

  it('is read in UTF-16 too, whatever its parts say of their letters', async () => {
    const text = 'Content-Type: text/plain; charset="iso-8859-1"\nContent-Transfer-Encoding: 8bit\n\nGrüße'
    const coded = 'Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\nCaf=E9'
    const saved = Buffer.from(`\ufeff${mailFile([text, coded], 'Größe').toString()}`, 'utf16le')
    for (const bytes of [saved, Buffer.from(saved).swap16()]) {
      expect(documents.kind(bytes)).toBe('eml')
      expect(await readEml(bytes)).toMatchObject({ subject: 'Größe', text: expect.stringMatching(/Grüße\s+Café/) })
    }
  })

  it('within mails within mails ends somewhere', async () => {
    let mail = mailFile(['Content-Type: text/plain\n\nHello'])
    for (let depth = 0; depth < 6; depth++) {
      mail = mailFile(['Content-Type: text/plain\n\nSee below', mailAttachment('inner.eml', mail)])
    }
    const { pages, notes } = await documents.inspect(mail)
    expect(pages).toBe(4)
    expect(notes).toContainEqual(expect.objectContaining({ text: expect.stringContaining('inner.eml') }))
  })
})
