import { mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findFaketime } from '../../scripts/test/find-faketime.mjs'
import { type GatewayProcess, prepareGateway, unlimited } from '../harness/gateway-process.ts'
import { pdfFile } from '../harness/paper.ts'
import { waitFor } from '../harness/wait.ts'

const faketime = findFaketime()

/** A gateway whose clock a file sets; its steady one as well where `isFast`, so that an hour may take a second. */
async function withClock(isFast: boolean): Promise<{ gateway: GatewayProcess; set: (clock: string) => void }> {
  const folder = mkdtempSync(join(tmpdir(), 'faxdeck-clock-'))
  const file = join(folder, 'clock')
  const set = (clock: string) => writeFileSync(file, `${clock}\n`)
  set('+0s')
  const steady = { FAKETIME_DONT_FAKE_MONOTONIC: '1', DONT_FAKE_MONOTONIC: '1' }
  const gateway = await prepareGateway({
    env: {
      ...unlimited,
      ARTIFACT_TTL_DAYS: '30',
      LD_PRELOAD: faketime ?? '',
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      ...(isFast ? {} : steady),
    },
  })
  onTestFinished(async () => {
    await gateway.remove()
    rmSync(folder, { recursive: true })
  })
  return { gateway, set }
}

const documentsOf = ({ directory }: GatewayProcess) =>
  readdirSync(join(directory, 'documents', 'faxes'), { recursive: true, withFileTypes: true }).filter((file) =>
    file.isFile(),
  ).length

async function sendOne({ client }: GatewayProcess): Promise<void> {
  const form = { to: '+15555550123', file: pdfFile('letter.pdf', [['Dear colleague,']]) }
  const { id } = await client.submitFax({ form })
  await waitFor('its delivery', async () => {
    const { status } = await client.getJob({ params: { id } })
    return status === 'SUCCESS' ? true : undefined
  })
}

/** Lets a gateway run in fast time; requests keep its timers going. */
async function runFor({ client }: GatewayProcess, seconds: number): Promise<void> {
  for (let n = 0; n < seconds * 10; n += 1) {
    await client.health({}, { signal: AbortSignal.timeout(1000) }).catch(() => undefined)
    await sleep(100)
  }
}

describe.runIf(faketime !== undefined)('a gateway whose clock is set 40 days ahead', () => {
  it('keeps documents after a fax and restarts, and deletes the one whose time had really passed', async () => {
    const { gateway, set } = await withClock(false)
    set('-31d')
    await gateway.start()
    await sendOne(gateway)
    await gateway.stop()
    // A month in which nothing ran; somebody says that the clock is right.
    set('+0d')
    await gateway.start()
    await gateway.client.confirmClock({})
    await sendOne(gateway)
    await sendOne(gateway)
    set('+40d')
    await sleep(500)
    await sendOne(gateway)
    await gateway.stop()
    await gateway.start()
    await sleep(5000)
    await gateway.stop()
    expect(documentsOf(gateway)).toBe(4)
    const fast = await withClock(true)
    rmSync(fast.gateway.directory, { recursive: true })
    renameSync(gateway.directory, fast.gateway.directory)
    fast.set('+40d')
    await fast.gateway.start()
    // The first hour, in which nothing is deleted, and the next minutes, in which what is due is.
    fast.set('+40d x60')
    await runFor(fast.gateway, 80)
    expect(documentsOf(fast.gateway)).toBe(3)
  }, 400_000)
})
