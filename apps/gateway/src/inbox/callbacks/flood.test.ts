import { connect, type AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { startGateway } from '../../testing/start-gateway.ts'
import {
  callbackToken,
  fileHead,
  phaxioForm,
  publicUrl,
  type PhaxioForm,
  postForm,
  formType,
} from './testing/phaxio-form.ts'

/** Several addresses, each with many connections that bring a byte now and then under a signature of nobody's. */
function trickle(port: number): void {
  const sockets = ['127.0.0.2', '127.0.0.3', '127.0.0.4'].flatMap((localAddress) =>
    Array.from({ length: 40 }, (_, n) => {
      const socket = connect({ port, host: '127.0.0.1', localAddress })
      socket.on('error', () => undefined)
      const large = n % 2 === 0 ? 41_943_040 : 2000
      const head = [`POST /phaxio-inbound HTTP/1.1`, 'host: localhost', `content-type: ${formType}`]
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
  const env = {
    PHAXIO_API_KEY: 'k',
    PHAXIO_API_SECRET: 's',
    PHAXIO_CALLBACK_TOKEN: callbackToken,
    PUBLIC_API_URL: publicUrl,
  }
  const { app, client } = await startGateway({ env })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  trickle(port)
  const connected = () => new Promise<number>((resolve) => app.server.getConnections((_error, n) => resolve(n)))
  await expect.poll(connected, { timeout: 10_000 }).toBe(120)
  const post = async (form: PhaxioForm) => (await postForm(port, form)).status
  const pdf = Buffer.alloc(300_000, '%PDF-1.4 ')
  const sent = Array.from({ length: 100 }, (_, id) => phaxioForm('/phaxio-callback', { id, status: 'success' }))
  const received = Array.from({ length: 12 }, (_, n) => {
    return phaxioForm('/phaxio-inbound', { id: 1000 + n, direction: 'received', status: 'success' }, pdf)
  })
  const statuses = await Promise.all([...sent, ...received].map(post))
  expect(statuses.filter((status) => status !== 200)).toEqual([])
  expect(await client.listInbound({ query: {} })).toHaveLength(12)
})
