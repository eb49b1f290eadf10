import { exampleOf, type RouteName, type RouteRow, routes } from '@faxdeck/contract'
import { describe, expect, it } from 'vitest'
import { type Answer, listeningGateway, type Program } from '../testing/listening.ts'

const absent = '0'.repeat(32)
const absentMessage = `msg_${absent}`
const rows = Object.entries<RouteRow>(routes) as [RouteName, RouteRow][]

/** Words that stand nowhere but in the fax of the first key, its webhook and its events. */
const labels = { reference: 'zebra-reference', metadata: '{"patient":"yak-metadata"}' }

const settled = (program: Program, id: string) => program.call('GET', `/fax/${id}?wait=60`)

/** A call of the contract with its example, about one id. */
function ask(program: Program, [name, row]: [RouteName, RouteRow], id: string): Promise<Answer> {
  const { params = {}, query = {}, body } = exampleOf(name, row.path)
  const path = row.path.replace(/:(\w+)/g, (_, part: string) => (part === 'id' ? id : String(params[part])))
  const search = new URLSearchParams(
    Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]),
  )
  return program.call(row.method, search.size > 0 ? `${path}?${search}` : path, row.body ? (body ?? {}) : undefined)
}

/** What two refusals may differ in: when they were made, and the name of the request. */
function comparable({ status, headers, text }: Answer) {
  const seen = [...headers].filter(([name]) => !['date', 'x-request-id', 'ratelimit', 'content-length'].includes(name))
  return { status, headers: seen, text: text.replace(/"(request_id|instance)":"[^"]*"/g, '') }
}

async function world() {
  const gateway = await listeningGateway()
  const owner = await gateway.program('own')
  const id = await owner.send(labels)
  await settled(owner, id)
  const hook = await owner.call('POST', '/webhooks', {
    url: 'https://hooks.example.com/walrus',
    events: ['fax.delivered'],
  })
  const hookId = String(hook.json()['id'])
  const tested = await owner.call('POST', `/webhooks/${hookId}/test`)
  return { ...gateway, owner, id, hookId, messageId: String(tested.json()['id']) }
}

describe('a key that sees its own faxes', () => {
  it('learns by no call of the contract that another fax or webhook is there', async () => {
    const { program, id, hookId, messageId } = await world()
    const foreign = await program('own')
    const secrets = [id, hookId, messageId, 'zebra', 'yak', 'walrus', 'quarterly', '5555550123']
    const walk = async (row: (typeof rows)[number]) => {
      const [name, { path }] = row
      const isMessage = path.includes('deliveries/:id')
      const theirs = isMessage ? [messageId] : [id, hookId]
      const nobody = comparable(await ask(foreign, row, isMessage ? absentMessage : absent))
      for (const each of path.includes(':id') ? theirs : []) {
        const answer = comparable(await ask(foreign, row, each))
        expect(answer, `${name} of ${each}`).toEqual(nobody)
      }
      for (const secret of secrets) expect(nobody.text, name).not.toContain(secret)
    }
    const left = [...rows]
    const work = async () => {
      for (let row = left.pop(); row; row = left.pop()) await walk(row)
    }
    await Promise.all([work(), work(), work(), work()])
  })

  it('finds no other fax by filter, search, cursor or key of a repeat', async () => {
    const { program, owner, id } = await world()
    const foreign = await program('own')
    const first = (await owner.call('GET', '/fax?limit=1')).json()
    expect(first['faxes']).toMatchObject([{ id }])
    const queries = [
      '',
      '?status=success',
      '?reference=zebra-reference',
      '?metadata=patient:yak-metadata',
      '?to=%2B15555550123',
      '?q=zebra',
      '?q=quarterly',
      '?q=5550123',
      `?q=${id.slice(0, 8)}`,
      '?backend=testline',
      '?from=2020-01-01',
    ]
    for (const query of queries) {
      const [own, others] = [await owner.call('GET', `/fax${query}`), await foreign.call('GET', `/fax${query}`)]
      expect(own.json(), query).toMatchObject({ faxes: [{ id }] })
      expect(others.json(), query).toEqual({ faxes: [], next_cursor: null })
    }
    const headers = { 'idempotency-key': 'the-same' }
    const [one, two] = [await owner.send({}, headers), await foreign.send({}, headers)]
    expect(two).not.toBe(one)
  })

  it('neither stops nor repeats another fax, which goes on', async () => {
    const { program, owner, id } = await world()
    const foreign = await program('own')
    for (const act of ['cancel', 'resend']) {
      expect((await foreign.call('POST', `/fax/${id}/${act}`, act === 'resend' ? {} : undefined)).status).toBe(404)
    }
    expect((await owner.call('GET', '/fax')).json()['faxes']).toHaveLength(1)
    const again = await owner.call('POST', `/fax/${id}/resend`, {})
    expect(again.status).toBe(202)
    expect(again.json()).toMatchObject({ reference: labels.reference, metadata: { patient: 'yak-metadata' } })
  })
})

describe('what a key sees', () => {
  it('is chosen when it is made: its own, any whose id it knows, or all', async () => {
    const { program, id } = await world()
    const cases = { own: [404, 404, 0], by_id: [200, 200, 0], all: [200, 200, 1] } as const
    for (const [access, [read, receipt, listed]] of Object.entries(cases)) {
      const key = await program(access as keyof typeof cases)
      expect((await key.call('GET', `/fax/${id}`)).status, access).toBe(read)
      expect((await key.call('GET', `/fax/${id}/receipt`)).status, access).toBe(receipt)
      expect((await key.call('GET', '/fax')).json()['faxes'], access).toHaveLength(listed)
      // Whoever sees none in lists may not act on it either.
      expect((await key.call('POST', `/fax/${id}/cancel`)).status, access).toBe(listed === 1 ? 409 : 404)
    }
  })

  it('is what it was for keys that were made without the choice, and everything for those that administer', async () => {
    const { client, id, program } = await world()
    expect(await client.createApiKey({ body: {} })).toMatchObject({ fax_access: 'by_id' })
    const admin = await program('own', ['keys:manage'])
    expect((await admin.call('GET', '/fax')).json()['faxes']).toMatchObject([{ id }])
    const listed = await client.listApiKeys({})
    expect(listed.find(({ key_id: keyId }) => keyId === admin.keyId)).toMatchObject({ fax_access: 'all' })
  })
})
