import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Broadcast } from '@faxdeck/contract'
import type { Emulate } from '@faxdeck/provider-kit/emulator'
import { expect, it, onTestFinished } from 'vitest'
import { gatewayProcess } from '../../../../../scripts/start/gateway-process.mjs'
import { reservePort } from '../../testing/reserve-port.ts'

const isLong = process.env.FAXDECK_LONG !== undefined
const faxes = isLong ? 5000 : 60
/** As many calls as Phaxio's provider carries at once. */
const submissionsAtOnce = 10
const key = 'test-bootstrap-key-0123456789abcdef'
const served = gatewayProcess(fileURLToPath(new URL('../../../../..', import.meta.url)))
const phaxio = new URL('../../../../../packages/providers/src/phaxio/emulator.ts', import.meta.url)

/** A gateway process that can be killed and started again, and a stand-in of Phaxio that remembers what it was given. */
async function killable() {
  const directory = await mkdtemp(join(tmpdir(), 'faxdeck-broadcast-'))
  const port = await reservePort()
  const url = `http://127.0.0.1:${port}`
  const { emulate } = (await import(phaxio.href)) as { emulate: Emulate }
  const emulator = await emulate({ gatewayUrl: url, stepMs: 20, minuteMs: 10 })
  const env = {
    ...{ PATH: process.env.PATH ?? '', ...served.env, ...emulator.env, PORT: String(port), API_KEY: key },
    ...{
      FAX_DATA_DIR: directory,
      FAX_DISABLED: 'false',
      FAX_BACKEND: 'phaxio',
      PUBLIC_API_URL: url,
      FAX_TEXT: 'false',
    },
    ...{ MAX_REQUESTS_PER_MINUTE: '1', MAX_READS_PER_MINUTE: '0' },
  }
  let child: ChildProcess | undefined
  const kill = async () => {
    const closed = child && once(child, 'close')
    child?.kill('SIGKILL')
    await closed
  }
  const start = async () => {
    child = spawn(process.execPath, [served.main], { env, stdio: 'ignore' })
    const isUp = () =>
      fetch(`${url}/health`).then(
        ({ ok }) => ok,
        () => false,
      )
    await expect.poll(isUp, { timeout: 120_000, interval: 50 }).toBe(true)
  }
  onTestFinished(async () => {
    await kill()
    await emulator.close()
    await rm(directory, { recursive: true, force: true })
  })
  const ask = (path: string, init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {}) =>
    fetch(`${url}${path}`, { ...init, headers: { 'x-api-key': key, ...init.headers } })
  return { emulator, start, kill, ask }
}

it(
  `gives each of ${faxes} numbers to the provider once, killed while it accepts and while it sends`,
  { timeout: isLong ? 1_800_000 : 300_000 },
  async () => {
    const { emulator, start, kill, ask } = await killable()
    const numbers = Array.from({ length: faxes }, (_, n) => `+1303${String(5_557_000 + n)}`)
    const post = () => {
      const form = new FormData()
      form.append('file', new File(['The clinic moves on Monday.'], 'news.txt'))
      form.append('recipients', numbers.join('\n'))
      return ask('/fax/broadcasts', { method: 'POST', body: form, headers: { 'idempotency-key': 'the-one' } })
    }
    const statusOf = (answer: Promise<Response>) =>
      answer.then(
        ({ status }) => status,
        () => 0,
      )

    for (const pause of isLong ? [30, 90, 200] : [90]) {
      await start()
      const answer = statusOf(post())
      await delay(pause)
      await kill()
      await answer
    }
    await start()
    // The limit of one call a minute is its caller's own: a broadcast is one call.
    expect(await statusOf(post())).toBe(202)
    const list = async () => ((await (await ask('/fax/broadcasts')).json()) as { broadcasts: Broadcast[] }).broadcasts
    expect(await list()).toMatchObject([{ faxes }])

    const kills = isLong ? [0.25, 0.6] : [0.4]
    for (const share of kills) {
      await expect.poll(() => emulator.faxes.length, { timeout: 600_000, interval: 5 }).toBeGreaterThan(faxes * share)
      await kill()
      await start()
    }
    const countsNow = async () => (await list())[0]?.counts
    // What was cut off while it was submitted stays unconfirmed: the proof that nobody has it takes an hour (decision 17).
    const settled = async () => {
      const { delivered = 0, unconfirmed = 0 } = (await countsNow()) ?? {}
      return delivered + unconfirmed
    }
    await expect.poll(settled, { timeout: 900_000, interval: 250 }).toBe(faxes)
    const { delivered = 0, unconfirmed = 0, ...others } = (await countsNow()) ?? {}
    expect(others).toMatchObject({ failed: 0, queued: 0, in_progress: 0 })
    expect(unconfirmed).toBeLessThanOrEqual(kills.length * submissionsAtOnce)
    const given = Map.groupBy(emulator.faxes, ({ to }) => to)
    expect([...given.values()].filter(({ length }) => length > 1)).toEqual([])
    expect(given.size).toBeGreaterThanOrEqual(delivered)
  },
)
