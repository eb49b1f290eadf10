import { hash } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findOpenssl, trustAuthority } from '../diagnostics/testing/certificates.ts'
import { Events } from '../../base/events/events.ts'
import { guardedFetch } from '../../base/outgoing/guarded-fetch.ts'
import { onEachDatabase } from '../../testing/databases.ts'
import { fixedSettings } from '../../testing/test-context.ts'
import { signedHeaders } from '../../base/outgoing/send.ts'
import { compareEntries } from './compare.ts'
import { fileSink, webhookSink } from './sinks.ts'
import type { TrailSink } from './message.ts'
import { presentCopies } from './states.ts'
import { syslogSink } from './syslog-sink.ts'
import { cutNewest } from './testing/attack.ts'
import { copying, isEntry, type Line, linesOf, noTargets, record, testFolder } from './testing/copying.ts'

/** Takes frames of RFC 5425 apart by their lengths alone. */
function unframed(bytes: Buffer): string[] {
  const messages: string[] = []
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(0x20, at)
    const length = Number(bytes.subarray(at, space).toString('latin1'))
    messages.push(bytes.subarray(space + 1, space + 1 + length).toString('utf8'))
    at = space + 1 + length
  }
  return messages
}

const header = /^<109>1 (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) \S+ faxdeck - (\S+) - \uFEFF(\{.*\})$/

/** A syslog server over TLS that keeps what it read of each connection that was closed in order. */
async function syslogServer(pair: { key: string; cert: string }) {
  const received: string[] = []
  const ways = { dies: false }
  const server = createServer(pair, (socket) => {
    const parts: Buffer[] = []
    socket.on('error', () => undefined)
    socket.on('data', (part: Buffer) => {
      parts.push(part)
      if (ways.dies) socket.destroy()
    })
    socket.on('end', () => received.push(...unframed(Buffer.concat(parts))))
  })
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const lines = () => received.map((message) => JSON.parse(header.exec(message)?.[3] ?? 'null') as Line)
  return { target: `127.0.0.1:${(server.address() as AddressInfo).port}`, received, lines, ways }
}

/** Recomputes the hashes of a copy by itself. */
function expectWhole(lines: readonly Line[]) {
  let previous = ''
  lines.forEach(({ seq, ts, event, facts, prev_hash: before, hash: own }, at) => {
    expect(seq).toBe(at + 1)
    expect(before).toBe(previous)
    expect(own).toBe(hash('sha256', [before, seq, ts, event, JSON.stringify(facts)].join('\n')))
    previous = own ?? ''
  })
}

