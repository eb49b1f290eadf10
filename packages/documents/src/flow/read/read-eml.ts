import PostalMime from 'postal-mime'
import type { Address, Attachment as Part } from 'postal-mime'
import { DocumentProblem } from '../../base/problem.ts'
import { type Message, splitPictures } from './message.ts'
import { isUtf16 } from '../../kinds/text-kind.ts'
import { damaged } from '../../base/zip.ts'

const mailbox = (address: Address): string =>
  address.group
    ? `${address.name}: ${address.group.map(mailbox).join(', ')}`
    : [address.name, address.name === '' ? address.address : `<${address.address}>`].join(' ').trim()

const list = (addresses: readonly Address[] = []) => addresses.map(mailbox).join(', ')
const bytesOf = ({ content }: Part) => (typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content))
const idOf = ({ contentId = '' }: Part) => contentId.replace(/^<|>$/g, '')

/** The line before each mail of a mailbox (RFC 4155), and the head of the next. */
const nextMail = /\r?\n\r?\nFrom \S+[^\r\n]*\d{4}[^\r\n]*\r?\n[!-9;-~]+:/

/** A mailbox of several mails would be read as its first. */
function checkSingle(bytes: Uint8Array): void {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  if (!text.startsWith('From ') || !nextMail.test(text)) return
  throw new DocumentProblem(
    'unsupported',
    'This file holds several emails. Save each as a file of its own and send those.',
  )
}

/** The head of a mail or of a part of it. */
const head = /(?<=^|\n)(?:[!-9;-~]+:[^\n]*\n(?:[ \t][^\n]*\n)*)+(?=\r?\n)/g

/** A mail that was saved as UTF-16 in UTF-8: so are then its texts that are not coded otherwise. */
function inUtf8(bytes: Uint8Array): Uint8Array {
  if (!isUtf16(bytes)) return bytes
  const text = new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(bytes)
  const isCoded = /^content-transfer-encoding:\s*(base64|quoted-printable)/im
  return Buffer.from(
    text.replace(head, (found) =>
      isCoded.test(found) ? found : found.replace(/(charset=)("?)[\w.:-]+\2/i, '$1utf-8'),
    ),
  )
}

/**
 * A mail as programs save it (RFC 5322, MIME).
 * @throws {DocumentProblem} `broken`, and `unsupported` for several
 */
export async function readEml(saved: Uint8Array): Promise<Message> {
  const bytes = inUtf8(saved)
  checkSingle(bytes)
  const mail = await PostalMime.parse(bytes, { attachmentEncoding: 'arraybuffer', maxNestingDepth: 50 }).catch(() => {
    throw damaged()
  })
  const { from, to, cc, date = '', subject = '', html, text = '', attachments } = mail
  const parts = attachments.map((part) => ({ id: idOf(part), name: part.filename ?? '', bytes: bytesOf(part) }))
  return {
    ...{ from: from ? mailbox(from) : '', to: list(to), cc: list(cc), date, subject, html, text },
    ...splitPictures(html, parts),
  }
}
