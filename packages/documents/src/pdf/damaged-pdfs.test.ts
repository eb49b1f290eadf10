import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import { defaultLimits } from '../base/limits.ts'
import { DocumentProblem } from '../base/problem.ts'
import { seeded } from '../testing/drawn-pictures.ts'
import { requireJudge, runJudge, testFolder } from '../testing/judges.ts'
import { pdfOf, streamOf, textAt } from '../testing/pdf-samples.ts'
import { lostWords, visibleWords } from '../testing/words.ts'
import { textToPdf } from '../text/pdf.ts'
import { openPdf } from './pages.ts'

const isLong = Boolean(process.env['FAXDECK_LONG'])
const files = isLong ? 500 : 20
vi.setConfig({ testTimeout: isLong ? 3_600_000 : 120_000 })

type Dice = (sides: number) => number

/** One of the objects of a file that was written here, with the place of each. */
const objectsOf = (pdf: string) => [...pdf.matchAll(/(?<=\n)(\d+) 0 obj\n([^]*?)\nendobj/g)]

/** A file written here once more, its streams deflated and everything else in object streams (ISO 32000-1, 7.5.7). */
function packed(pdf: Buffer): Buffer {
  const objects = objectsOf(pdf.toString('latin1')).map(([, number, body = '']) => ({ number: Number(number), body }))
  const size = Math.max(...objects.map(({ number }) => number)) + 1
  const [container, table] = [size, size + 1]
  const loose = objects.filter(({ body }) => !body.includes('stream\n'))
  const rows = new Map<number, [kind: number, at: number, index: number]>()
  let file = '%PDF-1.5\n'
  const put = (number: number, body: string) => {
    rows.set(number, [1, file.length, 0])
    file += `${number} 0 obj\n${body}\nendobj\n`
  }
  for (const { number, body } of objects) {
    const [, entries = '', data] = /^<<([^]*)\/Length \d+>>stream\n([^]*)\nendstream$/.exec(body) ?? []
    if (data !== undefined) put(number, entries.includes('/Filter') ? body : deflated(data, entries))
  }
  let [heads, bodies] = ['', '']
  for (const [index, { number, body }] of loose.entries()) {
    rows.set(number, [2, container, index])
    heads += `${number} ${bodies.length} `
    bodies += `${body}\n`
  }
  put(container, deflated(heads + bodies, `/Type/ObjStm/N ${loose.length}/First ${heads.length}`))
  rows.set(table, [1, file.length, 0])
  const start = file.length
  const coded = Buffer.alloc(7 * (size + 2))
  for (const [number, [kind, at, index]] of rows) {
    coded.writeUInt8(kind, 7 * number)
    coded.writeUInt32BE(at, 7 * number + 1)
    coded.writeUInt16BE(index, 7 * number + 5)
  }
  put(table, deflated(coded.toString('latin1'), `/Type/XRef/W[1 4 2]/Size ${size + 2}/Root 1 0 R`))
  return Buffer.from(`${file}startxref\n${start}\n%%EOF\n`, 'latin1')
}

function deflated(data: string, entries: string): string {
  return streamOf(deflateSync(Buffer.from(data, 'latin1')).toString('latin1'), `${entries}/Filter/FlateDecode`)
}

const words = 'dose twice daily before meals until the next visit account balance carried forward invoice total'.split(
  ' ',
)

/** Lines of a page, each different. */
const lines = (page: number) =>
  Array.from({ length: 12 }, (_, line) =>
    Array.from({ length: 7 }, (_word, word) => words[(page * 5 + line * 3 + word * (line + 2)) % words.length]).join(
      ' ',
    ),
  )

