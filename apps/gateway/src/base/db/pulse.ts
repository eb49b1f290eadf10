import { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { wordsOf } from './outage.ts'

const beatMs = 1000
const patienceMs = 2500
const againMs = 250

interface PulseParts {
  newClient: (socket: Socket) => pg.Client
  /** What a new connection is to listen to. */
  channel: string
  onNotification: (payload: string) => void
  /** The server is silent, refuses connections or may not write. Called again while that lasts. */
  onAway: (reason: string) => void
  /** Called once for each new connection that works. */
  onConnected: () => void
}

class NoAnswer extends Error {
  override message = 'it does not answer'
}
class ReadOnly extends Error {
  override message = 'it is a standby, or may not write for another reason'
}

/** @throws {NoAnswer} when an answer takes too long */
function inTime<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    // A process that was itself stopped for a while has the answer in its socket: that is read first.
    const late = () => setImmediate(() => setImmediate(() => reject(new NoAnswer())))
    const timer = setTimeout(late, patienceMs)
    void answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

async function beat(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ read_only: string }>(
    "select current_setting('transaction_read_only') as read_only",
  )
  if (rows[0]?.read_only === 'on') throw new ReadOnly()
}

/** Lasts as long as one connection does. @throws whatever ends it */
async function live(parts: PulseParts, signal: AbortSignal): Promise<never> {
  const socket = new Socket()
  const client = parts.newClient(socket)
  const broken = Promise.withResolvers<never>()
  broken.promise.catch(() => undefined)
  client.on('error', broken.reject)
  client.on('end', () => broken.reject(new Error('the connection ended')))
  client.on('notification', ({ payload }) => payload && parts.onNotification(payload))
  const stop = () => broken.reject(new Error('the gateway stops'))
  signal.addEventListener('abort', stop)
  const unlessBroken = <T>(work: Promise<T>) => Promise.race([work, broken.promise])
  try {
    await inTime(unlessBroken(client.connect()))
    await inTime(unlessBroken(client.query(`listen ${parts.channel}`)))
    await inTime(unlessBroken(beat(client)))
    parts.onConnected()
    for (;;) {
      await unlessBroken(delay(beatMs, undefined, { signal, ref: false }))
      await inTime(unlessBroken(beat(client)))
    }
  } finally {
    signal.removeEventListener('abort', stop)
    // A farewell would wait for a server that is gone.
    socket.destroy()
  }
}

/**
 * Keeps one connection that listens, and asks every second whether the server answers and may write. A caller that waits for
 * a server that does not answer gets an error within four seconds, however long the statement may take.
 * @returns how to stop
 */
export function keepPulse(parts: PulseParts): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  const run = async () => {
    while (!signal.aborted) {
      const connection = { worked: false }
      const onConnected = () => {
        connection.worked = true
        parts.onConnected()
      }
      await live({ ...parts, onConnected }, signal).catch((error: unknown) => {
        // One connection may end by itself; that the next one fails too says something about the server.
        const meansServer = !connection.worked || error instanceof NoAnswer || error instanceof ReadOnly
        if (meansServer && !signal.aborted) parts.onAway(wordsOf(error))
      })
      if (!connection.worked) await delay(againMs, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }
  const running = run()
  return async () => {
    stopping.abort()
    await running
  }
}
