const boundary = 'faxdeck-bench-7MA4YWxkTrZu0gW'
const digits = 7

/** A POST /fax as bytes, made once; only the digits of the number change. */
export interface PreparedSubmission {
  /** The same bytes, now to another number. */
  to: (number: number) => Buffer
}

export function prepareSubmission(
  key: string,
  file: { name: string; type: string; bytes: Uint8Array },
): PreparedSubmission {
  const before = [
    `--${boundary}\r\ncontent-disposition: form-data; name="to"\r\n\r\n+1555${'0'.repeat(digits)}\r\n`,
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${file.name}"\r\n`,
    `content-type: ${file.type}\r\n\r\n`,
  ].join('')
  const body = Buffer.concat([Buffer.from(before), file.bytes, Buffer.from(`\r\n--${boundary}--\r\n`)])
  const head = [
    'POST /fax HTTP/1.1',
    'host: 127.0.0.1',
    `x-api-key: ${key}`,
    `content-type: multipart/form-data; boundary=${boundary}`,
    `content-length: ${body.length}`,
  ].join('\r\n')
  const bytes = Buffer.concat([Buffer.from(`${head}\r\n\r\n`), body])
  const at = bytes.indexOf('+1555') + '+1555'.length
  return {
    to: (number) => {
      bytes.write(String(number).padStart(digits, '0'), at, 'latin1')
      return bytes
    },
  }
}
