import { exampleOf, type RouteName, type RouteRow, routes } from '@faxdeck/contract'
import type { InjectOptions } from 'fastify'
import { describe, expect, it } from 'vitest'
import { startGateway } from '../../testing/start-gateway.ts'

const rows = Object.entries<RouteRow>(routes) as [RouteName, RouteRow][]
/** They would do what they say, were an unknown parameter ignored. */
const addressOf = ([name, { path }]: [RouteName, RouteRow]) => {
  const { params = {}, query = {} } = exampleOf(name, path)
  const filled = path.replace(/:(\w+)/g, (_, part: string) => String(params[part]))
  return {
    filled,
    query: new URLSearchParams(Object.entries(query).map(([key, value]): [string, string] => [key, String(value)])),
  }
}

describe('the parameters of every row', () => {
  it('are those that it names: others are refused by name', async () => {
    const { app, key } = await startGateway()
    const refused: Record<string, unknown> = {}
    for (const each of rows) {
      const [name, { method, form }] = each
      const { filled, query } = addressOf(each)
      query.set('statuss', 'x')
      const { body } = exampleOf(name, filled)
      const formType = form ? { 'content-type': 'multipart/form-data; boundary=b' } : {}
      const options: InjectOptions = {
        method,
        url: `${filled}?${query}`,
        headers: { host: 'localhost', 'x-api-key': key, ...formType },
      }
      const payload = form ? '--b--\r\n' : (body as object | undefined)
      const answer = await app.inject(payload === undefined ? options : { ...options, payload })
      const said = answer.statusCode === 422 ? String(answer.json().detail) : `${answer.statusCode} ${answer.body}`
      if (!said.includes('There is no "statuss" here.')) refused[name] = said
    }
    expect(refused).toEqual({})
  })

  it('have no offset, and the refusal says how lists are paged', async () => {
    const { app, key } = await startGateway()
    const headers = { host: 'localhost', 'x-api-key': key }
    for (const each of rows.filter(([, { query }]) => query && 'cursor' in query.shape)) {
      const { filled } = addressOf(each)
      const answer = await app.inject({ url: `${filled}?offset=20`, headers })
      expect([answer.statusCode, answer.json().detail], each[0]).toEqual([
        422,
        expect.stringMatching(/no "offset" here\. Lists are paged by cursor/),
      ])
    }
  })

  it('take states in any case', () => {
    for (const [name, { query }] of rows) {
      for (const part of ['status', 'state']) {
        const schema = query?.shape[part]
        if (schema === undefined) continue
        for (const given of ['FAILED', 'Failed', 'WAITING', 'Pending', 'Success', 'QUEUED']) {
          const asWritten = [given.toLowerCase(), given.toUpperCase()].some((each) => schema.safeParse(each).success)
          expect(schema.safeParse(given).success, `${name} ${given}`).toBe(asWritten)
        }
      }
    }
  })
})
