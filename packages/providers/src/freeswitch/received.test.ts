import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Inbox, ProviderProblem, Spool } from '@faxdeck/provider-kit'
import { freshFolder, RecordingHost } from '@faxdeck/provider-kit/testing/recording-host'
import { describe, expect, it } from 'vitest'
import { EmulatedDb } from './emulated/emulated-db.ts'
import { EmulatedDialplan, type IncomingCall } from './emulated/emulated-reception.ts'
import { EslFrames, readEvent } from './esl-frames.ts'
import { Reception } from './received.ts'

const shipped = readFileSync(new URL('dialplan/faxdeck.xml', import.meta.url), 'utf8')
const never = new AbortController().signal
const [from, to] = ['+15558880003', '+15550000000']

async function desk(directory?: string) {
  const host = new RecordingHost(await freshFolder())
  const spool = new Spool(host.directory)
  await spool.prepareFolders()
  const db = new EmulatedDb()
  const up = new Set<string>()
  const dialplan = new EmulatedDialplan(db)
  dialplan.load(`<X-PRE-PROCESS cmd="set" data="faxdeck_dir=${directory ?? host.directory}"/>`, shipped)
  const reception = new Reception(spool)
  const ask = async (command: string) => {
    const [verb, rest = ''] = command.split(/ (.*)/s)
    return verb === 'db' ? db.run(rest).trim() : String(up.has(rest))
  }
  const write = (path: string) =>
    writeFile(path, 'pages').then(
      () => true,
      () => false,
    )
  return {
    host,
    spool,
    db,
    up,
    reception,
    collect: () => new Inbox(host, spool).collect(),
    recall: (by = reception) => by.recall(ask, never),
    call: (change: Partial<IncomingCall> = {}) =>
      dialplan.take({ uuid: randomUUID(), from, to, pages: 2, write, ...change }),
  }
}

const headersOf = (headers: Readonly<Record<string, string>>) =>
  new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

describe('a call that FreeSWITCH takes', () => {
  it('runs every application of the shipped dialplan', async () => {
    const { ran } = await (await desk()).call()
    expect(ran).toEqual(['set', 'set', 'set', 'set', 'set', 'answer', 'playback', 'rxfax', 'hangup'])
  })

  it.each([false, true])('is reported with the number that was called, over T.38: %j', async (overT38) => {
    const { call, reception, collect, host } = await desk()
    const { events } = await call({ overT38 })
    for (const { headers } of events.slice(0, 1)) expect(await reception.onEvent(headersOf(headers))).toBe(true)
    await collect()
    expect(host.received).toMatchObject([{ from, to, pages: 2, state: 'received' }])
  })

  it('and that fails before a page leaves an entry', async () => {
    const { call, reception, collect, host } = await desk()
    const { events } = await call({ pages: 0 })
    for (const { headers } of events.slice(0, 1)) expect(await reception.onEvent(headersOf(headers))).toBe(true)
    await collect()
    const sentence = 'The call was cut off while the fax was received: The call dropped prematurely.'
    expect(host.received).toMatchObject([{ from, to, pages: 0, state: 'failed', sentence, document: null }])
  })

  it('and that cannot be written for want of the folder says where to look', async () => {
    const { call, reception, collect, host } = await desk('/path/to/faxdata/lines/freeswitch')
    const { events } = await call()
    for (const { headers } of events.slice(0, 1)) expect(await reception.onEvent(headersOf(headers))).toBe(true)
    await collect()
    expect(host.received).toMatchObject([{ from, to, state: 'failed', document: null }])
    expect(host.received[0]?.sentence).toContain('faxdeck_dir in vars.xml is not the shared folder')
  })
})

