import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { connect, createServer as createSocketServer, type Server } from 'node:net'
import { onTestFinished } from 'vitest'

async function listening(server: Server, host = '127.0.0.1'): Promise<number> {
  server.listen(0, host)
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

/** An HTTP server for this test; answers its origin. */
export async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${await listening(server)}`
}

/** An HTTPS server for this test; answers its origin. */
export async function serveTls(
  certificate: { key: string; cert: string },
  answer: RequestListener,
  host = '127.0.0.1',
): Promise<string> {
  const server = createTlsServer(certificate, answer)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `https://${host}:${await listening(server, host)}`
}

/** Phaxio's account as it answers when all is well: real bytes, a real Date. */
export const phaxioAnswers: RequestListener = (request, response) => {
  const good = request.headers.authorization === `Basic ${Buffer.from('key:secret').toString('base64')}`
  response.writeHead(good ? 200 : 401, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ success: good, message: good ? 'Account status' : 'Unauthorized', data: {} }))
}

/** The origin of a port where nothing listens any more. */
export async function deserted(): Promise<string> {
  const server = createSocketServer()
  const port = await listening(server)
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}`
}

const fullQueue = `import socket, sys, time
s = socket.socket()
s.bind(('127.0.0.1', 0))
s.listen(0)
print(s.getsockname()[1], flush=True)
time.sleep(60)`

/** The origin of a port whose packets the system drops: its queue of connections is full, and nobody takes any. */
export async function dropping(): Promise<string> {
  const program = spawn('python3', ['-c', fullQueue], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void program.kill('SIGKILL'))
  const [printed] = (await once(program.stdout, 'data')) as [Buffer]
  const port = Number(String(printed))
  const waiting = [1, 2, 3].map(() => connect({ port, host: '127.0.0.1' }).on('error', () => undefined))
  onTestFinished(() => waiting.forEach((socket) => socket.destroy()))
  return `http://127.0.0.1:${port}`
}
