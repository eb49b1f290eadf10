import MsgReaderModule from '@kenjiuno/msgreader'
import type { FieldsData } from '@kenjiuno/msgreader'
import { DocumentProblem } from '../../base/problem.ts'
import { decoderOf } from '../../text/code-pages.ts'
import { type Message, splitPictures } from './message.ts'

// Its default export is an object with the class inside, as CommonJS modules are imported.
const { default: MsgReader } = MsgReaderModule

const utf8 = 65_001

const nameOf = ({ name = '', smtpAddress, email }: FieldsData) => {
  const address = smtpAddress ?? email ?? ''
  return name === '' || name === address ? address : `${name} <${address}>`
}

const recipients = ({ recipients: all = [] }: FieldsData, kind: 'to' | 'cc') =>
  all
    .filter(({ recipType = 'to' }) => recipType === kind)
    .map(nameOf)
    .join(', ')

const htmlOf = ({ bodyHtml, html, internetCodepage }: FieldsData): string | undefined => {
  if (bodyHtml !== undefined) return bodyHtml
  return html && decoderOf(internetCodepage ?? utf8).decode(html)
}

function read(bytes: Uint8Array): { fields: FieldsData; reader: InstanceType<typeof MsgReader> } | undefined {
  try {
    const reader = new MsgReader(new Uint8Array(bytes).buffer)
    const fields = reader.getFileData()
    return fields.error === undefined && fields.dataType === 'msg' ? { fields, reader } : undefined
  } catch {
    return undefined
  }
}

/**
 * A mail as Outlook saves it (MS-OXMSG).
 * @throws {DocumentProblem} `unsupported` for the old office documents that are stored the same way, and for a mail whose
 * text is stored as RTF alone
 */
export function readMsg(bytes: Uint8Array): Message {
  const found = read(bytes)
  if (!found?.fields.subject && !found?.fields.body && !found?.fields.senderName) {
    throw new DocumentProblem('unsupported', 'This is an old office document. Save or print it as PDF and send that.')
  }
  const { fields, reader } = found
  const html = htmlOf(fields)
  if (html === undefined && !fields.body && fields.compressedRtf) {
    throw new DocumentProblem(
      'unsupported',
      'The text of this email cannot be read. Save the email as PDF and send that.',
    )
  }
  const files = (fields.attachments ?? []).map((each) => {
    const { fileName: name, content: bytes } = reader.getAttachment(each)
    return { name, bytes, id: each.pidContentId ?? '' }
  })
  return {
    from: nameOf({
      ...fields,
      name: fields.senderName ?? '',
      smtpAddress: fields.senderSmtpAddress ?? fields.senderEmail ?? '',
    }),
    to: recipients(fields, 'to'),
    cc: recipients(fields, 'cc'),
    date: fields.messageDeliveryTime ?? fields.clientSubmitTime ?? '',
    subject: fields.subject ?? '',
    html,
    text: fields.body ?? '',
    ...splitPictures(html, files),
  }
}
