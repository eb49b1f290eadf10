import type { FaxPages } from '../fax-pages.ts'
import type { Limits } from '../worker/limits.ts'
import type { Paper } from '../raster/paper.ts'
import { openOwnPdf } from '../pdf/pages.ts'
import { textToPdf } from './pdf.ts'

/** Opens a text. Throws what `decodeText` and `layoutText` throw. */
export async function openText(bytes: Uint8Array, paper: Paper, limits: Limits): Promise<FaxPages> {
  return openOwnPdf(textToPdf(bytes, paper, limits), paper, limits)
}
