import { StringDecoder } from 'node:string_decoder'

/** A message of the manager interface: its headers by lower-case name, the first of those that stand twice. */
export type AmiMessage = ReadonlyMap<string, string>

/** What arrives is not the manager interface, or somebody floods us. */
export class AmiGarbage extends Error {
  override name = 'AmiGarbage'
}

/** Characters. The longest event of Asterisk's own stays far below. */
const longestMessage = 262_144

/** Cuts what arrives, in whatever pieces, into messages: lines of `Key: value`, ended by an empty line. */
export class AmiFrames {
  readonly #decoder = new StringDecoder('utf8')
  #unread = ''
  #searched = 0
  #length = 0
  #headers = new Map<string, string>()

  /** @throws {AmiGarbage} when a message does not end */
  push(piece: Buffer): AmiMessage[] {
    this.#unread += this.#decoder.write(piece)
    const messages: AmiMessage[] = []
    let begin = 0
    let end = this.#unread.indexOf('\n', this.#searched)
    while (end >= 0) {
      this.#line(this.#unread.slice(begin, end), messages)
      begin = end + 1
      end = this.#unread.indexOf('\n', begin)
    }
    this.#unread = this.#unread.slice(begin)
    this.#searched = this.#unread.length
    if (this.#length + this.#unread.length > longestMessage) throw new AmiGarbage('A message does not end.')
    return messages
  }

  #line(text: string, messages: AmiMessage[]): void {
    const line = text.endsWith('\r') ? text.slice(0, -1) : text
    if (line === '') {
      if (this.#headers.size > 0) messages.push(this.#headers)
      this.#headers = new Map()
      this.#length = 0
      return
    }
    this.#length += line.length
    if (this.#length > longestMessage) throw new AmiGarbage('A message does not end.')
    const colon = line.indexOf(':')
    if (colon <= 0) return
    const name = line.slice(0, colon).toLowerCase()
    if (!this.#headers.has(name)) this.#headers.set(name, line.slice(colon + 1).trim())
  }
}

/**
 * Writes an action.
 * @throws {RangeError} for a name or value that would begin a header or an action of its own
 */
export function writeAction(headers: readonly (readonly [name: string, value: string])[]): string {
  for (const [name, value] of headers) {
    if (!/^[A-Za-z]+$/.test(name) || /[\r\n\0]/.test(value)) throw new RangeError(`${name} holds a line break.`)
  }
  return `${headers.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n`
}
