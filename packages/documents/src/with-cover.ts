import type { Cover } from './cover-templates.ts'
import type { FaxPages } from './fax-pages.ts'
import type { Limits } from './limits.ts'
import type { Paper } from './paper.ts'

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
    render: (index, resolution, tones) =>
      index < before ? front.render(index, resolution, 'text') : pages.render(index - before, resolution, tones),
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
    const [{ coverToPdf }, { openPdf }] = await Promise.all([import('./cover.ts'), import('./pdf-pages.ts')])
    return await openPdf(coverToPdf(cover, document.sizes.length, paper), paper, limits, true)
  } catch (problem) {
    document.close?.()
    throw problem
  }
}
