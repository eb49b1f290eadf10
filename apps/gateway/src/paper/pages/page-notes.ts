import type { PageNote } from '@faxdeck/contract'
import type { PreparedPages } from '@faxdeck/documents'
import type { InboundFaxRow } from '../../base/db/tables/inbound.ts'
import type { FaxJobRow } from '../../base/db/tables/tables.ts'

/** What the check of drawn pages found. */
export type FoundNote = PreparedPages['notes'][number]

/** Pages that lose writing, where the sender did not say that they are to be sent. */
export class UnreadablePages extends Error {
  readonly notes: readonly FoundNote[]

  constructor(notes: readonly FoundNote[]) {
    super(`${sentencesOf(notes).join(' ')} The fax was not sent. Change the document, or allow it to be sent as it is.`)
    this.notes = notes
  }
}

const maxSentences = 3

/** The first of many notes, and how many more there are. */
export function sentencesOf(notes: readonly FoundNote[]): string[] {
  const said = notes.slice(0, maxSentences).map(({ text }) => text)
  const more = notes.length - said.length
  if (more > 0) said.push(`There ${more === 1 ? 'is 1 more note' : `are ${more} more notes`}.`)
  return said
}

/** As the API shows what was found. */
export function wireNotes(notes: readonly FoundNote[]): PageNote[] {
  return notes.map(({ page, kind, text, places = [] }) => ({ page, kind, sentence: text, places }))
}

/** As a job keeps it. */
export function storedNotes(notes: readonly FoundNote[] | undefined): string | null {
  return notes && notes.length > 0 ? JSON.stringify(wireNotes(notes)) : null
}

/** What is known of the pages of a job. */
export function presentNotes({ page_notes: notes }: Pick<FaxJobRow, 'page_notes'>): PageNote[] {
  return notes === null ? [] : (JSON.parse(notes) as PageNote[])
}

/** The document whose pages are shown and read: as it came, unless its pages were tidied. */
export function shownKey(fax: Pick<InboundFaxRow, 'original_key' | 'pdf_key' | 'page_notes'>): string | null {
  const isTidied = presentNotes(fax).some(({ kind }) => kind === 'tidied')
  return isTidied ? fax.pdf_key : (fax.original_key ?? fax.pdf_key)
}
