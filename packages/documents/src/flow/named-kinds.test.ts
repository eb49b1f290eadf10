import { writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createDocuments } from '../documents.ts'
import { DocumentProblem } from '../base/problem.ts'
import { requireJudge, runJudge, testFolder } from '../testing/judges.ts'
import { defaultLimits } from '../base/limits.ts'

vi.setConfig({ testTimeout: 60_000 })

const isLong = Boolean(process.env['FAXDECK_LONG'])
const documents = createDocuments({ threads: 1, paper: 'letter' })
afterAll(() => documents.close())

async function textOf(name: string, content: string | Buffer): Promise<string> {
  const path = join(testFolder(), 'made.pdf')
  writeFileSync(path, await documents.intake(Buffer.from(content), name))
  return runJudge('pdftotext', '-layout', path, '-')
}

const letters = (text: string) => text.replace(/\s+/g, ' ')
const pagesOf = (text: string) => text.split('\f').filter((page) => page.trim() !== '')

describe('Markdown', () => {
  it('is laid out: headings, lists, tables, code and what links lead to', async (context) => {
    requireJudge(context, 'pdftotext')
    const text = await textOf(
      'Visit.md',
      [
        '---\ntitle: Visit\n---',
        '# Visit of **Jane**\n\nSee [the guide](https://example.org/g?a=1&b=2) or <https://example.org>.',
        '1. first\n2. second\n   - inner\n\n- [x] done\n- [ ] open',
        '| Test | Value |\n|------|------:|\n| Hb | 13.5 |',
        '```\nlet x  =  1 < 2\n```\n\n<script>alert(1)</script>\n\n<b>bold</b> &amp; ~~gone~~',
      ].join('\n\n'),
    )
    expect(text).toMatch(/^\s*title: Visit\n/)
    expect(letters(text)).toContain(
      'Visit of Jane See the guide (https://example.org/g?a=1&b=2) or https://example.org.',
    )
    expect(letters(text)).toContain('1. first 2. second • inner')
    expect(letters(text)).toContain('[x] done')
    expect(text).toMatch(/Test +Value\n+ *Hb +13\.5/)
    expect(letters(text)).toContain('let x = 1 < 2')
    expect(letters(text)).toContain('bold & gone')
    expect(text).not.toMatch(/alert|\*\*|~~|```|\|/)
  })

  it('loads no pictures, and says so wherever it is opened', async () => {
    let asked = 0
    const server = createServer((_request, response) => response.end(String(++asked)))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/x.png`
    const file = Buffer.from(`![A chart](${url})\n\n![](/etc/passwd) <img src="${url}"> text`)
    const pdf = await documents.intake(file, 'a.markdown')
    const note = { page: 1, kind: 'left_out', text: expect.stringContaining('internet are left out') }
    expect(await documents.inspect(pdf)).toMatchObject({ kind: 'pdf', pages: 1, notes: [note] })
    expect(asked).toBe(0)
  })

  const exhausting = [
    ['brackets', '['.repeat(50_000)],
    ['lists in lists', '> '.repeat(5_000) + 'x'],
    ['emphasis', '*a_ '.repeat(20_000)],
    ['elements', '<b>'.repeat(5_000)],
    ['fences', '`'.repeat(9_999) + 'a'],
  ]

  it.each(exhausting.slice(0, isLong ? undefined : 1))(
    'made to exhaust a parser is laid out or refused: %s',
    async (_name, content) => {
      const hasty = createDocuments({ threads: 1, limits: { ...defaultLimits, seconds: 2 } })
      onTestFinished(() => hasty.close())
      const answer = await hasty.intake(Buffer.from(content), 'a.md').catch((error: unknown) => error)
      expect(answer instanceof Uint8Array || answer instanceof DocumentProblem).toBe(true)
      expect(await hasty.intake(Buffer.from('# next'), 'a.md')).toBeInstanceOf(Uint8Array)
    },
  )
})

describe('separated values', () => {
  it.for([
    ['commas', 'a.csv', 'Name,Note\nAnn,"x, ""y""\nz"\n'],
    ['semicolons and decimal commas', 'a.csv', 'Name;Note\nAnn;"x, ""y""\nz"\nBob;1,5\n'],
    ['tabs', 'a.tsv', 'Name\tNote\nAnn\t"x, ""y""\nz"\n'],
    ['the separator that it names', 'a.CSV', 'sep=|\r\nName|Note\r\nAnn|"x, ""y""\r\nz"\r\n'],
    ['UTF-16', 'a.csv', Buffer.from('\ufeffName\tNote\nAnn\t"x, ""y""\nz"\n', 'utf16le')],
  ] as const)('with %s are a table', async ([, name, content], context) => {
    requireJudge(context, 'pdftotext')
    const text = await textOf(name, content)
    expect(text).toMatch(/^ *Name +Note\n/)
    expect(text).toMatch(/Ann +x, "y"\n +z\n/)
    expect(text).not.toMatch(/sep=|;/)
  })

  it('in Windows-1252 are read, formulas are text, and a quotation mark that stays open loses nothing', async (context) => {
    requireJudge(context, 'pdftotext')
    const text = await textOf('a.csv', Buffer.from('Größe,Sum\n5" screen,=1+1\n"open,@x\nlast,-2\n', 'latin1'))
    for (const part of ['Größe', '5" screen', '=1+1', '"open', '@x', 'last', '-2']) expect(text).toContain(part)
  })

  it('have the names of their columns on every page, and no row of numbers twice', async (context) => {
    requireJudge(context, 'pdftotext')
    const rows = Array.from({ length: 120 }, (_, n) => `row${n},${n}`).join('\n')
    const named = pagesOf(await textOf('a.csv', `Patient,Count\n${rows}`))
    expect(named.length).toBeGreaterThan(2)
    for (const page of named) expect(page.trimStart()).toMatch(/^Patient +Count/)
    const bare = await textOf('a.csv', rows)
    expect(bare.match(/\brow0\b/g)).toHaveLength(1)
  })

  it('of many columns lie on their side, and of more are divided with the name of each row', async (context) => {
    requireJudge(context, 'pdftotext')
    const table = (columns: number) =>
      [0, 1, 2]
        .map((row) => Array.from({ length: columns }, (_, n) => `${row === 0 ? 'name' : `r${row}`}x${n}`).join(','))
        .join('\n')
    const sizes = async (columns: number) => {
      const pdf = await documents.intake(Buffer.from(table(columns)), 'a.csv')
      return (await documents.inspect(pdf)).sizes.map(({ width, height }) => (width > height ? 'side' : 'upright'))
    }
    expect(await sizes(8)).toEqual(['upright'])
    expect(await sizes(13)).toEqual(['side'])
    expect(new Set(await sizes(60))).toEqual(new Set(['side']))
    const text = await textOf('a.csv', table(60))
    const found = new Set(text.split(/\s+/))
    for (let n = 0; n < 60; n++) expect(found.has(`r2x${n}`) && found.has(`namex${n}`)).toBe(true)
    const parts = text.match(/Columns? \d+ .*of 60/g) ?? []
    expect(parts.length).toBeGreaterThan(2)
    expect(text.match(/\br2x0\b/g)).toHaveLength(parts.length)
    expect(text.match(/\bnamex0\b/g)).toHaveLength(parts.length)
  })

  it('are refused when they have more than a fax may', async () => {
    const short = createDocuments({
      threads: 1,
      limits: { ...defaultLimits, pages: isLong ? defaultLimits.pages : 20 },
    })
    onTestFinished(() => short.close())
    const refusal = (content: string) => short.intake(Buffer.from(content), 'a.csv')
    await expect(refusal('a,b\n'.repeat(isLong ? 40_000 : 2_000))).rejects.toMatchObject({ code: 'too_many_pages' })
    await expect(refusal('a,'.repeat(3_000))).rejects.toMatchObject({ code: 'too_large' })
    await expect(refusal(' \n \n')).rejects.toMatchObject({ code: 'empty' })
    await expect(refusal('')).rejects.toMatchObject({ code: 'empty' })
  })
})

describe('a name', () => {
  it('decides only what the content leaves open', async () => {
    const text = Buffer.from('# Not a heading\na,b\n')
    for (const name of ['a.txt', 'a', null]) expect(await documents.intake(text, name)).toBe(text)
    const page = Buffer.from('<!DOCTYPE html><p>x</p>')
    expect(await documents.intake(page, 'a.csv')).toBe(page)
  })

  it('never makes any text crash', async () => {
    const text = fc.array(
      fc.constantFrom('"', ',', ';', '\t', '\n', 'a', '|', '1', '#', '- ', '> ', '<td>', '[x](y)', '`', '漢'),
    )
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom('a.md', 'a.csv'), async (parts, name) => {
        const answer = await documents.intake(Buffer.from(parts.join('')), name).catch((error: unknown) => error)
        expect(answer instanceof Uint8Array || answer instanceof DocumentProblem).toBe(true)
      }),
      { numRuns: isLong ? 3000 : 30 },
    )
  })
})
