import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { SendFault } from '../conformance/conformance-send.ts'
import type { Host, Line, ProviderSettings } from '../provider.ts'
import { freshFolder, RecordingHost } from './recording-host.ts'

interface FaultyEngine {
  greeting: string
  /** The line break that ends a message when it stands twice. */
  blank: string
  /** What it answers to a message; nothing when that is empty. */
  answers: Partial<Record<SendFault, (message: string, socket: Socket) => string>>
  open: (host: Host, settings: ProviderSettings, port: number) => Line
}

/** What an engine on a socket can meet. */
const faults: readonly SendFault[] = [
  'a time-out',
  'a refused connection',
  'bad credentials',
  'a refusal',
  'a fault of the server',
]

async function listen({ greeting, blank, answers }: FaultyEngine, fault: SendFault): Promise<number> {
  const server = createServer((socket) => {
    // A line that is closed with answers unread resets the connection.
    socket.on('error', () => undefined)
    socket.write(greeting)
    let unread = ''
    socket.on('data', (piece: Buffer) => {
      // What is asked at the same time comes in one piece.
      const messages = (unread + piece.toString()).split(blank + blank)
      unread = messages.pop() ?? ''
      for (const message of messages) {
        const answer = answers[fault]?.(message, socket)
        if (answer) socket.write(answer)
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  if (fault === 'a refused connection') server.close()
  return port
}

/** What the conformance suite is given to try lines to an engine that meets faults. */
export const throughFaulty = (engine: FaultyEngine) => ({
  faults,
  lineWith: async (fault: SendFault, settings: ProviderSettings): Promise<Line> => {
    const host = new RecordingHost(await freshFolder())
    const tiffPath = join(host.directory, 'pages.tiff')
    await writeFile(tiffPath, 'pages')
    const line = engine.open(host, settings, await listen(engine, fault))
    return {
      ...line,
      send: (fax) => line.send({ ...fax, tiffPath }, AbortSignal.timeout(fault === 'a time-out' ? 2000 : 10_000)),
    }
  },
})
