import type { Limits } from '../base/limits.ts'
import { type Paper, paperPoints } from '../raster/paper.ts'
import { decodeText } from './decode.ts'
import { layoutText } from './layout.ts'

/** Pages a text takes, by the layout that sets it. Throws what `decodeText` and `layoutText` throw. */
export function measureText(bytes: Uint8Array, paper: Paper, limits: Limits) {
  const pages = layoutText(decodeText(bytes), paper, limits).length
  return { kind: 'text' as const, pages, sizes: Array.from({ length: pages }, () => paperPoints[paper]), notes: [] }
}
