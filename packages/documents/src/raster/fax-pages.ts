import type { Resolution, Size, Tones } from './paper.ts'
import type { FaxPage, PageNote, PlacedNote } from './page-notes.ts'
import type { OwnWords } from './page-text.ts'

/** An open document whose pages can be rendered as fax pages. */
export interface FaxPages {
  /** Sizes of all fax pages in points: those of the document, and of the parts of long ones. */
  readonly sizes: readonly Size[]
  /** What is to be said of pages before they are rendered, after `check`. */
  readonly notes?: readonly PlacedNote[]
  /** Reads all there is to read, where opening did not; throws `broken`. */
  check?(): Promise<void>
  /** A page, counted from 0, as the bilevel page that a fax machine prints. */
  render(index: number, resolution: Resolution, tones: Tones): Promise<FaxPage>
  /** What is to be said of a page that was rendered, counted from 0. */
  notesOn?(index: number): readonly PageNote[]
  /** Whether a page is a scan, which may be tidied; none is when left out. */
  isScan?(index: number): boolean
  /** Whether a page, counted from 0, has a picture that may be a separator sheet, or a code on one; none when left out. */
  mayBeSheet?(index: number): boolean
  /** The words that the document itself has on a page, counted from 0; absent where it is made of pictures. */
  words?(index: number): OwnWords | undefined
  close?(): void
  /** Whether what it was opened with has crashed since, so that it must be opened again. */
  stale?(): boolean
}
