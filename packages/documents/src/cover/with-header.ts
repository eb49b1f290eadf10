import type { FaxPages } from '../raster/fax-pages.ts'
import type { HeaderLine } from './header-line.ts'
import type { Limits } from '../base/limits.ts'

/** The same pages with the header line on top, where there is one. The line's library is loaded when it is first needed. */
export async function withHeader(pages: FaxPages, header: HeaderLine | undefined, limits: Limits): Promise<FaxPages> {
  if (!header) return pages
  const { addHeader, openHeader } = await import('./header-line.ts')
  const strips = await openHeader(header, pages.sizes.length, limits)
  return {
    sizes: pages.sizes,
    notes: pages.notes ?? [],
    async render(index, resolution, tones) {
      const page = await pages.render(index, resolution, tones)
      return addHeader(page, strips.draw(index, resolution))
    },
    notesOn: (index) => pages.notesOn?.(index) ?? [],
    close() {
      strips.close()
      pages.close?.()
    },
    stale: () => strips.stale() || (pages.stale?.() ?? false),
  }
}
