import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { emulate } from '../../packages/providers/src/phaxio/emulator.ts'
import { reservePort } from '../../apps/gateway/src/testing/reserve-port.ts'
import { findFaketime } from '../../scripts/test/find-faketime.mjs'
import { GatewayProcess, unlimited } from '../harness/gateway-process.ts'
import { pdfFile } from '../harness/paper.ts'
import { waitFor } from '../harness/wait.ts'

const faketime = findFaketime()
const [rounds, faxes] = [5, 6]
const [answersAfterMs, listsAfterMs] = [6000, 8000]
/** What was taken to be lost would have been sent again by then. */
const settledAfterMs = answersAfterMs + listsAfterMs

/** Passes requests on, and holds back the answers to those that hand over a fax: it has been taken by then. */
async function holdingBack(origin: string, ms: number) {
  const server = createServer((request, response) => {
    const pass = async () => {
      const body = await buffer(request)
      const { method = 'GET', headers, url = '/' } = request
      const given = { authorization: headers.authorization ?? '', 'content-type': headers['content-type'] ?? '' }
      const answer = await fetch(origin + url, { method, headers: given, ...(method === 'POST' ? { body } : {}) })
      const bytes = Buffer.from(await answer.arrayBuffer())
      if (method === 'POST') await sleep(ms)
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(bytes)
    }
    pass().catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The system gave no port.')
  return { server, url: `http://127.0.0.1:${address.port}` }
}

/** A gateway whose clock is set forward while its faxes are handed over to a provider that is slow, and lists late. */
async function stepDuringHandover(): Promise<{ taken: number; attempts: number; states: string[] }> {
  const port = await reservePort()
  const directory = mkdtempSync(join(tmpdir(), 'faxdeck-clock-'))
  const clock = join(directory, 'clock')
  const emulator = await emulate({ gatewayUrl: 'http://127.0.0.1:1', listsAfterMs, stepMs: 40 })
  const front = await holdingBack(new URL(emulator.env.PHAXIO_BASE_URL ?? '').origin, answersAfterMs)
  const base = { PHAXIO_BASE_URL: `${front.url}/v2.1`, FAX_DISABLED: 'false', FAX_BACKEND: 'phaxio' }
  const env = { ...unlimited, ...emulator.env, ...base }
  const gateway = new GatewayProcess(port, {
    env: {
      ...env,
      LD_PRELOAD: faketime ?? '',
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      FAKETIME_TIMESTAMP_FILE: clock,
    },
  })
  const setClock = (ahead: string) => writeFileSync(clock, `${ahead}\n`)
  setClock('+0s')
  try {
    await gateway.start()
    const numbers = Array.from({ length: faxes }, (_, n) => `+1555555${1000 + n}`)
    const form = (to: string) => ({ form: { to, file: pdfFile('letter.pdf', [['Dear colleague,']]) } })
    const ids = await Promise.all(numbers.map(async (to) => (await gateway.client.submitFax(form(to))).id))
    await waitFor('the handover', async () => (emulator.requests.length >= faxes ? true : undefined))
    setClock('+660s')
    await sleep(settledAfterMs)
    const jobs = await Promise.all(ids.map((id) => gateway.client.getJob({ params: { id } })))
    return {
      taken: emulator.faxes.length,
      attempts: Math.max(...jobs.map(({ attempt_count }) => attempt_count)),
      states: jobs.map(({ status }) => status),
    }
  } finally {
    await gateway.remove()
    await emulator.close()
    front.server.closeAllConnections()
    front.server.close()
    rmSync(directory, { recursive: true })
  }
}

describe.runIf(faketime !== undefined)('a clock that is set forward by eleven minutes during the handover', () => {
  it('lets no fax be sent twice', { timeout: rounds * 90_000 }, async () => {
    for (let round = 0; round < rounds; round += 1) {
      const { taken, attempts, states } = await stepDuringHandover()
      expect([taken, attempts]).toEqual([faxes, 1])
      expect(states).not.toContain('FAILED')
    }
  })
})
