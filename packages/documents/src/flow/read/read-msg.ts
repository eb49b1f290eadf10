import MsgReaderModule from '@kenjiuno/msgreader'
import type { FieldsData } from '@kenjiuno/msgreader'
import { DocumentProblem } from '../../problem.ts'
import type { Attachment, Message } from './message.ts'

// Its default export is an object with the class inside, as CommonJS modules are imported.
const { default: MsgReader } = MsgReaderModule

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
  if (html === undefined) return undefined
  return new TextDecoder(
    internetCodepage === 65_001 || internetCodepage === undefined ? 'utf-8' : `windows-${internetCodepage}`,
  ).decode(html)
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
 * @throws {DocumentProblem} `unsupported` for the old office documents that are stored the same way
 */
export function readMsg(bytes: Uint8Array): Message {
  const found = read(bytes)
  if (!found?.fields.subject && !found?.fields.body && !found?.fields.senderName) {
    throw new DocumentProblem('unsupported', 'This is an old office document. Save or print it as PDF and send that.')
  }
  const { fields, reader } = found
  const html = htmlOf(fields)
  const files = (fields.attachments ?? []).map((each, n): Attachment & { id: string } => {
    const { fileName, content } = reader.getAttachment(each)
    return { name: fileName || `Attachment ${n + 1}`, bytes: content, id: each.pidContentId ?? '' }
  })
  const isInText = ({ id }: { id: string }) => id !== '' && (html ?? '').includes(`cid:${id}`)
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
    pictures: new Map(files.filter(isInText).map(({ id, bytes: picture }) => [id, picture])),
    attachments: files.filter((file) => !isInText(file)),
  }
}
