import { describe, expect, it } from 'vitest'
import { onEachDatabase } from '../../testing/databases.ts'
import { faxDesk } from '../../testing/fax-desk.ts'
import { listeningGateway } from '../../testing/listening.ts'
import { makeLine } from '../../testing/made-line.ts'
import { listVisible } from '../read/list.ts'

const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`name${n}`, `value ${n}`]))

describe('the labels of a fax', () => {
  it('come back with every answer about it, and find it', async () => {
    const { program, client } = await listeningGateway()
    const key = await program('own')
    const labels = { reference: 'order 4711: "Köln"', metadata: { ...pairs(19), colon: 'a:b' } }
    const id = await key.send({ reference: labels.reference, metadata: JSON.stringify(labels.metadata) })
    await key.send({ reference: 'another' })
    expect((await key.call('GET', `/fax/${id}?wait=60`)).json()).toMatchObject(labels)
    expect(await client.getJob({ params: { id } })).toMatchObject(labels)
    const byReference = new URLSearchParams({ reference: labels.reference })
    const several = 'metadata=colon:a:b&metadata=name1:value%201'
    for (const query of [
      String(byReference),
      'metadata=colon:a:b',
      several,
      'status=failed,success',
      'q=4711',
      'q=value%2018',
    ]) {
      expect((await key.call('GET', `/fax?${query}`)).json(), query).toMatchObject({ faxes: [{ id, ...labels }] })
    }
    expect((await client.listJobs({ query: { q: 'value 18' } })).jobs).toMatchObject([{ id, ...labels }])
    const csv = await (await client.exportJobs({ query: { q: '4711' } })).text()
    expect(csv).toContain('"order 4711: ""Köln"""')
    expect(csv).toContain('value 18')
  })

  it('are refused in a sentence when they are too many, too long or not pairs', async () => {
    const { program } = await listeningGateway()
    const key = await program('own')
    const refused: Record<string, string>[] = [
      { metadata: JSON.stringify(pairs(21)) },
      { metadata: '{"a":' },
      { metadata: '["a"]' },
      { metadata: '{"a":1}' },
      { metadata: '{"a name":"x"}' },
      { metadata: JSON.stringify({ a: 'x'.repeat(201) }) },
      { reference: 'x'.repeat(201) },
      { reference: 'a\u0007b' },
    ]
    for (const fields of refused) await expect(key.send(fields), JSON.stringify(fields)).rejects.toThrow('"fields"')
    const headers = { 'idempotency-key': 'once' }
    const first = await key.send({ reference: 'a' }, headers)
    expect(await key.send({ reference: 'a' }, headers)).toBe(first)
    await expect(key.send({ reference: 'b' }, headers)).rejects.toThrow('idempotency_conflict')
  })

  it('never stand in the audit trail', async () => {
    const { program, client } = await listeningGateway()
    const key = await program('own')
    const id = await key.send({ reference: 'zebra', metadata: '{"patient":"yak"}' })
    await key.call('GET', `/fax/${id}?wait=60`)
    await key.call('GET', '/fax?reference=zebra&metadata=patient:yak')
    const trail = JSON.stringify(await client.listLogs({ query: { limit: 200 } }))
    expect(trail).toContain(id)
    expect(trail).not.toMatch(/zebra|yak/)
  })
})

onEachDatabase((open) => {
  it('faxes are found by reference and by pair among those of a key, page after page', async () => {
    const database = await open()
    const desk = await faxDesk(database, makeLine())
    const own: string[] = []
    for (const [at, caller_key_id] of ['one', 'two', 'one', 'one'].entries()) {
      const labels = { reference: 'same', metadata: '{"ward":"3B"}' }
      const { id } = await desk.submit({ caller_key_id, created_at: `2026-01-01T00:00:0${at}.000Z`, ...labels })
      if (caller_key_id === 'one') own.unshift(id)
    }
    const visible = { callerKeyId: 'one', groups: [] }
    for (const filter of [
      { reference: 'same' },
      { metadata: ['ward:3B'] },
      { q: 'same' },
      { q: own[0]?.slice(0, 10) },
    ]) {
      const found: string[] = []
      let cursor: string | null | undefined
      do {
        const page = await listVisible(database, { ...filter, visible }, { limit: 2, cursor: cursor ?? undefined })
        found.push(...page.jobs.map(({ id }) => id))
        cursor = page.nextCursor
      } while (cursor !== null)
      expect(found).toEqual(filter.q === undefined || filter.q === 'same' ? own : own.slice(0, 1))
    }
    expect((await listVisible(database, { visible: 'all', metadata: ['ward:3B'] }, { limit: 10 })).jobs).toHaveLength(4)
  })
})
