/** What can be read on a page of a fax; page 0 holds its numbers and the name of its file. */
export interface PageTextRow {
  /** Higher for newer ones; search results are in this order. */
  id: number
  fax_id: string
  page: number
  source: 'facts' | 'document' | 'recognized' | 'both' | 'unreadable'
  /** Its words as they are compared, each once, between spaces; those of page 0 as well. */
  text: string
  /** Its words as they stand, see `packWords`; null of page 0. */
  layout: string | null
}

/** How far the reading of a fax has come, and what codes its first page has. Gone with its document. */
export interface PageReadingRow {
  fax_id: string
  /** `off`: reading was turned off when its turn came. */
  state: 'waiting' | 'read' | 'unreadable' | 'off'
  /** JSON of the barcodes and matrix codes. */
  codes: string
  updated_at: string
}
