import type { PageMarks } from '../raster/page-text.ts'
import type { Paper } from '../raster/paper.ts'
import type { Source } from '../base/source.ts'
import type { TaskInput, TaskName, TaskOf, TaskResult } from './worker.ts'
import type { SeparatorSheet } from '../separators/separator-sheet.ts'

/** What splitting a pile of paper at its separator sheets takes, and what puts PDFs together again. */
export interface Splitting {
  /** A separator sheet as a PDF. Throws `unsupported` for a reference that no font can set. */
  separatorSheet(sheet: SeparatorSheet, options: { paper: Paper }): Promise<Uint8Array>
  /** The QR codes on each page of a PDF, whose pages are counted as the document has them. */
  marks(pdf: Source, options: { paper: Paper }): Promise<PageMarks[]>
  /** Pages of a PDF, counted from 0, `to` not included, as a PDF that holds nothing of the others. */
  takePages(pdf: Source, pages: { from: number; to: number }): Promise<Uint8Array>
  /** All pages of several PDFs, in order, as one. They are in memory together: the caller bounds them. */
  joinPdfs(pdfs: readonly Source[]): Promise<Uint8Array>
}

interface Parts {
  run: <Name extends TaskName>(name: Name, task: TaskOf<Name>, urgent: boolean) => Promise<TaskResult<Name>>
  input: (source: Source, paper: Paper) => Promise<TaskInput>
  fonts: string | undefined
}

export function createSplitting({ run, input, fonts }: Parts): Splitting {
  return {
    separatorSheet: (sheet, { paper }) => run('sheet', { sheet, paper, fonts }, true),
    async marks(pdf, { paper }) {
      const task = await input(pdf, paper)
      const read: PageMarks[] = []
      for (let total = 1; read.length < total;) {
        const turn = await run('marks', { ...task, from: read.length }, true)
        if (turn.pages.length === 0) break
        read.push(...turn.pages)
        total = turn.total
      }
      return read
    },
    async takePages(pdf, { from, to }) {
      const { source, limits } = await input(pdf, 'letter')
      return run('take', { source, limits, fonts, from, to }, true)
    },
    async joinPdfs(pdfs) {
      const inputs = await Promise.all(pdfs.map((pdf) => input(pdf, 'letter')))
      const [first] = inputs
      if (!first) throw new Error('There is nothing to join.')
      const sources = inputs.map(({ source }) => source)
      return run('join', { sources, limits: first.limits, fonts }, true)
    },
  }
}
