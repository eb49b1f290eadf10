import { isPicture } from '../../kinds/kind.ts'
import { calledPictures } from './read-html.ts'

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

/** Divides what came with a mail into the pictures that its text shows and what follows it, such as a PDF, so that nothing is neither. */
export function splitPictures(
  html: string | undefined,
  parts: readonly (Attachment & { id: string })[],
): Pick<Message, 'pictures' | 'attachments'> {
  const called = calledPictures(html)
  const isInText = ({ id, bytes }: (typeof parts)[number]) => called.has(id) && isPicture(bytes)
  return {
    pictures: new Map(parts.filter(isInText).map(({ id, bytes }) => [id, bytes])),
    attachments: parts
      .filter((part) => !isInText(part))
      .map(({ name, bytes }, n) => ({ name: name || `Attachment ${n + 1}`, bytes })),
  }
}
