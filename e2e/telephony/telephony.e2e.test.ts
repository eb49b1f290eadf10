import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Job } from '../../packages/contract/src/index.ts'
import { type GatewayProcess, prepareGateway, unlimited } from '../harness/gateway-process.ts'
import { reservePort } from '../../apps/gateway/src/testing/reserve-port.ts'
import { pdfFile } from '../harness/paper.ts'
import { waitFor } from '../harness/wait.ts'
import { Asterisk } from './asterisk.ts'
import { type AsteriskProgram, findAsterisk } from './install.ts'

const program = findAsterisk()
if (!program) console.log('The tests with a real Asterisk are skipped: node e2e/telephony/run.ts install gets one.')

const pages = [['Page one of two.', 'Slanted rules and black bars.'], ['Page two, the last.']]
const secret = 'an-internal-secret-for-this-test-alone'

/** Its machine has no faster modem than V.29. */
const slowNumber = '+15555550104'
const tornNumber = '+15555550191'
const cutNumber = '+15555550192'
const stoppedNumber = '+15555550193'

let gateway: GatewayProcess
let asterisk: Asterisk
const started: (() => Promise<void>)[] = []

async function startBoth(found: AsteriskProgram): Promise<void> {
  const amiPort = await reservePort()
  const env = {
    ...unlimited,
    FAX_DISABLED: 'false',
    FAX_BACKEND: 'sip',
    ASTERISK_AMI_HOST: '127.0.0.1',
    ASTERISK_AMI_PORT: String(amiPort),
    ASTERISK_AMI_USERNAME: 'faxdeck',
    ASTERISK_AMI_PASSWORD: 'a-password-for-this-test-alone',
    ASTERISK_INBOUND_SECRET: secret,
    ASTERISK_RING_SECONDS: '5',
    ASTERISK_T38: 'off',
    FAX_LOCAL_STATION_ID: '+15550000001',
    LANE_CONCURRENCY: '10',
  }
  gateway = await prepareGateway({ env })
  const reported = {
    folder: `${gateway.directory}/lines/sip`,
    url: `${gateway.url}/_internal/asterisk/inbound`,
    secret,
  }
  // The gateway starts first: it waits for Asterisk, and not the other way round.
  started.push(() => gateway.remove())
  await gateway.start()
  asterisk = await Asterisk.start(found, { amiPort, gateway: reported })
  started.push(() => asterisk.stop())
}

const send = async (to: string, copies = 1): Promise<string> => {
  const file = pdfFile('letter.pdf', Array.from({ length: copies }, () => pages).flat())
  return (await gateway.client.submitFax({ form: { to, file } })).id
}

/** Waits for a state of a fax, which its last try to come to is shown for when it does not. */
async function reach(id: string, what: string, is: (job: Job) => boolean): Promise<Job> {
  const read = () => gateway.client.getJob({ params: { id } })
  const wait = waitFor(what, async () => [await read()].find(is), 90)
  return wait.catch(async (error: unknown) => {
    throw new Error(`${String(error)}\n${JSON.stringify(await read())}\n${asterisk.log.slice(-4000)}`)
  })
}

/** A failed call is tried again minutes later: its first end is what counts here. */
const firstEnd = (id: string) =>
  reach(id, 'the call to be over', ({ status, error_kind }) => status === 'SUCCESS' || error_kind !== null)
const dialed = (id: string) => reach(id, 'the call to be up', ({ provider_sid }) => provider_sid !== null)

/** What the dialplan wrote of a call: `audio` or `T38`. */
function modeOf(job: Job): string | undefined {
  const attempt = job.provider_sid?.replace('faxdeck-', '')
  return new RegExp(`attempt=${attempt}&[^"]*&mode=(\\w+)`).exec(asterisk.log)?.[1]
}

/** What the machine under a number, which receives, wrote of its call. */
function witnessOf(number: string) {
  const note = new RegExp(`FAXDECK_NOTE=(\\{[^\\n]*_\\${number}_[^\\n]*\\})`).exec(asterisk.log)?.[1] ?? ''
  const reported = new URLSearchParams(/"call":"([^"]*)"/.exec(note)?.[1])
  return {
    pages: Number(/"faxpages":"(\d+)"/.exec(note)?.[1]),
    bps: Number(reported.get('rate')),
    mode: reported.get('mode'),
  }
}

/** The record of the last call of a fax, without its times. */
const recordOf = ({ attempts }: Job) => attempts.at(-1)?.call ?? {}

const reaches = (number: string, pages: number) =>
  waitFor(`page ${pages} to arrive`, async () => (asterisk.pagesAt(number) >= pages ? true : undefined), 90)
