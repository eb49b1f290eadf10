import { stack } from './cover-blocks.ts'
import { type Cover, coverTemplates } from './cover-templates.ts'
import { type Paper, paperPoints } from '../raster/paper.ts'
import { DocumentProblem } from '../base/problem.ts'
import { namesOf } from '../text/layout.ts'
import { missingShapes, Typesetter } from '../text/typeset.ts'

/** A cover is one page, always: what is longer is refused. */
const coverPages = 1

const papers: readonly Paper[] = ['letter', 'a4']
/** The header line has its place above it. */
const margin = 58

/**
 * The pages that a cover takes: one.
 * @throws {DocumentProblem} `bad_cover` when it has characters without a shape, or does not fit on every paper
 */
export function measureCover(cover: Cover): { pages: number } {
  for (const paper of papers) coverToPdf(cover, 1, paper)
  return { pages: coverPages }
}

function checkShapes(cover: Cover): void {
  const missing = missingShapes(Object.values(cover).join(''))
  if (missing.length === 0) return
  throw new DocumentProblem('bad_cover', `The cover page has ${namesOf(new Set(missing), 'write them another way')}`)
}

/**
 * Sets the cover page of a document of `pages` pages.
 * @throws {DocumentProblem} `bad_cover` when it has characters without a shape, or does not fit on this paper
 */
export function coverToPdf(cover: Cover, pages: number, paper: Paper): Uint8Array {
  checkShapes(cover)
  const { width, height } = paperPoints[paper]
  const parts = coverTemplates[cover.template](cover, pages + coverPages, width - 2 * margin)
  const [body, foot] = [stack(parts.body), stack(parts.foot)]
  const left = height - 2 * margin - body.height - foot.height
  if (left < 0) throw tooLong(cover)
  const typesetter = new Typesetter()
  body.draw(typesetter, margin, height - margin)
  foot.draw(typesetter, margin, margin + foot.height)
  typesetter.endPage(width, height)
  return typesetter.finish()
}

function tooLong({ note }: Cover): DocumentProblem {
  const what = note === null ? 'The text' : 'The note'
  return new DocumentProblem(
    'bad_cover',
    `${what} is too long for one cover page. Shorten it, or put it into the document.`,
  )
}
