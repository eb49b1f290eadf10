/** A file that came with a mail. */
export interface Attachment {
  name: string
  bytes: Uint8Array
}

/** A mail, whichever program saved it. */
export interface Message {
  from: string
  to: string
  cc: string
  date: string
  subject: string
  html: string | undefined
  text: string
  /** Pictures that stand in its text, by their Content-ID. */
  pictures: ReadonlyMap<string, Uint8Array>
  attachments: readonly Attachment[]
}
