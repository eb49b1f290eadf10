import { burn } from '@kenjiuno/msgreader/lib/Burner.js'

/** Of an entry in a compound file (MS-CFB, 2.6.1). */
const [directory, stream, root] = [1, 2, 5]

interface Node {
  name: string
  content?: Buffer
  children?: Node[]
}

/** A property of text, in its stream (MS-OXMSG, 2.1.3): the number of the property, and its type in Unicode. */
const text = (property: string, value: string): Node => ({
  name: `__substg1.0_${property}001F`,
  content: Buffer.from(value, 'utf16le'),
})
const binary = (property: string, content: Uint8Array): Node => ({
  name: `__substg1.0_${property}0102`,
  content: Buffer.from(content),
})

/** The stream of properties of fixed length (MS-OXMSG, 2.4): a head of so many bytes, then 16 for each. */
function properties(head: number, ...values: readonly (readonly [tag: number, value: number])[]): Node {
  const content = Buffer.alloc(head + 16 * values.length)
  for (const [at, [tag, value]] of values.entries()) {
    content.writeUInt32LE(tag, head + 16 * at)
    content.writeUInt32LE(6, head + 16 * at + 4)
    content.writeUInt32LE(value, head + 16 * at + 8)
  }
  return { name: '__properties_version1.0', content }
}

interface MessageParts {
  subject: string
  body: string
  attachments: readonly { name: string; bytes: Uint8Array }[]
  /** Its text as a page, and the code page that this is stored in. */
  html?: { bytes: Uint8Array; page: number }
}

const number = (at: number) => at.toString(16).toUpperCase().padStart(8, '0')

/** A mail as Outlook saves it (MS-OXMSG), from Ann to Bob. */
export function msgFile({ subject, body, attachments, html }: MessageParts): Uint8Array {
  const head = Buffer.alloc(32)
  head.writeUInt32LE(1, 16)
  head.writeUInt32LE(attachments.length, 20)
  const page: [number, number][] = html ? [[0x3fde0003, html.page]] : []
  const own = properties(32, [0x340d0003, 0x40000], ...page)
  own.content?.set(head)
  const recipient: Node = {
    name: `__recip_version1.0_#${number(0)}`,
    // PidTagRecipientType: 1, a primary one.
    children: [properties(8, [0x0c150003, 1]), text('3001', 'Bob'), text('39FE', 'bob@example.com')],
  }
  const files = attachments.map(({ name, bytes }, at): Node => ({
    name: `__attach_version1.0_#${number(at)}`,
    // PidTagAttachMethod: 1, by value.
    children: [properties(8, [0x37050003, 1]), text('3707', name), text('3704', name), binary('3701', bytes)],
  }))
  const naming: Node = {
    name: '__nameid_version1.0',
    children: ['0002', '0003', '0004'].map((id) => binary(id, Buffer.alloc(16))),
  }
  const children = [
    ...[own, text('001A', 'IPM.Note'), text('0037', subject), text('1000', body), text('0C1A', 'Ann')],
    ...[text('5D01', 'ann@example.com'), naming, recipient, ...files],
    ...(html ? [binary('1013', html.bytes)] : []),
  ]
  return burn(flatten({ name: 'Root Entry', children }))
}

/** The tree as a list in which directories name the places of what is in them. */
function flatten(tree: Node): Parameters<typeof burn>[0] {
  const entries: Parameters<typeof burn>[0] = []
  const add = ({ name, content, children }: Node): number => {
    const at = entries.length
    const type = content ? stream : at === 0 ? root : directory
    const entry = {
      name,
      type: type as never,
      length: content?.length ?? 0,
      ...(content ? { binaryProvider: () => new Uint8Array(content) } : {}),
    }
    entries.push(entry)
    if (children) Object.assign(entry, { children: children.map(add) })
    return at
  }
  add(tree)
  return entries
}
