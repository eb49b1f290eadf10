import type { Limits } from '../base/limits.ts'
import { withPdfs } from '../pdf/join-pdf.ts'
import type { Paper } from '../raster/paper.ts'
import type { Cover } from './cover-templates.ts'
import { coverToPdf } from './cover.ts'

/**
 * A PDF with a cover page before it: its own pages, forms and annotations stay as they are. Throws what opening a PDF
 * throws, `bad_cover`, and `broken` when it cannot be written.
 */
export async function putCoverBefore(pdf: Uint8Array, cover: Cover, paper: Paper, limits: Limits): Promise<Uint8Array> {
  return withPdfs(limits, (open) =>
    open(pdf, (document) => {
      open(coverToPdf(cover, document.pages, paper), (front) => document.editor.putBefore(front.editor))
      return document.editor.saved()
    }),
  )
}