async function samples(): Promise<Record<string, Buffer>> {
  const content = (page: number, down = 0) =>
    lines(page)
      .map((line, at) => textAt(72, 700 - down - 18 * at, 12, line))
      .join('\n')
  const pages = [0, 1, 2].map((page) => ({ content: content(page) }))
  const form = streamOf(content(7, 300), '/Type/XObject/Subtype/Form/BBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>')
  const gray = Buffer.from(Array.from({ length: 64 * 64 }, (_, at) => (at * 7) % 256)).toString('latin1')
  const picture = streamOf(
    gray,
    '/Type/XObject/Subtype/Image/Width 64/Height 64/ColorSpace/DeviceGray/BitsPerComponent 8',
  )
  const fields = `/Annots[<</Subtype/Widget/FT/Tx/T(a)/F 4/V(seen)/Rect[72 200 300 230]/AP<</N 5 0 R>>>>]`
  const seen = streamOf(
    'BT /F1 12 Tf 4 9 Td (entered in the field) Tj ET',
    '/Subtype/Form/BBox[0 0 228 30]/Resources<</Font<</F1 3 0 R>>>>',
  )
  const written = {
    text: pdfOf(pages),
    form: pdfOf([{ content: `${content(1)} /X Do` }, { content: '/X Do' }], [form]),
    picture: pdfOf([{ content: `q 90 0 0 90 72 90 cm /X Do Q ${content(2)}` }, ...pages.slice(0, 1)], [picture]),
    fields: pdfOf([{ content: content(3), entries: fields }, ...pages.slice(1, 2)], [seen]),
    fonts: Buffer.from(
      textToPdf(Buffer.from([0, 1].map((page) => lines(page).join('\n')).join('\f')), 'letter', defaultLimits),
    ),
  }
  const all = Object.entries(written).flatMap(([name, file]) => [
    [name, file] as const,
    [`${name}, packed`, packed(file)] as const,
  ])
  return Object.fromEntries(all)
}

/** Ways to damage a file. */
const damages: Record<string, (pdf: string, dice: Dice) => string> = {
  cut: (pdf, dice) => pdf.slice(0, 200 + dice(pdf.length - 200)),
  'cut, with an end': (pdf, dice) => `${pdf.slice(0, 200 + dice(pdf.length - 200))}\n%%EOF\n`,
  'one byte': (pdf, dice) => flip(pdf, dice, 1),
  'some bytes': (pdf, dice) => flip(pdf, dice, 2 + dice(20)),
  'offsets of the table': (pdf, dice) => changed(pdf, /\d{10}(?= 00000 n)/g, dice, (offset) => shifted(offset, dice)),
  'begin of the table': (pdf, dice) => changed(pdf, /(?<=startxref\n)\d+/g, dice, (offset) => shifted(offset, dice)),
  'object without its number': (pdf, dice) => changed(pdf, /\n\d+ 0 obj/g, dice, (head) => head.replace(/\d/, 'x')),
  'object of another number': (pdf, dice) => changed(pdf, /\n\d+ 0 obj/g, dice, () => `\n${900 + dice(99)} 0 obj`),
  'object gone': (pdf, dice) => changed(pdf, /\n\d+ 0 obj[^]*?endobj/g, dice, (body) => ' '.repeat(body.length)),
  'object cut out': (pdf, dice) => changed(pdf, /\n\d+ 0 obj[^]*?endobj/g, dice, () => ''),
  length: (pdf, dice) => changed(pdf, /(?<=\/Length )\d+/g, dice, (length) => `${dice(2 * Number(length) + 3)}`),
  'stream cut short': (pdf, dice) =>
    changed(pdf, /(?<=stream\n)[^]+?(?=\nendstream)/g, dice, (data) => data.slice(0, dice(data.length))),
  'byte of a stream': (pdf, dice) =>
    changed(pdf, /(?<=stream\n)[^]+?(?=\nendstream)/g, dice, (data) => flip(data, dice, 1)),
  'byte between the streams': (pdf, dice) =>
    changed(pdf, /\n\d+ 0 obj[^]*?(?=stream|endobj)/g, dice, (head) => flip(head, dice, 1)),
  'ends of lines': (pdf) => pdf.replaceAll('\n', '\r\n'),
  'something put in': (pdf, dice) => insert(pdf, dice(pdf.length), 'x'.repeat(1 + dice(60))),
  'something put before': (pdf, dice) => `${'junk '.repeat(1 + dice(40))}\n${pdf}`,
  'endobj gone': (pdf, dice) => changed(pdf, /endobj/g, dice, () => ''),
  'trailer gone': (pdf) => pdf.replace(/trailer\n<<[^]*?>>\n/, '').replace('/Root 1 0 R', ''),
  'name of an entry': (pdf, dice) =>
    changed(pdf, /\/(Contents|Kids|Font|Resources|Length|Filter|Type|F1|Root|Pages)\b/g, dice, (name) =>
      flip(name, dice, 1),
    ),
}

const insert = (text: string, at: number, more: string) => text.slice(0, at) + more + text.slice(at)
const shifted = (offset: string, dice: Dice) => String(Number(offset) + 1 + dice(60)).padStart(offset.length, '0')

function flip(text: string, dice: Dice, times: number): string {
  const bytes = Buffer.from(text, 'latin1')
  for (let time = 0; time < times; time++) bytes[dice(bytes.length)]! ^= 1 << dice(8)
  return bytes.toString('latin1')
}

