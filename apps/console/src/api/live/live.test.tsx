import type { LiveMessage } from '@faxdeck/contract'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { keepKey } from '../key.ts'
import { readLive } from './live.ts'
import { refreshLive } from './refresh-live.ts'

/** A gateway whose streams the test writes to and cuts. */
function fakeStreams() {
  const opened: ReadableStreamDefaultController<Uint8Array>[] = []
  const asked: { address: string; key: string | null }[] = []
  const refusals: number[] = []
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    asked.push({ address, key: new Headers(init.headers).get('x-api-key') })
    const refusal = refusals.shift()
    if (refusal) return new Response('', { status: refusal })
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        opened.push(controller)
        init.signal?.addEventListener('abort', () => controller.error(new DOMException('Aborted', 'AbortError')))
      },
    })
    return new Response(body)
  })
  const write = (text: string) => opened.at(-1)?.enqueue(new TextEncoder().encode(text))
  const report = (message: LiveMessage) => write(`event: change\ndata: ${JSON.stringify(message)}\n\n`)
  return { opened, asked, refusals, write, report }
}

function reading(pauses: Parameters<typeof readLive>[2] = { firstMs: 1 }) {
  const abort = new AbortController()
  onTestFinished(() => abort.abort())
  const onOpen = vi.fn()
  const onMessage = vi.fn()
  const ended = readLive({ onOpen, onMessage }, abort.signal, pauses)
  return { onOpen, onMessage, ended, abort }
}

beforeEach(() => keepKey('fdk_live_mine'))
afterEach(() => Object.defineProperty(document, 'visibilityState', { configurable: true, value: 'visible' }))

describe('reading what changes', () => {
  it('sends the key in the header and reads messages however they are cut', async () => {
    const { asked, write } = fakeStreams()
    const { onOpen, onMessage } = reading()
    await vi.waitFor(() => expect(onOpen).toHaveBeenCalledTimes(1))
    expect(asked).toEqual([{ address: '/admin/events', key: 'fdk_live_mine' }])
    write(': open\n\nevent: change\nda')
    write('ta: {"changed":["jobs"]}\n')
    write('\n:\n\nevent: later\ndata: {}\n\nevent: change\ndata: {"changed":["inbound"]}\n\n')
    await vi.waitFor(() => expect(onMessage).toHaveBeenCalledTimes(2))
    expect(onMessage.mock.calls.flat()).toEqual([{ changed: ['jobs'] }, { changed: ['inbound'] }])
  })

  it('opens the stream again when it ends, breaks off or cannot be opened', async () => {
    const { opened, refusals, asked } = fakeStreams()
    const { onOpen } = reading()
    await vi.waitFor(() => expect(onOpen).toHaveBeenCalledTimes(1))
    refusals.push(503, 500)
    opened[0]?.close()
    await vi.waitFor(() => expect(onOpen).toHaveBeenCalledTimes(2))
    expect(asked).toHaveLength(4)
    opened[1]?.error(new TypeError('network error'))
    await vi.waitFor(() => expect(onOpen).toHaveBeenCalledTimes(3))
  })

  it('gives up a stream that shows no sign of life', async () => {
    fakeStreams()
    const { onOpen } = reading({ firstMs: 1, silenceMs: 5 })
    await vi.waitFor(() => expect(onOpen.mock.calls.length).toBeGreaterThan(1))
  })

  it.each([401, 403, 404])('asks no more after a %i', async (status) => {
    const { asked, refusals } = fakeStreams()
    refusals.push(status)
    await reading().ended
    expect(asked).toHaveLength(1)
  })
})

/** A query on the screen that counts how often it is asked. */
function shown(queries: QueryClient, key: string, meta: NonNullable<QueryObserver['options']['meta']>) {
  const ask = vi.fn(async () => key)
  const observer = new QueryObserver(queries, { queryKey: [key], queryFn: ask, meta, staleTime: Infinity })
  onTestFinished(observer.subscribe(() => undefined))
  return ask
}

