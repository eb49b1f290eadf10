import type { Limits } from '../base/limits.ts'
import { withPdfs } from '../pdf/join-pdf.ts'

/**
 * Some pages of a PDF, counted from 0, `to` not included, as a PDF of its own: nothing of the other pages is in it.
 * Throws what opening a PDF throws, and `broken` when it cannot be written.
 */
export async function takePages(pdf: Uint8Array, from: number, to: number, limits: Limits): Promise<Uint8Array> {
  return withPdfs(limits, (open) => open(pdf, (document) => document.editor.copied(from, to)))
}
