import { createHash } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

interface Account {
  user: string
  password: string
  /** What it challenges with; the first of them is what a simple client answers. */
  challenges?: readonly string[]
  /** What it answers a proof that is wrong: some carriers 401 again, others 403. */
  refusal?: string
  /** What it answers in place of everything else. */
  always?: string
  header?: '401 Unauthorized' | '407 Proxy Authentication Required'
}

const sha256 = 'Digest realm="sip.example", nonce="n1", algorithm=SHA-256, qop="auth,auth-int", opaque="o"'
const hashOf = (algorithm: string, text: string) =>
  createHash(algorithm === 'SHA-256' ? 'sha256' : 'md5')
    .update(text)
    .digest('hex')

/** Whether a request proves the password, reckoned as RFC 7616 has it. */
function proves(request: string, { user, password }: Account): boolean {
  const header = /^(?:Proxy-)?Authorization: Digest (.*)$/m.exec(request)?.[1] ?? ''
  const field = (name: string) => new RegExp(`(?:^|[ ,])${name}="?([^",]*)`).exec(header)?.[1] ?? ''
  const [method = '', uri = ''] = request.split(' ')
  const hash = (text: string) => hashOf(field('algorithm'), text)
  const middle = field('qop') === 'auth' ? `${field('nonce')}:${field('nc')}:${field('cnonce')}:auth` : field('nonce')
  const expected = hash(`${hash(`${user}:${field('realm')}:${password}`)}:${middle}:${hash(`${method}:${uri}`)}`)
  return field('username') === user && field('uri') === uri && field('response') === expected
}

function answer(request: string, account: Account): string {
  const { challenges = [sha256], header = '401 Unauthorized', refusal = header, always } = account
  const isProven = proves(request, account)
  const challenged = /^(?:Proxy-)?Authorization:/m.test(request)
  const name = header.startsWith('401') ? 'WWW-Authenticate' : 'Proxy-Authenticate'
  const asks = request.startsWith('REGISTER')
  const status = always ?? (!asks || isProven ? '200 OK' : challenged ? refusal : header)
  const kept = request.split('\r\n').filter((line) => /^(Via|From|To|Call-ID|CSeq):/.test(line))
  const own = status === header ? challenges.map((text) => `${name}: ${text}`) : []
  return [`SIP/2.0 ${status}`, ...kept, ...own, 'Content-Length: 0', '', ''].join('\r\n')
}

/** A registrar that is no Asterisk. @returns its address, and the requests that came */
export async function madeCarrier(transport: 'udp' | 'tcp', account: Account) {
  const requests: string[] = []
  const take = (request: string) => {
    requests.push(request)
    return answer(request, account)
  }
  if (transport === 'udp') {
    const socket = createSocket('udp4').bind(0, '127.0.0.1')
    await once(socket, 'listening')
    // The first packet of each kind is lost, as on the internet.
    const seen = new Set<string>()
    socket.on('message', (message, { port, address }) => {
      const cseq = /^CSeq: .*$/m.exec(message.toString())?.[0] ?? ''
      if (seen.has(cseq)) {
        socket.send(`SIP/2.0 100 Trying\r\nCall-ID: x\r\n${cseq}\r\n\r\n`, port, address)
        socket.send(take(message.toString()), port, address)
      }
      seen.add(cseq)
    })
    onTestFinished(() => void socket.close())
    return { host: `127.0.0.1:${socket.address().port}`, requests }
  }
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined))
    socket.on('data', (data) => {
      const text = take(data.toString())
      // Streams know no messages: this one comes in two pieces.
      socket.write(text.slice(0, 40))
      setTimeout(() => socket.write(text.slice(40)), 20)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}
