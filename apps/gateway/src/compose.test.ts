import { type RouteName, type RouteRow, routes } from '@faxdeck/contract'
import type { FastifyInstance } from 'fastify'
import { describe, expect, it } from 'vitest'
import { startGateway } from './testing/start-gateway.ts'

const all = Object.entries(routes) as [RouteName, RouteRow][]

const junk = [
  '',
  '0',
  '../..',
  '%00',
  "' or 1=1 --",
  '\u{1f4e0}',
  'a'.repeat(3000),
  '-1',
  'null',
  '{}',
  '9'.repeat(400),
]
const bodies = [
  undefined,
  null,
  7,
  'text',
  [],
  {},
  { a: { b: [1] } },
  { to: null, scopes: 'x' },
  { path: '\0', content: '\0' },
]

/** The row's address with every parameter, and every known query field, set to `text`. */
function addressWith(row: RouteRow, text: string): string {
  const path = row.path.replace(/:\w+/g, encodeURIComponent(text))
  const query = Object.keys(row.query?.shape ?? {}).map((name): [string, string] => [name, text])
  return query.length > 0 ? `${path}?${new URLSearchParams(query)}` : path
}

async function askAll(app: FastifyInstance, key: string | undefined, each: (row: RouteRow) => string[]) {
  const answers: { call: string; status: number }[] = []
  for (const [name, row] of all) {
    if (name === 'restart') continue
    for (const [index, url] of each(row).entries()) {
      const body = bodies[index % bodies.length]
      const payload = row.method === 'GET' || body === undefined ? {} : { payload: JSON.stringify(body) }
      const headers = { host: 'localhost', 'content-type': 'application/json', ...(key ? { 'x-api-key': key } : {}) }
      const answer = await app.inject({ method: row.method, url, headers, ...payload, remoteAddress: '127.0.0.1' })
      answers.push({ call: `${name} ${url.slice(0, 80)} ${JSON.stringify(body)}`, status: answer.statusCode })
    }
  }
  return answers
}

describe('the application', () => {
  it('serves every call of the contract', async () => {
    const { app } = await startGateway()
    const served = all.filter(([, { method, path }]) => app.hasRoute({ method, url: path }))
    expect(served.map(([name]) => name)).toEqual(all.map(([name]) => name))
  })

  it('asks every call for a key unless its row says otherwise', async () => {
    const { app } = await startGateway()
    const answers = await askAll(app, undefined, (row) => (row.permission === null ? [] : [addressWith(row, 'x')]))
    expect(answers.filter(({ status }) => status !== 401)).toEqual([])
  })

  it('answers junk with a refusal, never with a fault of its own', async () => {
    const { app, key } = await startGateway({ env: { INBOUND_LIST_RPM: '0', INBOUND_GET_RPM: '0' } })
    const answers = await askAll(app, key, (row) => junk.map((text) => addressWith(row, text)))
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    expect(answers.length).toBeGreaterThan(300)
  }, 30_000)
})