onEachDatabase((open) => {
  async function trail(entries: number) {
    const database = await open()
    const events = new Events(database, () => new Date())
    await record(events, entries)
    return { database, events }
  }

  describe('a copy in a file', () => {
    it('has every entry once and in order, ends with an anchor, and proves itself', async () => {
      const { database, events } = await trail(1203)
      const path = join(await testFolder(), 'trail.jsonl')
      const copy = copying(database, fileSink(path))
      await copy()
      await record(events, 2)
      await copy()
      const lines = await linesOf(path)
      expectWhole(lines.filter(isEntry))
      expect(lines.filter(isEntry)).toHaveLength(1205)
      expect(lines.filter(({ anchor }) => anchor)).toMatchObject([{ anchor: { seq: 1203 } }])
    })

    it('goes on in a new file after rotation, and on a line of its own after a crash', async () => {
      const { database, events } = await trail(3)
      const path = join(await testFolder(), 'trail.jsonl')
      const copy = copying(database, fileSink(path))
      await copy()
      await rename(path, `${path}.1`)
      await writeFile(path, '{"seq":4,"ts":"2026-')
      await record(events, 2)
      await copy()
      const [broken, ...rest] = (await readFile(path, 'utf8')).split('\n').filter(Boolean)
      expect(broken).toBe('{"seq":4,"ts":"2026-')
      expect(rest.map((line) => (JSON.parse(line) as Line).seq)).toEqual([4, 5])
    })

    it('repeats what it cannot know to be there, and loses nothing', async () => {
      const { database } = await trail(4)
      const path = join(await testFolder(), 'trail.jsonl')
      const sink = fileSink(path)
      const dies = {
        ...sink,
        send: async (...given: Parameters<TrailSink['send']>) => {
          await sink.send(...given)
          throw new Error('The process died before it noted that.')
        },
      }
      await expect(copying(database, dies)()).rejects.toThrow('died')
      await copying(database, sink)()
      expect((await linesOf(path)).filter(isEntry).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 1, 2, 3, 4])
    })

    it('is written by one process at a time, and by another once that one has let go', async () => {
      const { database } = await trail(2)
      const path = join(await testFolder(), 'trail.jsonl')
      await copying(database, fileSink(path))()
      const clock = { ms: Date.now() }
      const other = copying(database, fileSink(path), { owner: 'two', now: () => new Date(clock.ms) })
      await record(new Events(database, () => new Date()), 1)
      await other()
      expect((await linesOf(path)).filter(isEntry)).toHaveLength(2)
      clock.ms += 61_000
      await other()
      expect((await linesOf(path)).filter(isEntry)).toHaveLength(3)
    })
  })

  describe('entries that are cut out of the database', () => {
    it('show against the copy: by comparing, in its state, and in the copy itself', async () => {
      const { database, events } = await trail(6)
      const path = join(await testFolder(), 'trail.jsonl')
      const copy = copying(database, fileSink(path))
      await copy()
      const entries = (await linesOf(path)).flatMap(({ seq, hash: own }) => (seq && own ? [{ seq, hash: own }] : []))
      const parts = { database, settings: fixedSettings({ ...noTargets, trail_file: path }), now: () => new Date() }
      expect(await compareEntries(database, entries)).toMatchObject({ fits: true, newest: 6 })
      expect(await presentCopies(parts)).toMatchObject([{ state: 'ok', copied: 6, behind: 0, cut_at: null }])
      await cutNewest(database, 5)
      expect((await events.verify()).intact).toBe(true)
      expect(await compareEntries(database, entries)).toEqual({ fits: false, at: 5, problem: 'missing', newest: 4 })
      expect(await presentCopies(parts)).toMatchObject([{ state: 'cut', cut_at: 5 }])
      await record(events, 3)
      expect(await compareEntries(database, entries)).toMatchObject({ fits: false, at: 5, problem: 'different' })
      await copy()
      expect((await linesOf(path)).find(({ cut }) => cut)?.cut).toMatchObject({
        misfit: { seq: 5 },
        newest: { seq: 7 },
      })
      expect(await presentCopies(parts)).toMatchObject([{ state: 'cut' }])
      expect(
        await compareEntries(
          database,
          (await linesOf(path)).flatMap(({ seq, hash: own }) => (seq && own ? [{ seq, hash: own }] : [])),
        ),
      ).toMatchObject({ fits: false, at: 5 })
    })
  })

  describe('a copy at a webhook', () => {
    it('is signed, and waits until the receiver takes it', async () => {
      const { database } = await trail(3)
      const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
      const got: { body: string; headers: Record<string, unknown> }[] = []
      const answer = { status: 503 }
      const server = createHttpServer((request, response) => {
        const parts: Buffer[] = []
        request.on('data', (part: Buffer) => parts.push(part))
        request.on('end', () => {
          got.push({ body: Buffer.concat(parts).toString(), headers: request.headers })
          response.writeHead(answer.status).end()
        })
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const http = guardedFetch({ mayReach: () => true })
      onTestFinished(async () => {
        await http.close()
        server.close()
      })
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/trail`
      const parts = { fetch: http.fetch, secret, allowed: '127.0.0.1', now: () => new Date() }
      const copy = copying(database, webhookSink(url, parts))
      await expect(copy()).rejects.toThrow('answered 503')
      const settings = fixedSettings({ ...noTargets, trail_webhook_url: url })
      const state = () => presentCopies({ database, settings, now: () => new Date() })
      expect(await state()).toMatchObject([{ state: 'failing', behind: 3, error: 'The endpoint answered 503.' }])
      expect(await presentCopies({ database, settings, now: () => new Date(Date.now() + 16 * 60_000) })).toMatchObject([
        { state: 'standing' },
      ])
      answer.status = 204
      await copy()
      expect(await state()).toMatchObject([{ state: 'ok', behind: 0, error: null }])
      const { body, headers } = got[1] ?? { body: '', headers: {} }
      const at = new Date(Number(headers['webhook-timestamp']) * 1000)
      const expected = signedHeaders(String(headers['webhook-id']), at, body, [secret])
      expect(headers['webhook-signature']).toBe(expected['webhook-signature'])
      const { entries } = JSON.parse(body) as { entries: Line[] }
      expectWhole(entries.filter(isEntry))
    })
  })

  describe.skipIf(!findOpenssl())('a copy at a syslog server over TLS', () => {
    async function witness() {
      const authority = trustAuthority()
      return { authority, server: await syslogServer(authority.issue({ name: 'IP:127.0.0.1' })) }
    }

    it('arrives in frames of RFC 5425 with headers of RFC 5424, whole and in order', async () => {
      const { database } = await trail(620)
      const { server } = await witness()
      await copying(database, syslogSink(server.target, null))()
      expect(server.received.every((message) => header.test(message))).toBe(true)
      expectWhole(server.lines().filter(isEntry))
      expect(server.lines().at(-1)).toMatchObject({ anchor: { seq: 620 } })
    })

    it('tells of entries that were cut out of the database, even by the anchor alone', async () => {
      const { database, events } = await trail(9)
      const { server } = await witness()
      await copying(database, syslogSink(server.target, null))()
      await cutNewest(database, 8)
      expect((await events.verify()).intact).toBe(true)
      const got = server.lines().flatMap(({ seq, hash: own }) => (seq && own ? [{ seq, hash: own }] : []))
      expect(await compareEntries(database, got)).toEqual({ fits: false, at: 8, problem: 'missing', newest: 7 })
      const anchor = server.lines().at(-1)?.anchor ?? { seq: 0, hash: '' }
      expect(await compareEntries(database, [anchor])).toMatchObject({ fits: false, at: 9, problem: 'missing' })
      const settings = fixedSettings({ ...noTargets, trail_syslog: server.target })
      expect(await presentCopies({ database, settings, now: () => new Date() })).toMatchObject([{ state: 'cut' }])
    })

    it('is sent again when the server dies while it reads', async () => {
      const { database } = await trail(5)
      const { server } = await witness()
      const copy = copying(database, syslogSink(server.target, null))
      server.ways.dies = true
      await expect(copy()).rejects.toThrow('did not accept the entries')
      expect(server.received).toEqual([])
      server.ways.dies = false
      await copy()
      expectWhole(server.lines().filter(isEntry))
    })

    it('goes to nobody whose certificate is not good for the name, or not of the authority', async () => {
      const { database } = await trail(2)
      const { authority, server: good } = await witness()
      const wrong = [
        await syslogServer(authority.issue({ name: 'DNS:other.example.test' })),
        await syslogServer(authority.selfSigned({ name: 'IP:127.0.0.1' })),
      ]
      for (const { target, received } of wrong) {
        await expect(copying(database, syslogSink(target, null))()).rejects.toThrow('did not accept the entries')
        expect(received).toEqual([])
      }
      await copying(database, syslogSink(good.target, null))()
      expect(good.received).toHaveLength(3)
    })
  })
})