/** What came in of a fax that broke off. */
const tornAt = (number: string) =>
  waitFor('what arrived of it', async () => {
    const faxes = await gateway.client.listInbound({ query: { status: 'failed' } })
    return faxes.find(({ to, document_kept }) => to === number && document_kept)
  })

const bytesOf = async (blob: Blob) => Buffer.from(await blob.arrayBuffer())

/** Compares every received pixel with what was sent. */
async function expectReceivedWhole(job: Job, to: string): Promise<void> {
  const { client } = gateway
  const received = await waitFor('the fax to be received', async () => {
    const faxes = (await client.listInbound({ query: {} })).filter((fax) => fax.to === to)
    expect(faxes.length).toBeLessThan(2)
    return faxes.find(({ status }) => status === 'received')
  })
  expect(received).toMatchObject({ pages: 2, fr: '+15550000001', backend: 'sip', is_test: false })
  for (const page of [1, 2]) {
    const sent = await bytesOf(await client.getJobPage({ params: { id: job.id, page }, query: {} }))
    const got = await bytesOf(await client.getInboundPage({ params: { id: received.id, page }, query: {} }))
    expect(got.equals(sent)).toBe(true)
  }
}

describe.skipIf(!program)('faxes through a real Asterisk and its fax engine', () => {
  let calls: Record<
    'audio' | 'slow' | 't38' | 'busy' | 'silent' | 'nobody' | 'voice' | 'torn' | 'cut' | 'cancelled' | 'stopped',
    string
  >

  beforeAll(async () => {
    await startBoth(program as AsteriskProgram)
    const [audio, slow] = [await send('+15555550123'), await send(slowNumber)]
    const [busy, silent, nobody] = [await send('+15555550100'), await send('+15555550101'), await send('+15555550102')]
    const [torn, cut, cancelled] = [await send(tornNumber), await send(cutNumber, 5), await send('+15555550198')]
    const [voice, stopped] = [await send('+15555550103'), await send(stoppedNumber, 5)]
    await asterisk.callByVoice('+15555550194', '+15558880003')
    await Promise.all([audio, torn, cut, cancelled, stopped].map(dialed))
    // The line is opened anew under another setting while calls are up.
    await gateway.client.updateSettings({ body: { sip_t38: 'request' } })
    const t38 = await send('+15555550124')
    calls = { audio, slow, t38, busy, silent, nobody, voice, torn, cut, cancelled, stopped }
    await dialed(t38)
  })
  afterAll(async () => {
    for (const end of started.toReversed()) await end()
  })

  it('find a switch that the diagnostics have nothing to say against', async () => {
    const { checks } = await gateway.client.runDiagnostics({})
    const ofAsterisk = Object.values(checks).find((group) => 'dialplan_current' in group)
    const passed = { ami_reachable: true, ami_may_dial: true, dialplan_current: true }
    expect(ofAsterisk).toMatchObject({ ...passed, folder_usable: true })
    expect(Object.values(checks).find((group) => 'numbers_arrive' in group)).toMatchObject({ numbers_arrive: true })
  })

  it('are shown while they are up', async () => {
    const { channels } = await gateway.client.getLines({})
    expect(channels).toContainEqual(expect.objectContaining({ job_id: calls.t38, number: '********0124', pages: 2 }))
  })

  it('find a folder that Asterisk cannot write to', async () => {
    const results = join(gateway.directory, 'lines/sip/results')
    await rename(results, `${results}.away`)
    await writeFile(results, 'no folder')
    const { checks } = await gateway.client.runDiagnostics({})
    await rm(results)
    await rename(`${results}.away`, results)
    expect(Object.values(checks).find((group) => 'folder_usable' in group)).toMatchObject({ folder_usable: false })
  })

  it('that a person answers end as that, and are tried once more at most', async () => {
    const sentence = 'Somebody answered, but no fax machine was heard. Check the number.'
    const job = await firstEnd(calls.voice)
    expect(job).toMatchObject({ error_kind: 'line_error', error: sentence, status: 'in_progress', max_attempts: 2 })
  })

  it('from a person, who sends nothing, leave an entry with their numbers', async () => {
    const entry = await waitFor('the entry', async () => {
      const faxes = await gateway.client.listInbound({ query: { status: 'failed' } })
      return faxes.find(({ to }) => to === '+15555550194')
    })
    expect(entry).toMatchObject({ fr: '+15558880003', pages: 0, document_kept: false })
  })

  it('end as busy, as a number that does not exist, and as not answered', async () => {
    const busy = await firstEnd(calls.busy)
    expect(busy).toMatchObject({ error_kind: 'busy', pages_confirmed: null })
    expect(recordOf(busy)).toMatchObject({ cause: 17, sip: '486 Busy Here' })
    expect(await firstEnd(calls.nobody)).toMatchObject({ status: 'FAILED', error_kind: 'bad_number' })
    expect(await firstEnd(calls.silent)).toMatchObject({ error_kind: 'no_answer', status: 'in_progress' })
  })

  it('are stopped in the middle of a call', async () => {
    await gateway.client.cancelJob({ params: { id: calls.cancelled } })
    expect(await firstEnd(calls.cancelled)).toMatchObject({ status: 'FAILED', error_kind: 'cancelled' })
  })

  it('that broke off when the first page had arrived, which nobody confirmed, are not made again', async () => {
    await reaches(tornNumber, 1)
    await asterisk.cutOff(tornNumber)
    const job = await firstEnd(calls.torn)
    expect(job).toMatchObject({ status: 'FAILED', error_kind: 'partial', attempt_count: 1, needs_attention: true })
    expect(await tornAt(tornNumber)).toMatchObject({ pages: 1 })
  })

  it('arrive over audio with every pixel', async () => {
    const job = await firstEnd(calls.audio)
    expect(job).toMatchObject({ status: 'SUCCESS', pages_confirmed: 2, attempt_count: 1 })
    expect(modeOf(job)).toBe('audio')
    expect(witnessOf('+15555550123')).toEqual({ pages: 2, bps: 14_400, mode: 'audio' })
    const record = recordOf(job)
    expect(record).toMatchObject({ transport: 'audio', codec: 'ulaw', station: '+*******0000', ecm: true, pages: 2 })
    expect(record.speeds?.map(({ bps }) => bps)).toEqual([14_400])
    await expectReceivedWhole(job, '+15555550123')
  })

  it('to a slow machine show the speed that it says, and so does the received fax', async () => {
    const record = recordOf(await firstEnd(calls.slow))
    const { bps } = witnessOf(slowNumber)
    expect(bps).toBe(9600)
    expect(record.speeds?.at(-1)?.bps).toBe(bps)
    const received = (await gateway.client.listInbound({ query: {} })).find(({ to }) => to === slowNumber)
    expect(received?.call).toMatchObject({ transport: 'audio', ecm: record.ecm, pages: 2, bad_rows: 0 })
    expect(received?.call?.speeds?.at(-1)?.bps).toBe(bps)
  })

  it('arrive over T.38 with every pixel', async () => {
    const job = await firstEnd(calls.t38)
    expect(job).toMatchObject({ status: 'SUCCESS', pages_confirmed: 2, attempt_count: 1 })
    expect(modeOf(job)).toBe('T38')
    expect(witnessOf('+15555550124')).toMatchObject({ pages: 2, mode: 'T38' })
    expect(recordOf(job)).toMatchObject({ transport: 't38', pages: 2 })
    await expectReceivedWhole(job, '+15555550124')
  })

  it('tell each step of a call that was followed from its beginning', async () => {
    const { steps = [], speeds } = recordOf(await firstEnd(calls.t38))
    expect([...new Set(steps.map(({ step }) => step))]).toEqual(['dialed', 'answered', 'agreed', 'page', 'ended'])
    expect(steps.map(({ at }) => at)).toEqual(steps.map(({ at }) => at).toSorted())
    expect(speeds?.[0]).toMatchObject({ after_page: 0 })
  })

  it('that are stopped after a page are canceled with their pages, and nothing contradicts that', async () => {
    await reaches(stoppedNumber, 2)
    await gateway.client.cancelJob({ params: { id: calls.stopped } })
    const job = await firstEnd(calls.stopped)
    expect(job).toMatchObject({ status: 'FAILED', error_kind: 'cancelled', needs_attention: false })
    expect(job.error).toMatch(new RegExp(`^Canceled after page ${job.pages_confirmed}\\. `))
    expect(job.timeline.map(({ event }) => event)).not.toContain('conflict')
  })

  it('that broke off between pages say how many arrived, though the gateway died meanwhile', async () => {
    await gateway.kill()
    await reaches(cutNumber, 2)
    await asterisk.cutOff(cutNumber)
    await gateway.start()
    const job = await firstEnd(calls.cut)
    expect(job).toMatchObject({ status: 'FAILED', error_kind: 'partial', attempt_count: 1 })
    expect(job.pages_confirmed).toBeGreaterThan(0)
    // The page that was on its way when the line was cut may be kept, too.
    expect((await tornAt(cutNumber)).pages).toBeGreaterThanOrEqual(job.pages_confirmed ?? 0)
  })
})
