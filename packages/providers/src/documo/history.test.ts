import { serve } from '@faxdeck/provider-kit/emulator'
import { madeHost } from '@faxdeck/provider-kit/testing/made-host'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { accountOf } from './account.ts'
import { History } from './history.ts'

const now = Date.parse('2026-03-01T12:00:00Z')
/** So many faxes, a minute between two, the newest first. */
const many = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    messageId: `m${n}`,
    direction: 'outbound',
    createdAt: new Date(now - n * 60_000).toISOString(),
  }))
type Read = (query: URLSearchParams) => object

async function open(read: Read, limit = Infinity) {
  const server = await serve(({ query }) => {
    if (server.requests.length === limit) return { status: 429, headers: { 'retry-after': '1' } }
    return { status: 200, body: read(query) }
  })
  const history = new History(accountOf({ documo_base_url: server.origin, documo_history_path: '/h' }), madeHost())
  onTestFinished(async () => {
    history.close()
    await server.close()
  })
  return { history, requests: server.requests }
}

const rows = many(250)
const slice = (from: number) => rows.slice(from, from + 100)
const never = new AbortController().signal
const ancient = new Date(0)

describe('the history of an account', () => {
  it.each<[string, Read]>([
    ['by place', (query) => ({ count: 250, rows: slice(Number(query.get('offset') ?? 0)) })],
    ['by place, without a count', (query) => ({ rows: slice(Number(query.get('offset') ?? 0)) })],
    ['by number from 0', (query) => ({ count: 250, rows: slice(Number(query.get('page') ?? 0) * 100) })],
    ['by number from 1', (query) => ({ count: 250, rows: slice((Number(query.get('page') ?? 1) - 1) * 100) })],
  ])('is read to its end where pages are asked for %s', async (_how, read) => {
    const { history } = await open(read)
    expect(await history.since(ancient, never)).toHaveLength(250)
  })

  it('ends where nothing newer can follow', async () => {
    const { history, requests } = await open((query) => ({ count: 250, rows: slice(Number(query.get('offset') ?? 0)) }))
    expect(await history.since(new Date(now - 30 * 60_000), never)).toHaveLength(100)
    expect(requests).toHaveLength(1)
  })

  it('is not read for ever where pages cannot be asked for', async () => {
    const { history, requests } = await open(() => ({ rows: slice(0) }))
    expect(await history.since(ancient, never)).toHaveLength(100)
    expect(requests.length).toBeLessThan(6)
  })

  it('is read on after the caller has lost patience, and when Documo wants a pause', async () => {
    const { history, requests } = await open(
      (query) => ({ count: 250, rows: slice(Number(query.get('offset') ?? 0)) }),
      2,
    )
    await expect(history.since(ancient, AbortSignal.timeout(100))).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(history.recall(({ messageId }) => messageId === 'm249')).toBeUndefined()
    await vi.waitFor(() => expect(history.recall(({ messageId }) => messageId === 'm249')).toBeDefined(), 5000)
    expect(requests).toHaveLength(4)
  })

  it('is asked for at most six times a minute, and stops waiting when its line is closed', async () => {
    const { history, requests } = await open((query) => ({
      rows: many(1000)
        .slice(Number(query.get('offset') ?? 0))
        .slice(0, 100),
    }))
    const reading = history.since(ancient, never)
    await vi.waitFor(() => expect(requests).toHaveLength(6))
    history.close()
    await expect(reading).rejects.toMatchObject({ name: 'ProviderProblem' })
    expect(requests).toHaveLength(6)
  })
})
