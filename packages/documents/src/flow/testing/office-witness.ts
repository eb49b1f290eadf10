import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, extname, join } from 'node:path'
import { createDocuments } from '../../documents.ts'
import { letterAsOdt } from './letter-as-odt.ts'
import { letterAsRtf } from './letter-as-rtf.ts'
import { letterAsWord } from './letter-as-word.ts'
import { type Letter, letterOf } from './office-letters.ts'

/** A document of the corpus; what is to be seen of it is known where it was made here. */
export interface Witnessed {
  path: string
  kind: string
  letter?: Letter
}

/** What the pages of a document say beside LibreOffice's, or beside what its letter says. */
export interface Verdict {
  path: string
  kind: string
  words: number
  /** Of these, in the same order here. */
  inOrder: number
  /** Sentences about numbers, marks, and what is missing or must not be seen. */
  faults: string[]
}

const writers = {
  docx: [letterAsWord],
  odt: [letterAsOdt],
  rtf: (['word', 'table', 'old'] as const).map((habit) => (letter: Letter) => letterAsRtf(letter, habit)),
}

/** Letters with the bytes of a kind of document, each number another. */
export function letters(kind: keyof typeof writers, count: number): { letter: Letter; bytes: Uint8Array }[] {
  return Array.from({ length: count }, (_, n) => {
    const letter = letterOf(n + 1)
    return { letter, bytes: writers[kind][n % writers[kind].length]!(letter) }
  })
}

/** The length of the longest common subsequence of two lists of words. */
export function commonInOrder(one: readonly string[], other: readonly string[]): number {
  let row = new Uint32Array(other.length + 1)
  for (const word of one) {
    const next = new Uint32Array(other.length + 1)
    for (let at = 0; at < other.length; at++) {
      next[at + 1] = other[at] === word ? row[at]! + 1 : Math.max(row[at + 1]!, next[at]!)
    }
    row = next
  }
  return row[other.length]!
}

/** Words as they are compared: signs that are raised, joined or set apart are the same. */
const normal = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/[\u00ad\u200b]/g, '')
    .replace(/\s+/g, ' ')
const wordsIn = (text: string) => normal(text).match(/\p{L}{3,}|α/gu) ?? []

/** What is wrong in a text of pages, by what its letter says. */
export function faultsIn(text: string, letter: Letter): string[] {
  const shown = normal(text)
  const plain = wordsIn(text).join(' ')
  const { numbers, marks, apart, unseen, footer, firstHeader } = letter
  const footers = shown.match(new RegExp(`${footer} \\d+ of \\d+`, 'g')) ?? []
  return [
    ...numbers
      .filter(([number, word]) => !shown.includes(`${number} ${word}`) && !shown.includes(number + word))
      .map(([number, word]) => `number ${number} ${word}`),
    ...marks
      .filter(
        ([before, mark, first]) => !new RegExp(`${before} ?${mark}(?!\\d)[^]*(?<![^ ])${mark} ?${first}`).test(shown),
      )
      .map(([before, mark, first]) => `mark ${before} ${mark} ${first}`),
    ...apart.filter((words) => !plain.includes(wordsIn(words).join(' '))).map((words) => `absent: ${words}`),
    ...unseen.filter((word) => shown.includes(` ${word} `)).map((word) => `to be unseen: ${word}`),
    ...(footer === '' || firstHeader !== '' || footers.length > 0 ? [] : [`footer ${footer}`]),
  ]
}

/** What is missing of the running text, and how much of it comes in order. */
export function judge(text: string, letter: Letter): { words: number; inOrder: number; faults: string[] } {
  const own = new Set(letter.body)
  // Marks of notes stand at the end of words.
  const marked = (word: string) =>
    [0, 1, 2, 3, 4].map((mark) => word.slice(0, word.length - mark)).find((each) => own.has(each))
  const shown = wordsIn(text).flatMap((word) => marked(word) ?? [])
  const inOrder = commonInOrder(letter.body, shown)
  return { words: letter.body.length, inOrder, faults: faultsIn(text, letter) }
}

