import type { Cover } from './cover-templates.ts'
import type { FaxPages } from '../raster/fax-pages.ts'
import type { Limits } from '../base/limits.ts'
import type { Paper } from '../raster/paper.ts'

/** The same pages behind a cover page, where there is one. */
export async function withCover(
  pages: FaxPages,
  cover: Cover | undefined,
  paper: Paper,
  limits: Limits,
): Promise<FaxPages> {
  if (!cover) return pages
  const front = await openCover(cover, pages, paper, limits)
  const before = front.sizes.length
  return {
    sizes: [...front.sizes, ...pages.sizes],
    notes: (pages.notes ?? []).map((note) => ({ ...note, page: note.page + before })),
    render: (index, resolution, tones) =>
      index < before ? front.render(index, resolution, 'text') : pages.render(index - before, resolution, tones),
    notesOn: (index) => (index < before ? front.notesOn?.(index) : pages.notesOn?.(index - before)) ?? [],
    words: (index) => (index < before ? front.words?.(index) : pages.words?.(index - before)),
    close() {
      front.close?.()
      pages.close?.()
    },
    stale: () => (front.stale?.() ?? false) || (pages.stale?.() ?? false),
  }
}

/** Lets go of the document when its cover cannot be set. */
async function openCover(cover: Cover, document: FaxPages, paper: Paper, limits: Limits): Promise<FaxPages> {
  try {
    const [{ coverToPdf }, { openOwnPdf }] = await Promise.all([import('./cover.ts'), import('../pdf/pages.ts')])
    return await openOwnPdf(coverToPdf(cover, document.sizes.length, paper), paper, limits)
  } catch (problem) {
    document.close?.()
    throw problem
  }
}
