import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDocuments } from '@faxdeck/documents'
import type { Line, ProviderSettings } from '@faxdeck/provider-kit'
import { faxTo as anyFaxTo, settingsFrom } from '@faxdeck/provider-kit/testing/made-host'
import { freshFolder, RecordingHost } from '@faxdeck/provider-kit/testing/recording-host'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { emulate } from './emulator.ts'
import { openSipLine } from './send.ts'
import { sipSettings } from './settings.ts'

/** The stand-in starts a worker to read the pages, which takes its time on a busy machine. */
const until = <T>(ask: () => T | Promise<T>) => vi.waitFor(ask, { timeout: 20_000, interval: 20 })
const never = new AbortController().signal
let letter: string

beforeAll(async () => {
  letter = join(await mkdtemp(join(tmpdir(), 'faxdeck-sip-')), 'letter.tiff')
  const documents = createDocuments({ threads: 1 })
  await documents.toTiff(Buffer.from('one\ftwo\fthree'), letter, { paper: 'letter', resolution: 'standard' })
  await documents.close()
})
afterAll(() => rm(join(letter, '..'), { recursive: true }))

const faxTo = (to: string) => anyFaxTo(to, { tiffPath: letter, pages: 3 })

async function open(change: ProviderSettings = {}, stepMs = 5) {
  const asterisk = await emulate({ gatewayUrl: 'http://127.0.0.1:1', stepMs })
  onTestFinished(() => asterisk.close())
  const host = new RecordingHost(await freshFolder())
  const settings = { ...settingsFrom(sipSettings, asterisk.env), ...change }
  const openLine = () => {
    const line = openSipLine(host, settings) as Line & Required<Pick<Line, 'status' | 'find' | 'cancel' | 'close'>>
    onTestFinished(() => line.close())
    return line
  }
  return { asterisk, host, line: openLine(), openLine, settings }
}

