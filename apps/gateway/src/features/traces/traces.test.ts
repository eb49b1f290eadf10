import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startGateway } from '../../testing/start-gateway.ts'

interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  status: { code?: number; message?: string }
}

/** A collector that keeps what it is given. */
async function collect() {
  const spans: Span[] = []
  const heads: (string | undefined)[] = []
  const texts: string[] = []
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const body = (await json(request)) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }
    heads.push(request.url, request.headers['x-token'] as string | undefined)
    texts.push(JSON.stringify(body))
    spans.push(...body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((each) => each.spans)))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }
  const server = createServer((request, response) => void take(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { spans, heads, texts, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

const delivered = '+15555550123'
const notInService = '+15555550102'
const file = () => new File(['Dear colleague'], 'secret-referral.txt', { type: 'text/plain' })

describe('the life of a fax, told to a collector', () => {
  it('is a trace with the id of the fax and a span for each attempt, and says nothing of whom or what', async () => {
    const { spans, heads, texts, url } = await collect()
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_HEADERS: 'x-token=4711, x-other=a=b' }
    const { client, stop } = await startGateway({ env })
    const ids: string[] = []
    for (const to of [delivered, notInService]) ids.push((await client.submitFax({ form: { to, file: file() } })).id)
    const of = (id?: string) => spans.filter(({ traceId }) => traceId === id)
    await expect
      .poll(() =>
        of(ids[0])
          .map(({ name }) => name)
          .sort(),
      )
      .toEqual(['attempt 1', 'fax', 'queued'])
    const [whole] = of(ids[0]).filter(({ parentSpanId }) => !parentSpanId)
    expect(whole).toMatchObject({ name: 'fax', status: { code: 1 } })
    for (const { parentSpanId, startTimeUnixNano: start, endTimeUnixNano: end } of of(ids[0])) {
      if (parentSpanId) expect(parentSpanId).toBe(whole?.spanId)
      expect(BigInt(end) >= BigInt(start)).toBe(true)
      expect(BigInt(start) >= BigInt(whole?.startTimeUnixNano ?? 0)).toBe(true)
    }
    const failed = { name: 'fax', status: { code: 2, message: 'bad_number' } }
    await expect.poll(() => of(ids[1])).toContainEqual(expect.objectContaining(failed))
    await stop()
    expect(heads).toContain('/v1/traces')
    expect(heads).toContain('4711')
    for (const text of texts) expect(text).not.toMatch(/555555|referral/)
  })

  it('is told at the end, when the gateway stops before it was told', async () => {
    const { spans, url } = await collect()
    const { client, stop } = await startGateway({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: url } })
    const { id } = await client.submitFax({ form: { to: delivered, file: file() } })
    await expect.poll(async () => (await client.getFax({ params: { id } })).status).toBe('SUCCESS')
    await stop()
    expect(spans.map(({ traceId }) => traceId)).toContain(id)
  })

  it('holds up no fax and no stop while the collector is away', async () => {
    const { client, stop } = await startGateway({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' } })
    const { id } = await client.submitFax({ form: { to: delivered, file: file() } })
    await expect.poll(async () => (await client.getFax({ params: { id } })).status).toBe('SUCCESS')
    await stop()
  })
})
