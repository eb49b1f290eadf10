import { createHash, createHmac } from 'node:crypto'
import { request } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { startGateway } from '../testing/start-gateway.ts'

const token = 'phx-callback-token'
const publicUrl = 'https://fax.example.test'
const type = 'multipart/form-data; boundary=xx'
const field = (name: string, value: string) =>
  `--xx\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const fileHead = '--xx\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n'

/** A form of Phaxio's, signed as its manual says. */
function signed(path: string, fax: object, file?: Uint8Array) {
  const words = { direction: file ? 'received' : 'sent', fax: JSON.stringify(fax) }
  const hmac = createHmac('sha1', token).update(publicUrl + path)
  for (const [name, value] of Object.entries(words)) hmac.update(name + value)
  if (file) hmac.update(`file${createHash('sha1').update(file).digest('hex')}`)
  const fields = Object.entries(words).map(([name, value]) => field(name, value))
  const parts = [Buffer.from(fields.join('')), ...(file ? [Buffer.from(fileHead), file, Buffer.from('\r\n')] : [])]
  return { path, signature: hmac.digest('hex'), body: Buffer.concat([...parts, Buffer.from('--xx--\r\n')]) }
}

/** Several addresses, each with many connections that bring a byte now and then under a signature of nobody's. */
function trickle(port: number): void {
  const sockets = ['127.0.0.2', '127.0.0.3', '127.0.0.4'].flatMap((localAddress) =>
    Array.from({ length: 40 }, (_, n) => {
      const socket = connect({ port, host: '127.0.0.1', localAddress })
      socket.on('error', () => undefined)
      const large = n % 2 === 0 ? 41_943_040 : 2000
      const head = [`POST /phaxio-inbound HTTP/1.1`, 'host: localhost', `content-type: ${type}`]
      const proof = [`x-phaxio-signature: ${'a'.repeat(40)}`, `content-length: ${large}`, '', '']
      socket.write([...head, ...proof].join('\r\n') + fileHead)
      return socket
    }),
  )
  const drip = setInterval(() => sockets.forEach((socket) => socket.write('a')), 200)
  onTestFinished(() => {
    clearInterval(drip)
    for (const socket of sockets) socket.destroy()
  })
}

it('100 callbacks and 12 received faxes at once are all taken while strangers trickle from several addresses', async () => {
  const env = { PHAXIO_API_KEY: 'k', PHAXIO_API_SECRET: 's', PHAXIO_CALLBACK_TOKEN: token, PUBLIC_API_URL: publicUrl }
  const { app, client } = await startGateway({ env })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  trickle(port)
  const connected = () => new Promise<number>((resolve) => app.server.getConnections((_error, n) => resolve(n)))
  await expect.poll(connected, { timeout: 10_000 }).toBe(120)
  const post = ({ path, signature, body }: ReturnType<typeof signed>) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { 'content-type': type, 'x-phaxio-signature': signature, 'content-length': body.length }
      const call = request({ host: '127.0.0.1', port, path, method: 'POST', headers }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      call.on('error', reject)
      call.end(body)
    })
  const pdf = Buffer.alloc(300_000, '%PDF-1.4 ')
  const sent = Array.from({ length: 100 }, (_, id) => signed('/phaxio-callback', { id, status: 'success' }))
  const received = Array.from({ length: 12 }, (_, n) => {
    return signed('/phaxio-inbound', { id: 1000 + n, direction: 'received', status: 'success' }, pdf)
  })
  const statuses = await Promise.all([...sent, ...received].map(post))
  expect(statuses.filter((status) => status !== 200)).toEqual([])
  expect(await client.listInbound({ query: {} })).toHaveLength(12)
})
