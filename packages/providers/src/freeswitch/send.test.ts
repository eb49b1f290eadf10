import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDocuments } from '@faxdeck/documents'
import { type CallEnd, type EngineListener, type ProviderSettings, Spool } from '@faxdeck/provider-kit'
import { faxTo as anyFaxTo, settingsFrom } from '@faxdeck/provider-kit/testing/made-host'
import { freshFolder, RecordingHost } from '@faxdeck/provider-kit/testing/recording-host'
import { serveTcp } from '@faxdeck/provider-kit/testing/try-checks'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { emulate } from './emulator.ts'
import { FreeswitchEngine } from './engine.ts'
import { openEsl } from './esl-session.ts'
import { uuidOf } from './originate.ts'
import { openFreeswitchLine } from './send.ts'
import { freeswitchSettings } from './settings.ts'

/** The stand-in starts a worker to read the pages, which takes its time on a busy machine. */
const until = <T>(ask: () => T | Promise<T>) => vi.waitFor(ask, { timeout: 20_000, interval: 20 })
const never = new AbortController().signal
let letter: string

beforeAll(async () => {
  letter = join(await mkdtemp(join(tmpdir(), 'faxdeck-freeswitch-')), 'letter.tiff')
  const documents = createDocuments({ threads: 1 })
  await documents.toTiff(Buffer.from('one\ftwo\fthree'), letter, { paper: 'letter', resolution: 'standard' })
  await documents.close()
})
afterAll(() => rm(join(letter, '..'), { recursive: true }))

const faxTo = (to: string) => anyFaxTo(to, { tiffPath: letter, pages: 3 })

async function open(change: ProviderSettings = {}, stepMs = 5) {
  const freeswitch = await emulate({ gatewayUrl: 'http://127.0.0.1:1', stepMs })
  onTestFinished(() => freeswitch.close())
  const host = new RecordingHost(await freshFolder())
  const line = openFreeswitchLine(host, { ...settingsFrom(freeswitchSettings, freeswitch.env), ...change })
  onTestFinished(() => line.close())
  return { freeswitch, host, line }
}

async function askFreeswitch(env: Readonly<Record<string, string>>, command: string): Promise<string> {
  const session = await openEsl(settingsFrom(freeswitchSettings, env), never)
  return session.ask(`api ${command}`, never).finally(() => session.end())
}

