import { join } from 'node:path'
import { CallProblem } from '@faxdeck/contract'
import Sqlite from 'better-sqlite3'
import { unzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { onEachDatabase } from '../../testing/databases.ts'
import { shareDocuments } from '../../testing/shared-documents.ts'
import { startGateway, type TestGateway } from '../../testing/start-gateway.ts'
import type { InboundFaxRow } from '../../base/db/tables/inbound.ts'
import { receivedRow } from './testing/received-fax.ts'
import { countInboundRows, insertInbound, listInboundRows, markAllRead } from './store.ts'

const at = (minute: number) => `2026-03-01T12:${String(minute).padStart(2, '0')}:00.000Z`

const rowOf = (n: number, change: Partial<InboundFaxRow> = {}) =>
  receivedRow({ id: n.toString(16).padStart(32, '0'), received_at: at(n), ...change })

onEachDatabase((open) => {
  describe('unread faxes', () => {
    it('are listed and counted by themselves: what arrived, and what a person must judge', async () => {
      const { db } = await open()
      const rows = [
        rowOf(1),
        rowOf(2, { read_at: at(5) }),
        rowOf(3, { status: 'waiting' }),
        rowOf(4, { status: 'failed', concern: 'It may lack pages.' }),
        rowOf(5, { status: 'failed' }),
      ]
      for (const row of rows) await insertInbound(db as never, row)
      const unread = await listInboundRows(db, { unread: true, limit: 10 })
      expect(unread.map(({ received_at }) => received_at)).toEqual([at(4), at(1)])
      expect(await countInboundRows(db, { unread: true })).toBe(2)
      expect(await countInboundRows(db, {})).toBe(5)
    })

    it('are marked as read up to an instant, but not those that need a look', async () => {
      const { db } = await open()
      for (const row of [rowOf(1), rowOf(2), rowOf(3, { concern: 'It may lack pages.' }), rowOf(4)]) {
        await insertInbound(db as never, row)
      }
      expect(await markAllRead(db, { until: at(3), visible: 'all' }, at(30))).toBe(2)
      expect((await listInboundRows(db, { unread: true, limit: 10 })).map(({ received_at: when }) => when)).toEqual([
        at(4),
        at(3),
      ])
      expect(await markAllRead(db, { until: at(3), visible: 'all' }, at(30))).toBe(0)
    })
  })
})

async function receiveMany({ client }: TestGateway, pages: readonly number[]): Promise<string[]> {
  const ids: string[] = []
  for (const count of pages) ids.push((await client.simulateInbound({ body: { pages: count } })).id)
  return ids
}

const bytesOf = async (blob: Blob) => new Uint8Array(await blob.arrayBuffer())
const servedOf = async ({ client }: TestGateway) =>
  (await client.listLogs({ query: { event: 'inbound_pdf_served' } })).items.map(({ job_id: id }) => id)

async function refusalOf(call: Promise<unknown>) {
  const error = await call.catch((caught: unknown) => caught)
  if (!(error instanceof CallProblem)) throw new Error('The call was not refused.')
  return { status: error.status, detail: error.answer?.detail }
}

describe('a download of several faxes', () => {
  it('is one PDF with all pages in the order asked for, and each fax is recorded as served', async () => {
    const gateway = await startGateway()
    const [first = '', second = ''] = await receiveMany(gateway, [2, 1])
    const pdf = await bytesOf(await gateway.client.downloadInboundPdf({ body: { ids: [second, first] } }))
    const documents = shareDocuments({})
    expect((await documents.inspect(pdf, { isReceived: true })).sizes).toHaveLength(3)
    expect(new Set(await servedOf(gateway))).toEqual(new Set([first, second]))
  })

  it('is a zip whose files are the documents themselves, byte by byte', async () => {
    const gateway = await startGateway()
    const ids = await receiveMany(gateway, [1, 2, 1])
    const files = unzipSync(await bytesOf(await gateway.client.downloadInboundZip({ body: { ids } })))
    expect(Object.keys(files)).toHaveLength(3)
    for (const id of ids) {
      const [, content] = Object.entries(files).find(([name]) => name.endsWith(`Z_inbound_${id}.pdf`)) ?? []
      expect(content).toEqual(await bytesOf(await gateway.client.getInboundPdf({ params: { id } })))
    }
  })

  it('is refused as a whole, with the reason, when a fax has no document or is not there', async () => {
    const gateway = await startGateway()
    const [id = ''] = await receiveMany(gateway, [1])
    const [expired = ''] = await receiveMany(gateway, [1])
    const database = new Sqlite(join(gateway.directory, 'faxdeck.db'))
    database.prepare('update inbound_faxes set pdf_key = null where id = ?').run(expired)
    database.close()
    const without = await refusalOf(gateway.client.downloadInboundZip({ body: { ids: [id, expired] } }))
    expect(without).toEqual({ status: 404, detail: expect.stringContaining(expired.slice(0, 8)) })
    const unknown = 'f'.repeat(32)
    const missing = await refusalOf(gateway.client.downloadInboundPdf({ body: { ids: [id, unknown] } }))
    expect(missing).toEqual({ status: 404, detail: 'No fax has this ID: ffffffff.' })
    expect(await servedOf(gateway)).toEqual([])
  })

  it('names each fax once, however often it was asked for', async () => {
    const gateway = await startGateway()
    const [id = ''] = await receiveMany(gateway, [1])
    const files = unzipSync(await bytesOf(await gateway.client.downloadInboundZip({ body: { ids: [id, id] } })))
    expect(Object.keys(files)).toHaveLength(1)
  })
})

describe('several faxes', () => {
  it('are marked as read and as unread together, and the list of unread ones follows', async () => {
    const { client, ...rest } = await startGateway()
    const ids = await receiveMany({ client, ...rest }, [1, 1])
    expect(await client.markManyInboundRead({ body: { ids, read: true } })).toEqual({ changed: 2 })
    expect(await client.listInbound({ query: { unread: 'true' } })).toEqual([])
    await client.markManyInboundRead({ body: { ids: ids.slice(0, 1), read: false } })
    expect((await client.listInbound({ query: { unread: 'true' } })).map(({ id }) => id)).toEqual(ids.slice(0, 1))
    expect(await client.countInbound({ query: { unread: 'true' } })).toEqual({ total: 1, total_is_minimum: false })
  })
})
