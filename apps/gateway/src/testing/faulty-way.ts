import { once } from 'node:events'
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A way to a database server on which accidents happen when a test wants them. */
export interface FaultyWay {
  /** The address of the database over this way. */
  url: string
  /** Breaks every connection, and refuses new ones until `mend`. */
  cut: () => void
  /** Breaks every connection that there is now. */
  breakOnce: () => void
  /** Carries nothing any more, in either direction, as when a host hangs; until `mend`. */
  freeze: () => void
  /** Carries the next statement with this word to the server and breaks before its answer comes back; `before`: it does not even arrive. */
  breakAt: (word: string, when: 'before' | 'after') => void
  breakAtCommit: (when: 'before' | 'after') => void
  /** Carries the next COMMIT to the server and its answer never back, while all other connections go on. */
  hangAtCommit: () => void
  mend: () => void
}

interface Pair {
  client: Socket
  server: Socket
}

/** Stands between a gateway and PostgreSQL for the test that is running. */
export async function faultyWay(url: string): Promise<FaultyWay> {
  const target = new URL(url)
  const pairs = new Set<Pair>()
  let refuses = false
  let frozen = false
  let accident: { word: string; when: 'before' | 'after' | 'hang' } | undefined
  const end = (pair: Pair) => {
    pairs.delete(pair)
    pair.client.destroy()
    pair.server.destroy()
  }
  const carry = (pair: Pair, data: Buffer) => {
    const when = accident && data.includes(accident.word) ? accident.when : undefined
    if (when) accident = undefined
    if (when === 'before') {
      end(pair)
      return
    }
    pair.server.write(data)
    if (when === undefined) return
    pair.server.unpipe(pair.client)
    pair.server.resume()
    // The server has answered once it has committed; nobody learns of it.
    if (when === 'after') pair.server.once('data', () => end(pair))
  }
  const listener = createServer((client) => {
    if (refuses) return void client.destroy()
    const server = dial(Number(target.port), target.hostname)
    const pair = { client, server }
    pairs.add(pair)
    client.on('data', (data: Buffer) => carry(pair, data))
    server.pipe(client)
    for (const socket of [client, server]) socket.on('error', () => end(pair)).on('close', () => end(pair))
    if (frozen) for (const socket of [client, server]) socket.pause()
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const breakOnce = () => pairs.forEach(end)
  onTestFinished(() => {
    breakOnce()
    listener.close()
  })
  const over = new URL(url)
  over.port = String((listener.address() as AddressInfo).port)
  return {
    url: over.href,
    breakOnce,
    cut: () => {
      refuses = true
      breakOnce()
    },
    freeze: () => {
      frozen = true
      for (const { client, server } of pairs) {
        client.pause()
        server.unpipe(client)
        server.pause()
      }
    },
    breakAt: (word, when) => (accident = { word, when }),
    breakAtCommit: (when) => (accident = { word: 'commit', when }),
    hangAtCommit: () => (accident = { word: 'commit', when: 'hang' }),
    mend: () => {
      refuses = false
      frozen = false
      // What hung is not carried on: its host was switched off meanwhile.
      breakOnce()
    },
  }
}
