import { hash } from 'node:crypto'
import { detectKind } from '../../kinds/kind.ts'
import { officeFormatOf } from '../../kinds/office-format.ts'
import { DocumentProblem } from '../../base/problem.ts'
import type { Message } from './message.ts'
import { type MailKind, readMail } from './read-mail.ts'

/** Mails within mails within mails; deeper ones are named and left out. */
export const maxNesting = 3

/** Each takes LibreOffice seconds; further ones are laid out the built-in way, or named and left out. */
const maxOfficeAttachments = 10

/** PDFs that stand for attachments, by the hash of these. */
export type LaidOut = Readonly<Record<string, Uint8Array>>

export const nameOfBytes = (bytes: Uint8Array): string => hash('sha256', bytes)

/** What is no office document, or none that may be opened, is named when the mail is laid out. */
function isOffice(bytes: Uint8Array): boolean {
  try {
    return officeFormatOf(bytes) !== undefined
  } catch (error) {
    if (error instanceof DocumentProblem) return false
    throw error
  }
}

const mailKindOf = (bytes: Uint8Array): MailKind | undefined => {
  const kind = detectKind(bytes)
  return kind === 'eml' || kind === 'msg' ? kind : undefined
}

async function readInner(kind: MailKind, bytes: Uint8Array): Promise<Message['attachments']> {
  try {
    return (await readMail(kind, bytes)).attachments
  } catch (error) {
    if (error instanceof DocumentProblem) return []
    throw error
  }
}

/** The office documents attached to a mail, and to mails attached to it: each content once. */
export async function findOfficeAttachments(kind: MailKind, bytes: Uint8Array): Promise<Uint8Array[]> {
  const found = new Map<string, Uint8Array>()
  const look = async (mail: Uint8Array, mailKind: MailKind, depth: number): Promise<void> => {
    for (const { bytes: file } of await readInner(mailKind, mail)) {
      if (found.size >= maxOfficeAttachments) return
      const inner = mailKindOf(file)
      if (isOffice(file)) found.set(nameOfBytes(file), file)
      else if (inner && depth < maxNesting) await look(file, inner, depth + 1)
    }
  }
  await look(bytes, kind, 0)
  return [...found.values()]
}