describe('a fax through Asterisk', () => {
  it('is dialed, delivered, reported with its pages, and leaves nothing behind', async () => {
    const { host, line, asterisk } = await open()
    const fax = faxTo('+15555550123')
    const { providerId, update } = await line.send(fax, never)
    expect(update).toMatchObject({ state: 'in_progress', providerId })
    await until(() => expect(host.reports).toHaveLength(1))
    expect(host.reports[0]).toMatchObject({
      attemptId: fax.attemptId,
      providerId,
      state: 'delivered',
      pagesConfirmed: 3,
    })
    expect(asterisk.faxes).toMatchObject([{ to: '+15555550123', pages: 3, ending: 'delivered' }])
    await until(async () => {
      expect(await readdir(join(host.directory, 'outbox'))).toEqual([])
      expect(await readdir(join(host.directory, 'results'))).toEqual([])
    })
  })

  it.each([
    ['+15555550100', 'busy', 0],
    ['+15555550101', 'no_answer', 0],
    ['+15555550102', 'bad_number', 0],
    ['+15555550103', 'partial', 1],
  ])('to %s fails as %s', async (to, kind, pagesConfirmed) => {
    const { host, line } = await open()
    await line.send(faxTo(to), never)
    await until(() => expect(host.reports).toMatchObject([{ state: 'failed', kind, pagesConfirmed }]))
  })

  it('whose answer is lost is uncertain, then found, and ends as it really ended', async () => {
    const { host, line } = await open()
    const fax = faxTo('+15555550106')
    await expect(line.send(fax, never)).rejects.toMatchObject({ kind: 'uncertain' })
    expect(await line.find(fax.attemptId, never, undefined as never)).toMatchObject({ taken: true })
    await until(() => expect(host.reports).toMatchObject([{ attemptId: fax.attemptId, state: 'delivered' }]))
  })

  it('is reported by the note of the dialplan when its event is lost', async () => {
    const { host, line } = await open()
    const { providerId } = await line.send(faxTo('+15555550107'), never)
    await until(async () => expect(await line.status(providerId, never)).toMatchObject({ state: 'delivered' }))
    expect(host.reports).toEqual([])
  })

  it('that ended while the gateway was away is reported at the next start', async () => {
    const { host, line, openLine } = await open({}, 50)
    const fax = faxTo('+15555550123')
    await line.send(fax, never)
    await line.close()
    await until(async () => expect(await readdir(join(host.directory, 'results'))).toEqual([fax.attemptId]))
    expect(host.reports).toEqual([])
    openLine()
    await until(() => expect(host.reports).toMatchObject([{ attemptId: fax.attemptId, state: 'delivered' }]))
  })

  it('keeps its end until the gateway has recorded it', async () => {
    const { host, line } = await open()
    let refusals = 1
    host.refuse = () => {
      if (refusals-- > 0) throw new Error('database is locked')
    }
    const { providerId } = await line.send(faxTo('+15555550100'), never)
    await until(() => expect(host.warnings).toHaveLength(1))
    expect(await line.status(providerId, never)).toMatchObject({ kind: 'busy' })
    await line.close()
    expect(await readdir(join(host.directory, 'results'))).toHaveLength(1)
  })

  it('is under way until it ends, and can be stopped', async () => {
    const { host, line } = await open({}, 500)
    const { providerId } = await line.send(faxTo('+15555550104'), never)
    expect(await line.status(providerId, never)).toMatchObject({ state: 'in_progress' })
    expect(await line.cancel(providerId, never)).toBe(true)
    const sentence = 'The call was given up before a page went out.'
    expect(host.reports).toMatchObject([{ state: 'failed', kind: 'cancelled', sentence }])
    expect(await line.cancel(providerId, never)).toBe(false)
    expect(await line.status(providerId, never)).toMatchObject({ state: 'failed', kind: 'cancelled' })
  })

  it('events that come twice and in another order change nothing', async () => {
    const { host, line } = await open()
    await line.send(faxTo('+15555550110'), never)
    await until(() => expect(host.reports).toHaveLength(1))
    await line.close()
    expect(host.reports).toMatchObject([{ state: 'delivered' }])
  })

  it('was certainly not taken while its pages lie untouched, and nobody knows otherwise', async () => {
    const { host, line } = await open()
    const { attemptId } = faxTo('+15555550123')
    await expect(line.find(attemptId, never, undefined as never)).rejects.toMatchObject({ kind: 'uncertain' })
    await writeFile(join(host.directory, 'outbox', `${attemptId}.part`), 'pages')
    expect(await line.find(attemptId, never, undefined as never)).toEqual({ taken: false })
    await writeFile(join(host.directory, 'outbox', `${attemptId}.tif`), 'pages')
    await expect(line.find(attemptId, never, undefined as never)).rejects.toMatchObject({ kind: 'uncertain' })
  })

  it('with a number, an id or a path that would mean something to Asterisk is not handed over', async () => {
    const { line, host } = await open()
    await expect(line.send(faxTo('+1555\r\nAction: Command'), never)).rejects.toMatchObject({ kind: 'bad_number' })
    await expect(line.send({ ...faxTo('+15555550123'), attemptId: '../x' }, never)).rejects.toMatchObject({
      kind: 'rejected',
    })
    expect(await readdir(join(host.directory, 'outbox'))).toEqual([])
  })

  it('with settings that hold a line break is not handed over', async () => {
    const { line } = await open({ fax_station_id: '+1\r\nAction: Command' })
    await expect(line.send(faxTo('+15555550123'), never)).rejects.toMatchObject({ kind: 'rejected' })
  })

  it('that Asterisk refuses is reported in its words, and was not taken', async () => {
    const { line, host } = await open()
    await expect(line.send(faxTo('+15555550109'), never)).rejects.toMatchObject({
      kind: 'rejected',
      message: 'Asterisk refused: Originate failed.',
    })
    expect(await readdir(join(host.directory, 'outbox'))).toEqual([])
  })
})