describe('a fax received while nobody listened', () => {
  it.each([
    [{}, { state: 'received', pages: 2 }],
    [{ pages: 0 }, { state: 'failed', pages: 0, document: null }],
    [{ isVoice: true }, { state: 'failed', sentence: 'The call ended before a fax began.', document: null }],
  ])('is known with sender, recipient and outcome: %j', async (change, expected) => {
    const { call, recall, collect, host, db } = await desk()
    await call({ overT38: true, ...change })
    await recall()
    await collect()
    expect(host.received).toMatchObject([{ from, to, ...expected }])
    await recall()
    expect(db.run('list/faxdeck_in') + db.run('list/faxdeck_ended')).toBe('-ERR no reply\n'.repeat(2))
  })

  it('has the time of its pages', async () => {
    const { call, recall, collect, host, spool } = await desk()
    const uuid = randomUUID()
    await call({ uuid })
    const then = new Date('2026-11-21T05:00:00Z')
    await utimes(join(spool.inbox, `${uuid}.tif`), then, then)
    await recall()
    await collect()
    expect(host.received).toMatchObject([{ receivedAt: then }])
  })

  it('is left alone while its call is up, and unclear when FreeSWITCH did not live to see its end', async () => {
    const { recall, collect, host, db, up, spool } = await desk()
    const uuid = randomUUID()
    db.run(`insert/faxdeck_in/${uuid}/${to}:${from}`)
    await writeFile(join(spool.inbox, `${uuid}.tif`), 'pages')
    up.add(uuid)
    await recall()
    expect(await readdir(spool.inbox)).toEqual([`${uuid}.tif`])
    up.delete(uuid)
    await recall()
    await collect()
    expect(host.received).toMatchObject([{ from, to, state: 'unclear' }])
  })

  it('is not forgotten by FreeSWITCH before it was recorded, also over a restart', async () => {
    const { call, recall, collect, host, spool, db } = await desk()
    await call()
    host.receives = false
    await recall()
    await collect()
    await recall(new Reception(spool))
    await recall()
    expect(db.run('list/faxdeck_in')).not.toContain('-ERR')
    host.receives = true
    await collect()
    expect(host.received).toMatchObject([{ state: 'received', pages: 2 }])
  })

  it('says nothing when what is kept is no note of ours', async () => {
    const { recall, collect, host, db } = await desk()
    const uuid = randomUUID()
    db.run(`insert/faxdeck_in/${uuid}/${to}:anonymous'; drop`)
    db.run(`insert/faxdeck_ended/${uuid}/\${fax_success}:\${pages}:x`)
    await recall()
    await collect()
    expect(host.received).toMatchObject([{ from: null, to, state: 'unclear', document: null }])
  })

  it('waits in FreeSWITCH when it cannot be asked', async () => {
    const { reception } = await desk()
    const refused = new ProviderProblem('unreachable', 'gone')
    await expect(reception.recall(() => Promise.reject(refused), never)).rejects.toBe(refused)
  })
})

describe('the event of a fax that a real FreeSWITCH received', () => {
  const frames = (name: string) =>
    new EslFrames()
      .push(readFileSync(new URL(`fixtures/${name}.txt`, import.meta.url)))
      .map(({ body }) => readEvent(body))

  it('over T.38 names the one who was called, although the SIP headers have changed places', async () => {
    const { spool, reception, collect, host } = await desk()
    const uuid = 'f1d4f4d9-61e9-4841-8436-0e41054d97e4'
    await writeFile(join(spool.inbox, `${uuid}.tif`), 'pages')
    for (const { headers } of frames('received-t38').slice(0, 1)) expect(await reception.onEvent(headers)).toBe(true)
    await collect()
    expect(host.received).toMatchObject([{ providerId: uuid, from, to, pages: 1, state: 'received' }])
  })

  it('that another part of the dialplan received is not ours', async () => {
    const { reception, collect, host } = await desk()
    for (const name of ['received', 'received-t38'])
      for (const { headers } of frames(name).slice(0, 1)) expect(await reception.onEvent(headers)).toBe(false)
    await collect()
    expect(host.received).toEqual([])
  })
})
