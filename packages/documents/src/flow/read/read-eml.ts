import PostalMime from 'postal-mime'
import type { Address, Attachment as Part } from 'postal-mime'
import type { Message } from './message.ts'
import { damaged } from './zip.ts'

const mailbox = (address: Address): string =>
  address.group
    ? `${address.name}: ${address.group.map(mailbox).join(', ')}`
    : [address.name, address.name === '' ? address.address : `<${address.address}>`].join(' ').trim()

const list = (addresses: readonly Address[] = []) => addresses.map(mailbox).join(', ')
const bytesOf = ({ content }: Part) => (typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content))
const idOf = ({ contentId = '' }: Part) => contentId.replace(/^<|>$/g, '')

/**
 * A mail as programs save it (RFC 5322, MIME).
 * @throws {DocumentProblem} `broken`
 */
export async function readEml(bytes: Uint8Array): Promise<Message> {
  const mail = await PostalMime.parse(bytes, { attachmentEncoding: 'arraybuffer', maxNestingDepth: 50 }).catch(() => {
    throw damaged()
  })
  const { from, to, cc, date = '', subject = '', html, text = '', attachments } = mail
  const isInText = (part: Part) => idOf(part) !== '' && (html ?? '').includes(`cid:${idOf(part)}`)
  const pictures = new Map(attachments.filter(isInText).map((part) => [idOf(part), bytesOf(part)]))
  const others = attachments.filter((part) => !isInText(part))
  return {
    ...{ from: from ? mailbox(from) : '', to: list(to), cc: list(cc), date, subject, html, text, pictures },
    attachments: others.map((part, n) => ({ name: part.filename ?? `Attachment ${n + 1}`, bytes: bytesOf(part) })),
  }
}
