// What a worker takes to measure a PDF when it is submitted, in milliseconds of CPU time.
// Run: node bench/documents/measuring.ts [another checkout to take turns with] (Node 24).
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { letterPdf, pdfOf, streamOf, textAt } from '../../packages/documents/src/testing/pdf-samples.ts'
import { textToPdf } from '../../packages/documents/src/text/pdf.ts'
import { roundsOr } from './spent.ts'

interface Answer {
  value?: unknown
}
type RunTask = (task: Record<string, unknown>) => Promise<Answer>

const limits = { bytes: 2 ** 26, pages: 500, pixels: 1e8, seconds: 60 }
const roots = [resolve(import.meta.dirname, '../..'), ...process.argv.slice(2)]
const lines = Array.from({ length: 40 }, (_, line) => `Line ${line + 1}: five wine glasses 0123456789`)
const logo = '/Type/XObject/Subtype/Image/Width 64/Height 64/ColorSpace/DeviceGray/BitsPerComponent 8'
const written = lines.map((line, at) => textAt(72, 720 - 16 * at, 11, line)).join('\n')
const files = {
  'a letter': letterPdf(),
  'a letter with its fonts': textToPdf(Buffer.from(lines.join('\n')), 'letter', limits),
  'a letter with a logo': pdfOf(
    [{ content: `q 60 0 0 60 72 700 cm /X Do Q ${written}` }],
    [streamOf('x'.repeat(4096), logo)],
  ),
  '78 pages of text': letterPdf(78),
  '78 pages with their fonts': textToPdf(Buffer.from(Array(78).fill(lines.join('\n')).join('\f')), 'letter', limits),
}

async function workerOf(root: string): Promise<RunTask> {
  const source = join(root, 'packages/documents/src')
  const file = ['worker/worker.ts', 'worker.ts'].map((name) => join(source, name)).find((path) => existsSync(path))
  if (!file) throw new Error(`There is no documents worker in ${root}.`)
  return ((await import(pathToFileURL(file).href)) as { runTask: RunTask }).runTask
}

const turns = roundsOr(8)
const timesOf = (bytes: Uint8Array) => (bytes.length > 30_000 ? 10 : 100)
const workers = await Promise.all(roots.map(workerOf))
for (const [name, bytes] of Object.entries(files)) {
  const source = { shared: new SharedArrayBuffer(bytes.length) }
  new Uint8Array(source.shared).set(bytes)
  const task = { name: 'inspect', source, paper: 'letter', longPages: 'split', limits, findsSheet: true }
  const spent = new Map<RunTask, number>()
  // Some clocks tick in milliseconds: so many at a time.
  for (let turn = -1; turn < turns; turn++) {
    for (const runTask of workers) {
      const before = process.cpuUsage()
      for (let time = 0; time < timesOf(bytes); time++) {
        if ((await runTask(task)).value === undefined) throw new Error(`${name} was refused.`)
      }
      const { user, system } = process.cpuUsage(before)
      if (turn >= 0) spent.set(runTask, (spent.get(runTask) ?? 0) + (user + system) / 1000)
    }
  }
  const each = workers.map((runTask) => ((spent.get(runTask) ?? 0) / turns / timesOf(bytes)).toFixed(2))
  console.log(`${name}: ${each.join(' beside ')} ms`)
}
