import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type GatewayProcess, startGateway } from './harness/gateway-process.ts'

const long = process.env.FAXDECK_LONG !== undefined
const { connections, each, megabytes } = long
  ? { connections: 50, each: 4, megabytes: 40 }
  : { connections: 20, each: 1, megabytes: 2 }

const env = {
  SINCH_INBOUND_BASIC_PASS: 'webhook-password',
  PHAXIO_CALLBACK_TOKEN: 'phx-callback-token',
  SIGNALWIRE_WEBHOOK_SIGNING_KEY: 'sw-signing-key',
}

interface Attack {
  name: string
  head: string[]
  /** A piece of the body, sent again and again. */
  piece: Buffer
  pieces: number
  /** Milliseconds between pieces. */
  pause: number
}

const form = 'content-type: application/x-www-form-urlencoded'
const multipart = 'content-type: multipart/form-data; boundary=xx'
const phaxio = `x-phaxio-signature: ${'a'.repeat(40)}`
const signalwire = `x-signalwire-signature: ${'A'.repeat(27)}=`
const pieceBytes = 256 * 1024
const pieces = (megabytes * 1024 * 1024) / pieceBytes
const fields = { piece: Buffer.alloc(pieceBytes, 'a=1&'), pieces, pause: 0 }
const file = {
  piece: Buffer.concat([
    Buffer.from('--xx\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n'),
    Buffer.alloc(pieceBytes, '%PDF-1.4 '),
  ]),
  pieces: long ? 180 : pieces,
  pause: 0,
}
const nested = { piece: Buffer.alloc(pieceBytes, '[{"a":'), pieces, pause: 0 }
const drip = { piece: Buffer.from('a'), pieces: long ? 120 : 3, pause: 1000 }

/** Everything that somebody without a secret can send; where a signature is needed, it has the form of one. */
const attacks: Attack[] = [
  { name: 'fields without proof', head: ['/signalwire-callback', form], ...fields },
  { name: 'fields with a made signature', head: ['/signalwire-callback', form, signalwire], ...fields },
  { name: 'fields for a provider without settings', head: ['/documo-callback', form], ...fields },
  { name: 'a document without proof', head: ['/sinch-inbound', multipart], ...file },
  { name: 'a document with a made signature', head: ['/phaxio-inbound', multipart, phaxio], ...file },
  { name: 'deep JSON without proof', head: ['/sinch-inbound', 'content-type: application/json'], ...nested },
  {
    name: 'deep JSON with a made signature',
    head: ['/phaxio-callback', 'content-type: application/json', phaxio],
    ...nested,
  },
  { name: 'a slow body with a made signature', head: ['/phaxio-inbound', multipart, phaxio], ...drip },
  { name: 'slow words with a made signature', head: ['/signalwire-callback', form, signalwire], ...drip },
]

/** Sends one attack; the status it was answered with, or 0 when the connection was cut first. */
async function send(port: number, { head: [path, ...headers], piece, pieces, pause }: Attack): Promise<number> {
  const socket = connect(port, '127.0.0.1')
  const { promise, resolve } = Promise.withResolvers<number>()
  let status = 0
  socket.on('error', () => undefined).on('close', () => resolve(status))
  socket.on('data', (answer: Buffer) => {
    status ||= Number(answer.toString('latin1').split(' ')[1])
    resolve(status)
  })
  socket.write(
    [`POST ${path} HTTP/1.1`, 'host: localhost', ...headers, `content-length: ${piece.length * pieces}`, '', ''].join(
      '\r\n',
    ),
  )
  for (let n = 0; n < pieces && status === 0 && !socket.destroyed; n++) {
    const isRoom = socket.write(piece)
    await (pause > 0
      ? sleep(pause)
      : isRoom
        ? undefined
        : Promise.race([promise, new Promise((drained) => socket.once('drain', drained))]))
  }
  const answered = await Promise.race([promise, sleep(20_000, 0, { ref: false })])
  socket.destroy()
  return answered
}

const residentOf = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

let gateway: GatewayProcess
beforeAll(async () => {
  gateway = await startGateway({ env })
})
afterAll(() => gateway.remove())

const p99Of = (took: number[]) => took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.99)] ?? 0

/** Milliseconds in which the gateway answered, asked every 20 ms until `done`, and the most memory it had. */
async function watch(done: Promise<unknown>): Promise<{ took: number[]; largest: number }> {
  const work = { isOver: false }
  void done.finally(() => (work.isOver = true))
  const took: number[] = []
  let largest = 0
  while (!work.isOver) {
    const from = performance.now()
    await (await fetch(`${gateway.url}/health`)).arrayBuffer()
    took.push(performance.now() - from)
    largest = Math.max(largest, residentOf(gateway.pid))
    await sleep(20)
  }
  return { took, largest }
}

it('hostile callbacks are refused, and the gateway goes on answering and stays small', async () => {
  const port = Number(new URL(gateway.url).port)
  const calm = await watch(sleep(long ? 5000 : 500))
  const statuses = new Map<string, Set<number>>()
  const began = performance.now()
  const attack = Promise.all(
    Array.from({ length: connections }, async (_, worker) => {
      for (let n = 0; n < each; n++) {
        const attack = attacks[(worker * each + n) % attacks.length]
        if (!attack) continue
        const status = await send(port, attack)
        statuses.set(attack.name, (statuses.get(attack.name) ?? new Set()).add(status))
      }
    }),
  )
  const { took, largest } = await watch(attack)
  if (long) {
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    const answers = `health p99 ${p99Of(calm.took).toFixed(0)} ms before, ${p99Of(took).toFixed(0)} ms in it`
    const memory = `memory ${calm.largest.toFixed(0)} MB before, ${largest.toFixed(0)} MB in it`
    console.info(
      `${connections * each} callbacks in ${seconds} s: ${answers}, at most ${Math.max(...took).toFixed(0)} ms; ${memory}`,
    )
    console.info(Object.fromEntries([...statuses].map(([name, all]) => [name, [...all]])))
  }
  expect(statuses.size).toBe(attacks.length)
  const allowed = [400, 401, 408, 413, 503]
  for (const [name, all] of statuses) for (const status of all) expect(allowed, name).toContain(status)
  const { items } = await gateway.client.listLogs({ query: { event: 'callback_refused', limit: 200 } })
  expect(items.length).toBeLessThan(20)
})
