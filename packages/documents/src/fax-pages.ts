import type { Tones } from './bilevel.ts'
import type { Bitmap } from './bitmap.ts'
import type { Resolution, Size } from './paper.ts'

/** An open document whose pages can be rendered as fax pages. */
export interface FaxPages {
  /** Sizes of all pages in points. */
  readonly sizes: readonly Size[]
  /** Reads all there is to read, where opening did not; throws `broken`. */
  check?(): Promise<void>
  /** A page, counted from 0, as the bilevel page that a fax machine prints. */
  render(index: number, resolution: Resolution, tones: Tones): Promise<Bitmap>
  close?(): void
  /** Whether what it was opened with has crashed since, so that it must be opened anew. */
  stale?(): boolean
}
