import { exampleOf, type RouteName, type RouteRow, routes } from '@faxdeck/contract'
import { describe, expect, it } from 'vitest'
import { startGateway } from '../../../testing/start-gateway.ts'

const forms = (Object.entries<RouteRow>(routes) as [RouteName, RouteRow][]).filter(([, { form }]) => form)

async function opened() {
  const { app, key, client } = await startGateway()
  const send = async (url: string, fields: readonly (readonly [string, string])[], file = 'One page') => {
    const form = new FormData()
    for (const [name, value] of fields) form.append(name, value)
    form.append('file', new File([file], 'letter.txt'))
    const request = new Response(form)
    const answer = await app.inject({
      method: 'POST',
      url,
      headers: { host: 'localhost', 'x-api-key': key, 'content-type': request.headers.get('content-type') ?? '' },
      payload: Buffer.from(await request.arrayBuffer()),
    })
    return { status: answer.statusCode, body: answer.json() }
  }
  return { client, send }
}

describe('a form field that a call does not know', () => {
  it('is refused by name, by every call that takes a form, and nothing is done', async () => {
    const { client, send } = await opened()
    const said: Record<string, unknown> = {}
    for (const [name, { path }] of forms) {
      const { form = {} } = exampleOf(name, path) as { form?: Record<string, unknown> }
      const known = Object.entries(form).filter(([, value]) => typeof value === 'string') as [string, string][]
      const { status, body } = await send(path, [...known, ['send_at', '2027-01-01T00:00:00Z']])
      said[name] = [status, body.code, body.fields]
    }
    const refused = [422, 'invalid', [{ field: 'send_at', message: 'There is no such field.' }]]
    expect(forms.length).toBeGreaterThan(6)
    expect(said).toEqual(Object.fromEntries(forms.map(([name]) => [name, refused])))
    expect((await client.listJobs({ query: {} })).total).toBe(0)
  })

  it('is named with the one that was meant, all of them at once and cut short', async () => {
    const { send } = await opened()
    const { body } = await send('/fax', [
      ['to', '+15555550123'],
      ['cover_mote', 'Hello'],
      ['x'.repeat(5000), 'y'],
    ])
    expect(body.fields).toEqual([
      { field: 'cover_mote', message: 'There is no such field. Did you mean "cover_note"?' },
      { field: 'x'.repeat(60), message: 'There is no such field.' },
    ])
  })

  it('is not among those of POST /fax when the same form is quoted', async () => {
    const { send } = await opened()
    const form = [
      ['to', '+15555550123'],
      ['reference', 'Order 7'],
      ['metadata', '{"ward":"3"}'],
      ['unreadable', 'send'],
      ['cover', 'plain'],
    ] as const
    expect([(await send('/fax/quote', form)).status, (await send('/fax', form)).status]).toEqual([200, 202])
  })
})
