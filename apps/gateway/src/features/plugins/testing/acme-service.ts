import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import { readForm } from '../../../base/http/forms/read-form.ts'

interface TakenFax {
  to: string
  pdf: Buffer
  state: string
  pages_sent: number
  /** What the answer about its state names as its id, where it does. */
  id?: string
}

/** What the service was sent, byte by byte. */
interface ReceivedRequest {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: Buffer
}

/** A stand-in of the service that the Acme manifest speaks to: it takes faxes over HTTP and reports what became of them. */
export interface AcmeService {
  origin: string
  faxes: Map<string, TakenFax>
  received: ReceivedRequest[]
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function take({ headers, body }: ReceivedRequest, faxes: AcmeService['faxes']): Promise<string | undefined> {
  const { fields, files } = readForm(body, headers['content-type'] ?? '')
  const to = fields.find(([name]) => name === 'to')?.[1]
  const file = files.find(({ name }) => name === 'file')
  if (to === undefined || !file) return undefined
  const id = `acme/${faxes.size + 1}`
  const pdf = Buffer.from(file.bytes)
  const pages = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0
  faxes.set(id, { to, pdf, state: 'waiting', pages_sent: pages })
  return id
}

/** Starts the service for the test that is running. @param token what callers must bear */
export async function startAcme(token: string): Promise<AcmeService> {
  const faxes: AcmeService['faxes'] = new Map()
  const received: ReceivedRequest[] = []
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '', headers } = request
    const one = { method, url, headers, body: await readBody(request) }
    received.push(one)
    if (headers.authorization !== `Bearer ${token}`) {
      answer(response, 401, { problem: { text: 'Who are you?' } })
      return
    }
    if (method === 'POST') {
      const id = await take(one, faxes)
      if (id === undefined) {
        answer(response, 422, { problem: { text: 'A number and a file, please' } })
        return
      }
      answer(response, 202, { data: { fax: { id, state: 'waiting' } } })
      return
    }
    const fax = faxes.get(decodeURIComponent(url.split('/').at(-1) ?? ''))
    if (!fax) {
      answer(response, 404, {})
      return
    }
    const { state, id } = fax
    answer(response, 200, { id, state, pages_sent: state === 'sent' ? fax.pages_sent : 0 })
  }
  const server = createServer((request, response) => void serve(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return { origin: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`, faxes, received }
}
