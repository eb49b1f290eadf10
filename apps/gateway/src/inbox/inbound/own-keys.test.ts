import { exampleOf, type RouteName, type RouteRow, routes } from '@faxdeck/contract'
import { expect, it } from 'vitest'
import { listeningGateway, type Program } from '../../testing/listening.ts'

const scopes = ['fax:send', 'fax:read', 'inbound:list', 'inbound:read'] as const
const rows = (Object.entries<RouteRow>(routes) as [RouteName, RouteRow][]).filter(
  ([, { permission }]) => permission === 'list_received' || permission === 'read_received',
)

async function ask(program: Program, [name, row]: (typeof rows)[number], id: string): Promise<number> {
  const { params = {}, query = {}, body } = exampleOf(name, row.path)
  const path = row.path.replace(/:(\w+)/g, (_, part: string) => (part === 'id' ? id : String(params[part])))
  const search = new URLSearchParams(
    Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]),
  )
  const answer = await program.call(row.method, `${path}?${search}`, row.body ? (body ?? {}) : undefined)
  if (answer.status === 403) expect(answer.json()['detail']).toContain('no received faxes')
  return answer.status
}

it('a key that sees only what it sent is refused every call about received faxes; one that sees by id is not', async () => {
  const { client, program } = await listeningGateway()
  const { id } = await client.simulateInbound({ body: {} })
  await expect.poll(async () => (await client.getInbound({ params: { id } })).status).toBe('received')
  const [own, byId] = [await program('own', [...scopes]), await program('by_id', [...scopes])]
  expect(rows.length).toBeGreaterThan(8)
  for (const row of rows) {
    expect(await ask(own, row, id), row[0]).toBe(403)
    expect(await ask(byId, row, id), row[0]).not.toBe(403)
  }
})

it('a paired device reads received faxes', async () => {
  const { client, address } = await listeningGateway()
  const { code } = await client.pairTunnel({})
  const { token } = await client.redeemPairing({ body: { code } })
  expect((await fetch(`${address}/inbound`, { headers: { 'x-api-key': token } })).status).toBe(200)
})
