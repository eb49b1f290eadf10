import { createHash, createHmac } from 'node:crypto'
import { request } from 'node:http'

export const callbackToken = 'phx-callback-token'
export const publicUrl = 'https://fax.example.test'
export const formType = 'multipart/form-data; boundary=xx'
export const fileHead = '--xx\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n'

const field = (name: string, value: string) =>
  `--xx\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`

/** A form of Phaxio's, signed as its manual says. */
export function phaxioForm(path: string, fax: object, file?: Uint8Array) {
  const words = { direction: file ? 'received' : 'sent', fax: JSON.stringify(fax) }
  const hmac = createHmac('sha1', callbackToken).update(publicUrl + path)
  for (const [name, value] of Object.entries(words)) hmac.update(name + value)
  if (file) hmac.update(`file${createHash('sha1').update(file).digest('hex')}`)
  const fields = Object.entries(words).map(([name, value]) => field(name, value))
  const parts = [Buffer.from(fields.join('')), ...(file ? [Buffer.from(fileHead), file, Buffer.from('\r\n')] : [])]
  return { path, signature: hmac.digest('hex'), body: Buffer.concat([...parts, Buffer.from('--xx--\r\n')]) }
}
export type PhaxioForm = ReturnType<typeof phaxioForm>

/** Brings a form to a gateway on this machine. */
export function postForm(
  port: number,
  { path, signature, body }: PhaxioForm,
): Promise<{ status: number; retryAfter: number }> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': formType, 'x-phaxio-signature': signature, 'content-length': body.length }
    const call = request({ host: '127.0.0.1', port, path, method: 'POST', headers }, (response) => {
      response.resume()
      resolve({ status: response.statusCode ?? 0, retryAfter: Number(response.headers['retry-after'] ?? 0) })
    })
    call.on('error', reject)
    call.end(body)
  })
}
