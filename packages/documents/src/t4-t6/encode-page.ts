import type { Bitmap } from '../raster/bitmap.ts'
import type { Resolution } from '../raster/paper.ts'
import type { PageNote } from '../raster/page-notes.ts'
import { encodeT4, type T4Options } from './t4-encode.ts'
import { encodeT6 } from './t6-encode.ts'

/** How fax pages are coded: `MMR` is T.6 (G4); `MR` and `MH` are T.4 (G3), for machines and trunks that know no other. */
export type Coding = 'MMR' | 'MR' | 'MH'

/** Rows that are coded together in MR (T.4, 4.2.2, parameter K). */
const rowsTogether: Record<Resolution, number> = { standard: 2, fine: 4 }

/** A page as `encodeT6` or, with `t4` saying how, as `encodeT4` coded it. */
export interface EncodedPage {
  width: number
  height: number
  data: Uint8Array
  t4?: Pick<T4Options, 'coding' | 'aligned'>
  /** What is to be said of it; not a part of the file. */
  notes?: readonly PageNote[]
}

/** Codes a page for a TIFF file. */
export function encodePage(bitmap: Bitmap, coding: Coding, resolution: Resolution): EncodedPage {
  const { width, height } = bitmap
  if (coding === 'MMR') return { width, height, data: encodeT6(bitmap) }
  return { width, height, data: encodeT4(bitmap, { coding, k: rowsTogether[resolution] }), t4: { coding } }
}
