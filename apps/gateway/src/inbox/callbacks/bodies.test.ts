import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { startGateway } from '../../testing/start-gateway.ts'

const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
const signature = 'a'.repeat(40)
const proofs = {
  sinch: `authorization: ${basic('sinch', 'webhook-password')}`,
  phaxio: `x-phaxio-signature: ${signature}`,
  signalwire: `x-signalwire-signature: ${'A'.repeat(27)}=`,
} as const
const env = {
  SINCH_INBOUND_BASIC_PASS: 'webhook-password',
  PHAXIO_CALLBACK_TOKEN: 'phx-callback-token',
  SIGNALWIRE_WEBHOOK_SIGNING_KEY: 'sw-signing-key',
}
const multipart = 'content-type: multipart/form-data; boundary=xx'
const fileHead = '--xx\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n'

/** A gateway behind a real socket, so that heads can come without their bodies. */
async function listening(settings: Record<string, string> = env) {
  const { app, client, directory } = await startGateway({ env: settings })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const open = (path: string, ...headers: string[]): Socket => {
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => undefined)
    socket.write([`POST ${path} HTTP/1.1`, 'host: localhost', ...headers, '', ''].join('\r\n'))
    return socket
  }
  return { open, client, directory }
}

/** What the first answer on a connection says. */
function answerOf(socket: Socket): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    let text = ''
    socket.on('data', (piece: Buffer) => {
      text += piece.toString()
      const [head = '', body = ''] = text.split('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Infinity)
      if (body.length >= length) resolve({ status: Number(head.split(' ')[1]), body })
    })
    socket.on('close', () => reject(new Error(`The connection ended after "${text.slice(0, 100)}".`)))
  })
}

const large = 'content-length: 41943040'
const urlencoded = 'content-type: application/x-www-form-urlencoded'

it.each([
  ['/sinch-inbound', 'authorization: Basic c2luY2g6d3Jvbmc='],
  ['/documo-callback', 'authorization: Basic c2luY2g6d3Jvbmc='],
  ['/phaxio-inbound', 'x-phaxio-signature: short'],
  ['/phaxio-callback', 'x-other: 1'],
  ['/signalwire-callback', 'x-signalwire-signature: '],
  ['/_internal/asterisk/inbound', 'x-internal-secret: wrong'],
])('a request to %s without proof is refused before its body comes', async (path, proof) => {
  const { open } = await listening()
  expect((await answerOf(open(path, proof, large))).status).toBe(401)
})

it('a provider that is not set up takes no body, though the head looks like its own', async () => {
  const { open } = await listening({})
  for (const [path, proof] of [
    ['/sinch-callback', proofs.sinch],
    ['/phaxio-inbound', proofs.phaxio],
    ['/signalwire-callback', proofs.signalwire],
  ] as const) {
    expect((await answerOf(open(path, proof, large))).status, path).toBe(401)
  }
})

it.each([
  ['/signalwire-callback', proofs.signalwire, urlencoded],
  ['/phaxio-callback', proofs.phaxio, urlencoded],
  ['/phaxio-callback', proofs.phaxio, 'content-type: application/json'],
  ['/signalwire-callback', proofs.signalwire, multipart],
  ['/sinch-inbound', proofs.sinch, urlencoded],
])('words for %s are 256 kB at most, announced or not', async (path, proof, type) => {
  const { open } = await listening()
  const announced = await answerOf(open(path, proof, type, large))
  expect([announced.status, announced.body]).toEqual([413, expect.stringContaining('256 kB')])
  const silent = open(path, proof, type, 'transfer-encoding: chunked')
  const answer = answerOf(silent)
  const piece = 'a=1&'.repeat(16_384)
  for (let n = 0; n < 5; n++) silent.write(`10000\r\n${piece}\r\n`)
  expect((await answer).status).toBe(413)
})

it('a form of more than 500 fields is refused', async () => {
  const { open } = await listening()
  const body = 'a=1&'.repeat(60_000)
  const socket = open('/sinch-inbound', proofs.sinch, urlencoded, `content-length: ${body.length}`)
  socket.write(body)
  expect((await answerOf(socket)).status).toBe(400)
})

it('a document is believed by the signature over its bytes, and by nothing else', async () => {
  const { open, client } = await listening()
  const file = Buffer.alloc(6 * 1024 * 1024, '%PDF-1.4 ')
  const fax = '{"id":900003,"direction":"received","status":"success"}'
  const sha1 = createHash('sha1').update(file).digest('hex')
  const signed = createHmac('sha1', env.PHAXIO_CALLBACK_TOKEN)
    .update(`http://localhost:8080/phaxio-inboundfax${fax}file${sha1}`)
    .digest('hex')
  const post = async (bytes: Buffer): Promise<number> => {
    const words = `--xx\r\ncontent-disposition: form-data; name="fax"\r\n\r\n${fax}\r\n`
    const body = Buffer.concat([Buffer.from(words + fileHead), bytes, Buffer.from('\r\n--xx--')])
    const proof = `x-phaxio-signature: ${signed}`
    const socket = open('/phaxio-inbound', proof, multipart, `content-length: ${body.length}`)
    socket.write(body)
    return (await answerOf(socket)).status
  }
  expect(await post(Buffer.from(file.with(1000, 0)))).toBe(401)
  expect(await client.listInbound({ query: {} })).toEqual([])
  expect(await post(file)).toBe(200)
  expect(await client.listInbound({ query: {} })).toMatchObject([{ provider_sid: '900003' }])
})

it('a document within JSON is kept, however large', async () => {
  const { open, client } = await listening()
  const file = Buffer.alloc(6 * 1024 * 1024, '%PDF-1.4 ').toString('base64')
  const fax = { id: '01JLARGE', direction: 'INBOUND', status: 'COMPLETED' }
  const body = JSON.stringify({ event: 'INCOMING_FAX', fax, file })
  const type = 'content-type: application/json'
  const socket = open('/sinch-inbound', proofs.sinch, type, `content-length: ${body.length}`)
  socket.write(body)
  expect((await answerOf(socket)).status).toBe(200)
  expect(await client.listInbound({ query: {} })).toMatchObject([{ provider_sid: '01JLARGE' }])
})

it('a call that needs no key takes little', async () => {
  const { open } = await listening()
  const answer = await answerOf(open('/mobile/pair', 'content-type: application/json', 'content-length: 20000'))
  expect(answer.status).toBe(413)
})

it('who goes on sending after the answer is cut off', async () => {
  const { open } = await listening()
  const socket = open('/sinch-inbound', 'content-length: 1000')
  const closed = once(socket, 'close')
  expect((await answerOf(socket)).status).toBe(401)
  const drip = setInterval(() => socket.write('a'), 100)
  await closed
  clearInterval(drip)
})

it('callbacks without proof are one entry of the audit trail at first, with the address they come from', async () => {
  const { open, client } = await listening()
  const answers = Array.from({ length: 50 }, () => answerOf(open('/sinch-inbound', 'content-length: 0')))
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 401))
  const { items } = await client.listLogs({ query: { event: 'callback_refused' } })
  expect(items).toMatchObject([{ backend: 'sinch', path: '/sinch-inbound', address: '127.0.0.1', count: 1 }])
})
