import { describe, expect, it } from 'vitest'
import { listeningGateway, type Program } from '../../testing/listening.ts'

const hook = { url: 'https://hooks.example.com/faxdeck', events: ['fax.delivered'] }
const add = async (program: Program, more: object = {}) => {
  const answer = await program.call('POST', '/webhooks', { ...hook, ...more })
  return { status: answer.status, id: String(answer.json()['id']), body: answer.json() }
}
const subjects = async (program: Program, id: string) => {
  const { text } = await program.call('GET', `/webhooks/${id}/deliveries`)
  return (JSON.parse(text) as { subject_id: string; payload: string }[]).map((each) => each.subject_id)
}

describe('the webhooks of a key', () => {
  it('tell of the faxes that the key sees, with their labels, and of no others', async () => {
    const { program, client } = await listeningGateway()
    const [own, foreign, all] = [await program('own'), await program('own'), await program('all')]
    const [ours, theirs, everything] = [await add(own), await add(foreign), await add(all)]
    const admins = await client.createWebhook({ body: { url: hook.url, events: ['fax.delivered'] } })
    const id = await own.send({ reference: 'order-4711', metadata: '{"ward":"3B"}' })
    await own.call('GET', `/fax/${id}?wait=60`)
    expect(await subjects(own, ours.id)).toEqual([id])
    expect(await subjects(foreign, theirs.id)).toEqual([])
    expect(await subjects(all, everything.id)).toEqual([id])
    const [delivery] = await client.listWebhookDeliveries({ params: { id: admins.id }, query: {} })
    expect(JSON.parse(delivery?.payload ?? '')).toMatchObject({
      data: { id, reference: 'order-4711', metadata: { ward: '3B' } },
    })
  })

  it('fall silent when the key expires, and are paused when it is revoked', async () => {
    const clock = { ms: Date.now() }
    const { program, client } = await listeningGateway({ now: () => new Date(clock.ms) })
    const expires_at = new Date(clock.ms + 3_600_000).toISOString()
    const [expiring, revoked] = [await program('all', ['fax:send', 'fax:read'], { expires_at }), await program('all')]
    const [first, second] = [await add(expiring), await add(revoked)]
    await client.revokeApiKey({ params: { id: revoked.keyId }, query: {} })
    clock.ms += 2 * 3_600_000
    const sender = await program('own')
    const id = await sender.send()
    await sender.call('GET', `/fax/${id}?wait=60`)
    const listed = await client.listWebhooks({})
    const stateOf = (hookId: string) => listed.find((each) => each.id === hookId)
    expect(stateOf(first.id)).toMatchObject({ enabled: true, last_delivery: null, key_id: expiring.keyId })
    expect(stateOf(second.id)).toMatchObject({ enabled: false, last_delivery: null })
  })

  it('hear of received faxes only if the key may list them', async () => {
    const { program } = await listeningGateway()
    const events = ['inbound.received']
    expect(await add(await program('own'), { events })).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    const scopes = ['fax:read' as const, 'inbound:list' as const]
    expect((await add(await program('own', scopes), { events })).status).toBe(403)
    const may = await program('by_id', scopes)
    const added = await add(may, { events })
    expect(added.status).toBe(201)
    const none = await program('own', ['fax:send'])
    expect((await none.call('GET', '/webhooks')).status).toBe(403)
  })

  it('are 20 at most, whatever other keys have', async () => {
    const { program } = await listeningGateway()
    const [own, foreign] = [await program('own'), await program('own')]
    for (let n = 0; n < 20; n++) expect((await add(own)).status).toBe(201)
    expect((await add(own)).status).toBe(409)
    expect((await add(foreign)).status).toBe(201)
  })
})