describe('a fax through FreeSWITCH', () => {
  it('is dialed, delivered, reported with its pages, and leaves nothing behind', async () => {
    const { host, line, freeswitch } = await open()
    const fax = faxTo('+15555550123')
    const { providerId, update } = await line.send(fax, never)
    expect(update).toMatchObject({ state: 'in_progress', providerId })
    await until(() => expect(host.reports.length).toBeGreaterThan(0))
    expect(host.reports[0]).toMatchObject({
      attemptId: fax.attemptId,
      providerId,
      state: 'delivered',
      pagesConfirmed: 3,
    })
    expect(freeswitch.faxes).toMatchObject([{ to: '+15555550123', pages: 3, ending: 'delivered' }])
    await until(async () => expect(await readdir(join(host.directory, 'outbox'))).toEqual([]))
  })

  it.each([
    ['+15555550100', 'busy', 0],
    ['+15555550101', 'no_answer', 0],
    ['+15555550102', 'bad_number', 0],
    ['+15555550103', 'partial', 1],
  ])('to %s fails as %s', async (to, kind, pagesConfirmed) => {
    const { host, line } = await open()
    await line.send(faxTo(to), never)
    await until(() => expect(host.reports[0]).toMatchObject({ state: 'failed', kind, pagesConfirmed }))
    expect(new Set(host.reports.map((report) => report.kind))).toEqual(new Set([kind]))
  })

  it('whose answer is lost is uncertain, and found while its call is up', async () => {
    const { line } = await open({}, 300)
    const fax = faxTo('+15555550106')
    await expect(line.send(fax, never)).rejects.toMatchObject({ kind: 'uncertain' })
    expect(await line.find(fax.attemptId, never)).toMatchObject({ taken: true })
  })

  it('whose end nobody reported is found in the note that FreeSWITCH keeps of it', async () => {
    const { line, host } = await open()
    const fax = faxTo('+15555550107')
    const { providerId } = await line.send(fax, never)
    const end = { attemptId: fax.attemptId, providerId, state: 'delivered', pagesConfirmed: 3 }
    await until(async () => expect(await line.status(providerId, never)).toMatchObject(end))
    expect(await line.find(fax.attemptId, never)).toEqual({ taken: true, providerId })
    // A look at the notes when the line signs in may report the same end.
    for (const report of host.reports) expect(report).toMatchObject(end)
  })

  it.each([
    ['+15555550123', { state: 'delivered', pagesConfirmed: 3, word: 'OK' }],
    ['+15555550100', { state: 'failed', kind: 'busy', word: 'USER_BUSY' }],
    ['+15555550101', { state: 'failed', kind: 'no_answer' }],
    ['+15555550103', { state: 'failed', kind: 'partial', pagesConfirmed: 1 }],
    ['+15555550106', { state: 'delivered', pagesConfirmed: 3 }],
  ])('to %s that ends while the gateway is down is reported when it is back, and no note is left', async (to, end) => {
    const { freeswitch, host, line } = await open({}, 100)
    const fax = faxTo(to)
    await line.send(fax, never).catch(() => undefined)
    await line.close()
    await until(() => expect(freeswitch.faxes).toMatchObject([{ state: 'ended' }]))
    expect(host.reports).toEqual([])
    const next = openFreeswitchLine(host, settingsFrom(freeswitchSettings, freeswitch.env))
    onTestFinished(() => next.close())
    await until(() => expect(host.reports).toMatchObject([{ attemptId: fax.attemptId, ...end }]))
    await until(async () => expect(await readdir(join(host.directory, 'outbox'))).toEqual([]))
    expect(await askFreeswitch(freeswitch.env, `db select/faxdeck/${uuidOf(fax.attemptId)}`)).toBe('-ERR no reply')
  })

  it('leaves no note however its end was reported', async () => {
    const { freeswitch, host, line } = await open()
    const fax = faxTo('+15555550110')
    await line.send(fax, never)
    const note = `db select/faxdeck/${uuidOf(fax.attemptId)}`
    // A look at the notes when the line signs in may report the same end.
    await until(() => expect(host.reports).not.toHaveLength(0))
    await until(async () => expect(await askFreeswitch(freeswitch.env, note)).toBe('-ERR no reply'))
  })

  it('whose end FreeSWITCH itself did not live to see is not guessed', async () => {
    const { freeswitch, line, host } = await open({}, 1000)
    const fax = faxTo('+15555550123')
    const { providerId } = await line.send(fax, never)
    await freeswitch.close()
    const port = Number(freeswitch.env.FREESWITCH_ESL_PORT)
    const restarted = await emulate({ gatewayUrl: 'http://127.0.0.1:1', port })
    onTestFinished(() => restarted.close())
    const unknown = { state: 'failed', kind: 'uncertain' }
    await until(async () => expect(await line.status(providerId, never)).toMatchObject(unknown))
    await expect(line.find(fax.attemptId, never)).rejects.toMatchObject({ kind: 'uncertain' })
    expect(host.reports).toEqual([])
  })

  it('can be stopped while it is under way', async () => {
    const { host, line } = await open({}, 500)
    const { providerId } = await line.send(faxTo('+15555550104'), never)
    expect(await line.status(providerId, never)).toMatchObject({ state: 'in_progress' })
    expect(await line.cancel(providerId, never)).toBe(true)
    const sentence = 'The call was given up, and its first page may have been printed.'
    expect(host.reports[0]).toMatchObject({ state: 'failed', kind: 'cancelled', sentence })
    expect(await line.cancel(providerId, never)).toBe(false)
  })

  it('through a gateway that FreeSWITCH does not know is reported, and will be tried again', async () => {
    const { host, line } = await open({ freeswitch_gateway_name: 'another' })
    await line.send(faxTo('+15555550123'), never)
    await until(() => expect(host.reports).toMatchObject([{ kind: 'unreachable', pagesConfirmed: 0 }]))
  })

  it('whose pages FreeSWITCH cannot read is reported as such', async () => {
    const { host, line } = await open()
    const fax = faxTo('+15555550123')
    const tiffPath = join(await freshFolder(), 'broken.tiff')
    await writeFile(tiffPath, '')
    await line.send({ ...fax, tiffPath }, never).catch(() => undefined)
    await until(() => expect(host.reports[0]).toMatchObject({ kind: 'bad_document' }))
  })
})