async function refreshing() {
  const streams = fakeStreams()
  const queries = new QueryClient()
  onTestFinished(() => queries.clear())
  const asks = {
    jobs: shown(queries, 'jobs', { live: ['jobs'] }),
    first: shown(queries, 'first', { live: ['jobs'], job: 'a' }),
    second: shown(queries, 'second', { live: ['jobs'], job: 'b' }),
    inbound: shown(queries, 'inbound', { live: ['inbound'], apartMs: 60_000 }),
  }
  const counts = () => Object.values(asks).map((ask) => ask.mock.calls.length)
  await vi.waitFor(() => expect(counts()).toEqual([1, 1, 1, 1]))
  onTestFinished(refreshLive(queries, { betweenMs: 5, restMs: 10 }))
  await vi.waitFor(() => expect(streams.opened).toHaveLength(1))
  return { ...streams, queries, asks, counts }
}

describe('what is on the screen', () => {
  it('is asked for again when the gateway says that it changed, and nothing else', async () => {
    const { report, counts } = await refreshing()
    report({ changed: ['jobs', 'health'], job_ids: ['a'] })
    await vi.waitFor(() => expect(counts()).toEqual([2, 2, 1, 1]))
    report({ changed: ['jobs'] })
    await vi.waitFor(() => expect(counts()).toEqual([3, 3, 2, 1]))
  })

  it('is asked for once more when it changes while the answer is under way', async () => {
    const { report, asks, counts } = await refreshing()
    let answer = (_: string) => {}
    asks.jobs.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)))
    for (let n = 0; n < 3; n++) report({ changed: ['jobs'], job_ids: ['none'] })
    await vi.waitFor(() => expect(counts()[0]).toBe(2))
    answer('late')
    await vi.waitFor(() => expect(counts()[0]).toBe(3))
  })

  it('is not asked for again too soon where the gateway counts the readings', async () => {
    const { report, counts } = await refreshing()
    for (let n = 0; n < 3; n++) report({ changed: ['inbound'] })
    report({ changed: ['jobs'] })
    await vi.waitFor(() => expect(counts()[0]).toBe(2))
    expect(counts()[3]).toBe(2)
  })

  it('is asked for at most so often however much changes, each in its turn, and the last change is seen', async () => {
    const streams = fakeStreams()
    const queries = new QueryClient()
    onTestFinished(() => queries.clear())
    const asks = ['a', 'b', 'c'].map((key) => shown(queries, key, { live: ['jobs'] }))
    const counts = () => asks.map((ask) => ask.mock.calls.length)
    await vi.waitFor(() => expect(counts()).toEqual([1, 1, 1]))
    onTestFinished(refreshLive(queries, { betweenMs: 40, restMs: 80 }))
    await vi.waitFor(() => expect(streams.opened).toHaveLength(1))
    const times: number[] = []
    for (const ask of asks) ask.mockImplementation(async () => (times.push(Date.now()), 'answer'))
    const begun = Date.now()
    while (Date.now() < begun + 600) {
      streams.report({ changed: ['jobs'] })
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    // Timers are late at times, never early by more than their resolution: a slow machine asks less.
    expect(times.length).toBeLessThanOrEqual(Math.ceil((Date.now() - begun) / 38) + 1)
    expect(Math.max(...counts()) - Math.min(...counts())).toBeLessThanOrEqual(1)
    const before = counts()
    await vi.waitFor(() => expect(counts().every((count, n) => count > (before[n] ?? 0))).toBe(true))
  })

  it('shows what a message carries without asking, and asks where it carries too little', async () => {
    const { report, queries, counts } = await refreshing()
    const patch = (_: never, { health }: LiveMessage) => health?.backend
    const ask = shown(queries, 'health', { live: ['health'], patch })
    await vi.waitFor(() => expect(queries.getQueryData(['health'])).toBe('health'))
    report({ changed: ['health'], health: { backend: 'from the message' } as LiveMessage['health'] })
    await vi.waitFor(() => expect(queries.getQueryData(['health'])).toBe('from the message'))
    expect([ask.mock.calls.length, ...counts()]).toEqual([1, 1, 1, 1, 1])
    report({ changed: ['health'] })
    await vi.waitFor(() => expect(ask.mock.calls.length).toBe(2))
  })

  it('is followed only while the page is seen, and made fresh when it is seen again', async () => {
    const { opened, asked, counts } = await refreshing()
    const turn = (value: string) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, value })
      document.dispatchEvent(new Event('visibilitychange'))
    }
    turn('hidden')
    expect(asked).toHaveLength(1)
    turn('visible')
    await vi.waitFor(() => expect(opened).toHaveLength(2))
    await vi.waitFor(() => expect(counts()).toEqual([2, 2, 2, 2]))
  })
})
