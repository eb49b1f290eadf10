import { randomBytes } from 'node:crypto'

/** A file in a form. */
export interface FormFile {
  name: string
  type: string
  bytes: Uint8Array
}

/** As HTML says forms are written: no name ends its quotes or its line (html.spec.whatwg.org, 4.10.21.8). */
const quoted = (name: string) => `"${name.replace(/\r\n?|\n/g, '%0D%0A').replaceAll('"', '%22')}"`
const lines = (value: string) => value.replace(/\r\n?|\n/g, '\r\n')

/** A `multipart/form-data` body (RFC 7578) that is written once, as bytes: a FormData is copied several times on its way. */
export class MultipartForm {
  readonly #boundary = `faxdeck-${randomBytes(24).toString('hex')}`
  readonly #parts: Uint8Array[] = []

  get contentType(): string {
    return `multipart/form-data; boundary=${this.#boundary}`
  }

  append(name: string, value: string): void {
    this.#begin(name, '', `\r\n\r\n${lines(value)}\r\n`)
  }

  attach(name: string, file: FormFile): void {
    this.#begin(name, `; filename=${quoted(file.name)}`, `\r\ncontent-type: ${file.type}\r\n\r\n`)
    this.#parts.push(file.bytes, Buffer.from('\r\n'))
  }

  bytes(): Uint8Array<ArrayBuffer> {
    return Buffer.concat([...this.#parts, Buffer.from(`--${this.#boundary}--\r\n`)])
  }

  #begin(name: string, more: string, rest: string): void {
    this.#parts.push(
      Buffer.from(`--${this.#boundary}\r\ncontent-disposition: form-data; name=${quoted(name)}${more}${rest}`),
    )
  }
}
