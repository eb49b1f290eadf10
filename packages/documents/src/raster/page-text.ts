/** A word and where it stands, in shares of the width and height of the fax page. */
export interface PageWord {
  text: string
  left: number
  top: number
  width: number
  height: number
}

/** What can be read on a fax page, in the order of reading. */
export interface PageText {
  words: PageWord[]
  /** Whether the document said it, or it was recognized in the picture of the page; `both` when parts of each. */
  source: 'document' | 'recognized' | 'both'
}

/** A barcode or a matrix code on a page. */
export interface PageCode {
  /** As ZXing names it: `QRCode`, `Code128`, `DataMatrix`, `EAN13`, and so on. */
  format: string
  text: string
}

/** The QR codes on a page. */
export interface PageMarks {
  /** What those say that can be read, each content once. */
  texts: string[]
  /** There is a large one that cannot be read. */
  hasUnreadable: boolean
}

/** The words that a document itself has on a page. */
export interface OwnWords {
  words: PageWord[]
  /** Pictures take so much of the page that they may hold more writing. */
  hasPictures: boolean
}

/** Of words found twice, in the document and in the picture, those of the document are kept. */
export function mergeWords(own: readonly PageWord[], recognized: readonly PageWord[]): PageWord[] {
  const isNew = (word: PageWord) => {
    const x = word.left + word.width / 2
    const y = word.top + word.height / 2
    return !own.some(({ left, top, width, height }) => x >= left && x <= left + width && y >= top && y <= top + height)
  }
  return [...own, ...recognized.filter(isNew)]
}