/** Lines that begin with a number of a list, with the word behind it. */
function numbersIn(layout: string): string[] {
  const line = /^\s*(?:[•·▪–-]\s+)?(\(?(?:\d+|[ivxlcdm]+|[A-Za-z])(?:\.(?:\d+|[ivxlcdm]+|[A-Za-z]))*[.)]+)\s+(\S+)/gim
  return [...layout.matchAll(line)].map(([, number, word]) => normal(`${number} ${word}`))
}

/** Text without lines that several pages have at the same edge. */
function withoutEdges(text: string): string {
  const pages = text
    .split('\f')
    .filter((page) => page.trim() !== '')
    .map((page) => page.trim().split('\n'))
  const key = (line: string) => line.replace(/\d+/g, '0').replace(/\s+/g, ' ').trim()
  const edges = pages.flatMap((lines) => [...new Set([...lines.slice(0, 4), ...lines.slice(-4)].map(key))])
  const repeated = new Set(edges.filter((line, at) => edges.indexOf(line) !== at))
  return pages.map((lines) => lines.filter((line) => !repeated.has(key(line))).join('\n')).join('\n')
}

const textOf = (pdf: string, ...options: string[]) =>
  execFileSync('pdftotext', [...options, pdf, '-'], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  })

/** Converts files by LibreOffice, many in one run. */
export function convertAll(paths: readonly string[], to: string, folder: string): void {
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`
  for (let at = 0; at < paths.length; at += 50) {
    const some = [
      '--headless',
      '--norestore',
      profile,
      '--convert-to',
      to,
      '--outdir',
      folder,
      ...paths.slice(at, at + 50),
    ]
    execFileSync('soffice', some, { stdio: 'ignore', timeout: 600_000 })
  }
}

/** 200 documents: letters as Word, OpenDocument and rich text, and what LibreOffice makes of some of them. */
export function writeCorpus(folder: string): Witnessed[] {
  const made = (['docx', 'odt', 'rtf'] as const).flatMap((kind) =>
    letters(kind, kind === 'rtf' ? 60 : 50).map(({ letter, bytes }, n): Witnessed => {
      const path = join(folder, `${kind}-${n + 1}.${kind}`)
      writeFileSync(path, bytes)
      return { path, kind, letter }
    }),
  )
  const resaved = [
    ['docx', 'rtf'],
    ['odt', 'rtf'],
    ['odt', 'docx'],
    ['rtf', 'odt'],
  ].flatMap(([from, to = '']) => {
    const some = made.filter(({ kind, path }) => kind === from && !path.includes('rtf-3')).slice(-10)
    const out = join(folder, `${from}-as-${to}`)
    mkdirSync(out)
    convertAll(
      some.map(({ path }) => path),
      to,
      out,
    )
    rmSync(join(out, 'profile'), { recursive: true })
    return some.map(({ path, letter }): Witnessed => {
      return {
        path: join(out, basename(path).replace(/\w+$/, to)),
        kind: `${from} as ${to} by LibreOffice`,
        letter: letter!,
      }
    })
  })
  return [...made, ...resaved]
}

/** Lays documents out here and by LibreOffice, and compares what poppler reads on both. */
export async function compareAll(
  documents: readonly Witnessed[],
  folder: string,
): Promise<{ ours: Verdict[]; theirs: Verdict[] }> {
  const reader = createDocuments({ threads: 2, paper: 'letter' })
  const ours: Verdict[] = []
  const theirs: Verdict[] = []
  const groups = Map.groupBy(documents, ({ path }) => `${extname(path)} ${path.slice(0, path.lastIndexOf('/'))}`)
  let n = 0
  for (const group of groups.values()) {
    const out = join(folder, `pdf-${n++}`)
    mkdirSync(out)
    convertAll(
      group.map(({ path }) => path),
      'pdf',
      out,
    )
    for (const { path, kind, letter } of group) {
      const name = basename(path).replace(/\.\w+$/, '')
      const made = join(out, `${name}-ours.pdf`)
      const error = await reader.toPdf(readFileSync(path), { paper: 'letter' }).then(
        (pdf) => writeFileSync(made, pdf),
        (problem: unknown) => String(problem),
      )
      if (typeof error === 'string') {
        ours.push({ path, kind, words: 1, inOrder: 0, faults: [error] })
        continue
      }
      const there = letter && { path, kind, ...judge(textOf(join(out, `${name}.pdf`), '-raw'), letter) }
      const here = { path, kind, ...verdict(made, join(out, `${name}.pdf`), letter) }
      // What LibreOffice lost when it saved a letter, it does not show either.
      const lost = kind.includes(' as ') ? (there?.faults ?? []) : []
      ours.push({ ...here, faults: here.faults.filter((fault) => !lost.includes(fault)) })
      if (there) theirs.push(there)
    }
  }
  await reader.close()
  return { ours, theirs }
}

function verdict(made: string, theirs: string, letter: Letter | undefined): Omit<Verdict, 'path' | 'kind'> {
  if (letter) return judge(textOf(made, '-raw'), letter)
  const [here, there] = [made, theirs].map((pdf) => wordsIn(withoutEdges(textOf(pdf, '-raw'))))
  const [own, numbers] = [made, theirs].map((pdf) => numbersIn(textOf(pdf, '-layout')))
  const faults = numbers!.filter((number) => !own!.includes(number)).map((number) => `number ${number}`)
  const all = new Set(here)
  const absent = there!.filter((word) => !all.has(word)).map((word) => `absent: ${word}`)
  return { words: there!.length, inOrder: commonInOrder(there!, here!), faults: [...faults, ...absent] }
}

/** Verdicts by kind, as lines to read. */
export function report(verdicts: readonly Verdict[]): string {
  const kinds = Map.groupBy(verdicts, ({ kind }) => kind)
  const lines = [...kinds].map(([kind, all]) => {
    const [words, inOrder] = [sum(all.map((each) => each.words)), sum(all.map((each) => each.inOrder))]
    const faults = all.flatMap((each) => each.faults)
    const of = (name: string) => faults.filter((fault) => fault.startsWith(name)).length
    return `${kind}: ${all.length} documents, ${words} words, in order ${((100 * inOrder) / Math.max(1, words)).toFixed(2)} %, faults: numbers ${of('number')}, marks ${of('mark')}, absent ${of('absent')}, unseen ${of('to be')}, footers ${of('footer')}, all ${faults.length}`
  })
  return lines.join('\n')
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)

const say = (...lines: unknown[]) => process.stdout.write(`${lines.join(' ')}\n`)

/** By hand: `node office-witness.ts [folder of documents] [-v]`. */
if (process.argv[1] === import.meta.filename) {
  const [given, isLoud] = [process.argv[2], process.argv.includes('-v')]
  const folder = mkdtempSync(join(tmpdir(), 'faxdeck-witness-'))
  const own = given === undefined || given.startsWith('-')
  const documents = own
    ? writeCorpus(folder)
    : readdirSync(given)
        .filter((name) => /\.(docx|odt|rtf)$/.test(name))
        .map((name): Witnessed => ({ path: join(given, name), kind: extname(name).slice(1) }))
  const { ours, theirs } = await compareAll(documents, folder)
  if (theirs.length > 0) say(`LibreOffice\n${report(theirs)}`)
  say(`Faxdeck\n${report(ours)}`)
  for (const { path, words, inOrder, faults } of isLoud ? [...theirs, ...ours] : []) {
    if (inOrder < words || faults.length > 0) say(path, `${inOrder}/${words}`, faults.slice(0, 12).join('; '))
  }
  say(folder)
}
