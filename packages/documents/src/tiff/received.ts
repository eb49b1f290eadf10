import { requireKind } from '../kinds/kind.ts'
import type { Limits } from '../base/limits.ts'
import { DocumentProblem } from '../base/problem.ts'
import { readSource, type Source } from '../base/source.ts'
import { copyTiffToPdf } from './pdf.ts'
import { readTiff } from './read.ts'
import { compression } from './tags.ts'

/** A received TIFF as a PDF: its pages copied where they can be, drawn by `draw` where not. */
export async function receivedToPdf(
  tiff: Source,
  limits: Limits,
  draw: (bytes: Uint8Array) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const bytes = await readSource(tiff, limits)
  if (requireKind(bytes) !== 'tiff') throw notTiff()
  const pages = readTiff(bytes, limits)
  // G3 pages may hold damaged rows, which only decoding finds.
  const canCopy = pages.every((page) => page.compression === compression.t6)
  return (canCopy ? copyTiffToPdf(bytes, pages) : undefined) ?? draw(bytes)
}

function notTiff(): DocumentProblem {
  return new DocumentProblem('unsupported', 'This file is not a TIFF file. Choose the file that the fax line stored.')
}
