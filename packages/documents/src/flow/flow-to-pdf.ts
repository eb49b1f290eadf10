import { chooseFonts } from '../fonts/system-fonts.ts'
import { DocumentProblem } from '../base/problem.ts'
import type { Paper } from '../raster/paper.ts'
import type { Limits } from '../base/limits.ts'
import { type Block, textIn } from './flow.ts'
import { Layout, type WideTables } from './layout.ts'

/** Whether pages say how many there are: only documents with pages of their own do. */
function countsPages(blocks: readonly Block[]): boolean {
  if (blocks[0]?.kind !== 'section') return false
  const shown = JSON.stringify(blocks, (_, value: unknown) => (value instanceof Uint8Array ? undefined : value))
  return shown.includes('"field":"pages"')
}

/**
 * Lays blocks out on pages as a PDF with its fonts embedded. Pages on their side, and those of sections with a page of
 * their own, are not for `openOwnPdf`.
 * @throws {DocumentProblem} `empty` when there is nothing to see, `too_many_pages`, `too_large` for a picture
 */
export async function flowToPdf(
  blocks: readonly Block[],
  paper: Paper,
  limits: Limits,
  wideTables: WideTables = 'records',
): Promise<Uint8Array> {
  const text = blocks.map(textIn).join(' ')
  if (text.trim() === '' && !blocks.some(({ kind }) => kind === 'picture' || kind === 'drawing')) {
    throw new DocumentProblem('empty', 'The document is blank. Choose another file.')
  }
  chooseFonts(text)
  const layout = new Layout(paper, limits, wideTables, 1)
  const pdf = await layout.set(blocks)
  return countsPages(blocks) ? new Layout(paper, limits, wideTables, layout.pages).set(blocks) : pdf
}
