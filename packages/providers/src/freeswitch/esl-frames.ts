/** Headers by lower-case name. */
export type EslHeaders = ReadonlyMap<string, string>

/** What FreeSWITCH says: headers and, when they announce one, a body. */
export interface EslMessage {
  headers: EslHeaders
  body: string
}

/** What arrives is not the event socket, or somebody floods us. */
export class EslGarbage extends Error {
  override name = 'EslGarbage'
}

/** Bytes. An event with all variables of a channel has about 16 KB. */
const longestHead = 65_536
const longestBody = 4_194_304

/** Cuts what arrives, in whatever pieces, into messages: lines of `Name: value`, an empty line, and as many bytes as announced. */
export class EslFrames {
  #unread: Buffer = Buffer.alloc(0)
  #head: EslHeaders | undefined

  /** @throws {EslGarbage} when a message does not end, or announces more than anybody sends */
  push(piece: Buffer): EslMessage[] {
    this.#unread = this.#unread.length === 0 ? piece : Buffer.concat([this.#unread, piece])
    const messages: EslMessage[] = []
    for (let message = this.#next(); message; message = this.#next()) messages.push(message)
    return messages
  }

  #next(): EslMessage | undefined {
    this.#head ??= this.#readHead()
    if (!this.#head) return undefined
    const length = bodyLength(this.#head)
    if (this.#unread.length < length) return undefined
    const message = { headers: this.#head, body: this.#unread.toString('utf8', 0, length) }
    this.#unread = this.#unread.subarray(length)
    this.#head = undefined
    return message
  }

  #readHead(): EslHeaders | undefined {
    let begin = 0
    // Empty lines between messages mean nothing.
    while (this.#unread[begin] === 0x0a) begin += 1
    const end = this.#unread.indexOf('\n\n', begin)
    if (end < 0) {
      if (this.#unread.length > longestHead) throw new EslGarbage('A message does not end.')
      return undefined
    }
    if (end - begin > longestHead) throw new EslGarbage('A message does not end.')
    const head = readHeaders(this.#unread.toString('utf8', begin, end))
    this.#unread = this.#unread.subarray(end + 2)
    return head
  }
}

function bodyLength(headers: EslHeaders): number {
  const reported = headers.get('content-length')
  if (reported === undefined) return 0
  const length = /^\d{1,9}$/.test(reported) ? Number(reported) : Infinity
  if (length > longestBody) throw new EslGarbage('A message announces an impossible length.')
  return length
}

function readHeaders(text: string, decode: (value: string) => string = (value) => value): EslHeaders {
  const headers = new Map<string, string>()
  for (const line of text.split('\n')) {
    const colon = line.indexOf(':')
    if (colon <= 0) continue
    const name = line.slice(0, colon).toLowerCase()
    if (!headers.has(name)) headers.set(name, decode(line.slice(colon + 1).trim()))
  }
  return headers
}

/** An event as the body of a `text/event-plain` message holds it: its values are percent-encoded, its own body follows. */
export function readEvent(body: string): EslMessage {
  const end = body.indexOf('\n\n')
  const head = end < 0 ? body : body.slice(0, end)
  return { headers: readHeaders(head, percentDecoded), body: end < 0 ? '' : body.slice(end + 2) }
}

function percentDecoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