describe('a fax received by FreeSWITCH', () => {
  it('is handed over once with its numbers, and its pages are removed when they are kept', async () => {
    const { host, line, freeswitch } = await open()
    await line.send(faxTo('+15555550123'), never)
    await until(() => expect(host.reports.length).toBeGreaterThan(0))
    const pdf = new Uint8Array(Buffer.from('one\ftwo'))
    const uuid = await freeswitch.receive({ from: '+15551234567', to: '15557654321', pages: 2, pdf, reported: 'twice' })
    await until(() => expect(host.received.length).toBeGreaterThan(0))
    expect(host.received[0]).toMatchObject({
      providerId: uuid,
      from: '+15551234567',
      to: '15557654321',
      pages: 2,
      state: 'received',
      document: { path: join(host.directory, 'inbox', `${uuid}.tif`) },
    })
    await until(async () => expect(await readdir(join(host.directory, 'inbox'))).toEqual([]))
    expect(host.received).toHaveLength(1)
  })

  it('keeps its numbers and its outcome though the gateway was down for long, and FreeSWITCH forgets it then', async () => {
    const { host, line, freeswitch } = await open()
    await line.send(faxTo('+15555550123'), never)
    await until(() => expect(host.reports.length).toBeGreaterThan(0))
    await line.close()
    const pdf = new Uint8Array(Buffer.from('one\ftwo'))
    const [from, to] = ['+15551234567', '+15557654321']
    const uuid = await freeswitch.receive({ from, to, pages: 2, pdf, reported: 'never' })
    const then = new Date(Date.now() - 11 * 60_000)
    await utimes(join(host.directory, 'inbox', `${uuid}.tif`), then, then)
    const next = openFreeswitchLine(host, settingsFrom(freeswitchSettings, freeswitch.env))
    onTestFinished(() => next.close())
    await until(() =>
      expect(host.received).toMatchObject([{ providerId: uuid, from, to, pages: 2, state: 'received' }]),
    )
    for (const realm of ['faxdeck_in', 'faxdeck_ended'])
      await until(async () => expect(await askFreeswitch(freeswitch.env, `db list/${realm}`)).toBe('-ERR no reply'))
  })
})