/** One or all of the places that fit are changed. */
function changed(pdf: string, what: RegExp, dice: Dice, change: (found: string) => string): string {
  const places = [...pdf.matchAll(what)].length
  const [only, isAll] = [dice(Math.max(1, places)), dice(6) === 0]
  let at = 0
  return pdf.replace(what, (found) => (at++ === only || isAll ? change(found) : found))
}

interface Outcome {
  /** Why it was refused. */
  refused?: string
  /** Of each page: whether it has a note, and words that others see and it does not show. */
  pages: { isNoted: boolean; lost: string[] }[]
}

/** What becomes of a file, beside what the judges draw of it. */
async function judge(pdf: Buffer, folder: string, byMutool: boolean): Promise<Outcome> {
  let opened
  try {
    opened = await openPdf(pdf, 'letter', defaultLimits, 'split')
    await opened.check?.()
    const pages: Outcome['pages'] = []
    const count = Math.max(opened.sizes.length, pagesByPoppler(pdf, folder))
    for (let index = 0; index < count; index++) {
      const page = index < opened.sizes.length ? await opened.render(index, 'fine', 'auto') : undefined
      const notes = [
        ...(opened.notes ?? []).filter((note) => note.page === index + 1 || note.kind === 'repaired'),
        ...((page && opened.notesOn?.(index)) ?? []),
      ]
      const isNoted = notes.length > 0 || (page?.isBlank ?? false) || (page?.lost ?? []).length > 0
      const expected = attempt(() => visibleWords(pdf, folder, index + 1)) ?? []
      const lost = page ? lostWords(page, expected, 'fine') : expected.map(({ text }) => text)
      const own = new Set(page && opened.words?.(index)?.words.map(({ text }) => text))
      const others = byMutool && page ? wordsByMutool(pdf, folder, index + 1) : []
      pages.push({
        isNoted,
        lost: [
          ...lost,
          ...others.filter((word) => !own.has(word) && !expected.some(({ text }) => text.includes(word))),
        ],
      })
    }
    return { pages }
  } catch (problem) {
    if (!(problem instanceof DocumentProblem)) throw problem
    expect(problem.sentence).toMatch(/^[A-Z].*\.$/)
    return { refused: problem.sentence, pages: [] }
  } finally {
    opened?.close?.()
  }
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

function pagesByPoppler(pdf: Buffer, folder: string): number {
  const path = join(folder, 'count.pdf')
  writeFileSync(path, pdf)
  return Number(/^Pages:\s+(\d+)/m.exec(attempt(() => runJudge('pdfinfo', path)) ?? '')?.[1] ?? 0)
}

function wordsByMutool(pdf: Buffer, folder: string, page: number): string[] {
  const path = join(folder, 'mutool.pdf')
  writeFileSync(path, pdf)
  const { stdout } = spawnSync('mutool', ['draw', '-q', '-F', 'txt', path, `${page}`], { encoding: 'utf8' })
  return stdout.match(/[a-z]{2,}/g) ?? []
}

describe('damaged PDFs', () => {
  it('send no page without the words that others draw, unless it is refused or noted', async (context) => {
    for (const name of ['pdftotext', 'pdftoppm', 'pdfinfo'] as const) requireJudge(context, name)
    const byMutool = isLong && spawnSync('mutool', ['-v']).error === undefined
    const folder = testFolder()
    const [kinds, ways] = [Object.entries(await samples()), Object.entries(damages)]
    const found: Record<string, number> = { refused: 0, noted: 0, whole: 0 }
    const violations: unknown[] = []
    for (let number = 0; number < files; number++) {
      const random = seeded(7919 * (number + 1))
      random()
      const dice: Dice = (sides) => Math.floor(random() * sides)
      const [kind, whole] = kinds[(7 * number + Math.floor(number / ways.length)) % kinds.length]!
      const [way, damage] = ways[number % ways.length]!
      const pdf = Buffer.from(damage(whole.toString('latin1'), dice), 'latin1')
      const { refused, pages } = await judge(pdf, folder, byMutool)
      found[refused ? 'refused' : pages.some(({ isNoted }) => isNoted) ? 'noted' : 'whole']!++
      for (const [index, { isNoted, lost }] of pages.entries()) {
        if (lost.length > 0 && !isNoted)
          violations.push([number, kind, way, `page ${index + 1}`, lost.length, lost.slice(0, 3).join(' ')])
      }
    }
    expect(violations).toEqual([])
    // What is refused says nothing of what was repaired.
    expect(found['refused']).toBeLessThan(files / 2)
    expect(found['noted']).toBeGreaterThan(files / 4)
  })
})
