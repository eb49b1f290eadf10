import type { Message } from './message.ts'

/** Mails, by the program that saved them. */
export type MailKind = 'eml' | 'msg'

/** A mail, whichever program saved it. Throws what reading it throws. */
export async function readMail(kind: MailKind, bytes: Uint8Array): Promise<Message> {
  if (kind === 'eml') return (await import('./read-eml.ts')).readEml(bytes)
  return (await import('./read-msg.ts')).readMsg(bytes)
}