describe('events as a real FreeSWITCH sent them', () => {
  type Changes = readonly (readonly [from: RegExp, to: string])[]

  /** Recorded events in which the values of another ending stand, with the lengths that follow from them. */
  function changed(events: string, changes: Changes): string {
    const measured = (text: string) => {
      const at = text.indexOf('\n\n') + 2
      return text.replace(/^(Content-Length: )\d+$/m, `$1${Buffer.byteLength(text.slice(at))}`)
    }
    return events
      .split(/(?=^Content-Length: \d+\nContent-Type: text\/event-plain\n)/m)
      .map((event) => {
        const at = event.indexOf('\n\n') + 2
        const body = changes.reduce((text, [from, to]) => text.replaceAll(from, to), event.slice(at))
        return measured(event.slice(0, at) + (/^Content-Length: /m.test(body) ? measured(body) : body))
      })
      .join('')
  }

  function serveEvents(name: string, changes: Changes = []): Promise<number> {
    const recorded = readFileSync(new URL(`fixtures/${name}.txt`, import.meta.url), 'latin1')
    const events = Buffer.from(changes.length === 0 ? recorded : changed(recorded, changes), 'latin1')
    return serveTcp((socket) => {
      socket.write('Content-Type: auth/request\n\n')
      socket.on('data', (piece: Buffer) => {
        socket.write('Content-Type: command/reply\nReply-Text: +OK\n\n')
        if (piece.toString().startsWith('event')) socket.write(events)
      })
    })
  }

  async function endsOf(name: string, changes: Changes = []): Promise<CallEnd[]> {
    const port = await serveEvents(name, changes)
    const ends: CallEnd[] = []
    const listener: EngineListener = {
      ended: (end) => ends.push(end),
      look: () => undefined,
      onProblem: () => undefined,
    }
    const settings = settingsFrom(freeswitchSettings, { FREESWITCH_ESL_PORT: String(port) })
    const engine = new FreeswitchEngine(settings, new Spool(await freshFolder()), listener)
    onTestFinished(() => engine.close())
    await until(() => expect(ends.length).toBeGreaterThan(0))
    return ends
  }

  it.each([
    ['delivered', { state: 'delivered', pagesConfirmed: 2, word: 'OK' }],
    ['dropped', { state: 'failed', kind: 'partial', pagesConfirmed: 0 }],
    ['busy', { state: 'failed', kind: 'busy' }],
    ['no-answer', { state: 'failed', kind: 'no_answer' }],
    ['missing-file', { state: 'failed', kind: 'bad_document' }],
    ['no-gateway', { state: 'failed', kind: 'unreachable' }],
  ])('of a call that is %s give the same result, however often', async (name, expected) => {
    for (const end of await endsOf(name)) expect(end).toMatchObject(expected)
  })

  const cause = (word: string): Changes => [[/USER_BUSY/g, word]]
  const beforeAnyPage: Changes[number] = [/^(\S*fax[_-]image[_-]resolution): .*$/gm, '$1: 0x0']
  const unheard: Changes[number] = [/^(\S*fax[_-]remote[_-]station[_-]id): .*$/gm, '$1: ']
  const aPage: Changes[number] = [/^(\S*fax[_-]document[_-]transferred[_-]pages): .*$/gm, '$1: 1']

  // The table of endings that e2e/telephony tries with calls of a real Asterisk.
  it.each<[string, string, Changes, object]>([
    ['no such number', 'busy', cause('UNALLOCATED_NUMBER'), { kind: 'bad_number' }],
    ['rejected', 'busy', cause('CALL_REJECTED'), { kind: 'rejected' }],
    ['a line that is not there', 'busy', cause('SUBSCRIBER_ABSENT'), { kind: 'no_answer' }],
    ['congestion', 'busy', cause('NORMAL_CIRCUIT_CONGESTION'), { kind: 'line_error' }],
    ['no codec in common', 'busy', cause('INCOMPATIBLE_DESTINATION'), { kind: 'line_error' }],
    ['a person', 'dropped', [beforeAnyPage, unheard], { kind: 'line_error', again: 'unheard' }],
    ['a call cut before its first page', 'dropped', [beforeAnyPage], { kind: 'line_error', pagesConfirmed: 0 }],
    ['a call cut after a page', 'dropped', [aPage], { kind: 'partial', pagesConfirmed: 1 }],
  ])('with the values of %s give that', async (_title, name, changes, expected) => {
    for (const end of await endsOf(name, changes)) expect(end).toMatchObject({ state: 'failed', ...expected })
  })

  it('of a fax that was received are noted beside its pages, and those of others are left alone', async () => {
    const uuid = '99d2b4a2-48a6-4e3f-b31d-7d68de9e18fc'
    const spool = new Spool(await freshFolder())
    await spool.prepareFolders()
    const look = vi.fn()
    const listener: EngineListener = { ended: () => undefined, look, onProblem: () => undefined }
    const openEngine = async () => {
      const settings = settingsFrom(freeswitchSettings, { FREESWITCH_ESL_PORT: String(await serveEvents('received')) })
      const engine = new FreeswitchEngine(settings, spool, listener)
      await until(() => expect(look).toHaveBeenCalled())
      return engine
    }
    await (await openEngine()).close()
    expect(await readdir(spool.inbox)).toEqual([])
    await writeFile(join(spool.inbox, `${uuid}.tif`), 'pages')
    const engine = await openEngine()
    onTestFinished(() => engine.close())
    const note = await until(() => readFile(join(spool.inbox, `${uuid}.tif.json`), 'utf8'))
    expect(JSON.parse(note)).toMatchObject({
      uniqueid: uuid,
      from_number: '15550000',
      faxstatus: 'SUCCESS',
      faxpages: 2,
    })
  })
})
