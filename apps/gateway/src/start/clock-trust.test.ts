import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { connect } from '../db/connect.ts'
import type { Database } from '../db/database.ts'
import { Events } from '../events/events.ts'
import type { ProviderAccess } from '../providers/access.ts'
import { onEachDatabase } from '../testing/databases.ts'
import { writeMigrated } from '../testing/migrated-file.ts'
import { cleanHourly } from './clean-hourly.ts'
import { createClockTrust } from './clock-trust.ts'

const hour = 3_600_000
const day = 24 * hour

/** A gateway whose clock can be set, while time passes as it does. */
function gatewayOn(database: Database, theirs?: () => Date) {
  const time = { ms: Date.now(), stepMs: 0 }
  const now = () => new Date(time.ms + time.stepMs)
  const clock = () => theirs && { now: theirs(), aheadMs: 0, ageMs: 0 }
  const providers = { providers: [{ id: 'made' }], clock } as unknown as ProviderAccess
  return {
    time,
    events: new Events(database, now),
    start: () => createClockTrust({ database, providers, now }, () => time.ms),
  }
}

it('nothing is deleted while the clock is not believed', async () => {
  const ran: string[] = []
  const clean = (isRight: boolean) =>
    cleanHourly([async () => void ran.push('cleaned')], {
      isClockTrusted: async () => isRight,
      onDistrust: () => void ran.push('distrusted'),
      onFailed: () => undefined,
    })
  const stops = [clean(false), clean(true)]
  await vi.waitFor(() => expect(ran).toEqual(['distrusted', 'cleaned']))
  for (const stop of stops) stop()
})

onEachDatabase((open) => {
  it('a clock that is set a month ahead is not believed, and is when it is set right again', async () => {
    const { time, start } = gatewayOn(await open())
    const isTrusted = start()
    expect(await isTrusted()).toBe(true)
    time.stepMs = 31 * day
    expect(await isTrusted()).toBe(false)
    time.ms += hour
    expect(await isTrusted()).toBe(false)
    time.stepMs = -day
    expect(await isTrusted()).toBe(true)
  })

  it('a clock that goes wrong is believed when a provider shows the same time, and not when that shows another', async () => {
    const { time, start } = gatewayOn(await open(), () => new Date(time.ms + 31 * day))
    const isTrusted = start()
    time.stepMs = 31 * day
    expect(await isTrusted()).toBe(true)
    time.stepMs = 400 * day
    expect(await isTrusted()).toBe(false)
  })
})

it('where nobody else shows the time, a clock is believed after some hours, also after weeks in which nothing ran', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'faxdeck-clock-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  await writeMigrated(join(directory, 'faxdeck.db'))
  const database = await connect(`sqlite:${directory}/faxdeck.db`)
  onTestFinished(() => database.close())
  const { time, events, start } = gatewayOn(database)
  await events.databaseRestored({ as_of: new Date(time.ms).toISOString() })
  time.ms += 8 * day
  const isTrusted = start()
  expect(await isTrusted()).toBe(false)
  time.ms += 6 * hour
  expect(await isTrusted()).toBe(true)
  time.stepMs = 31 * day
  expect(await isTrusted()).toBe(false)
  time.ms += 6 * hour
  expect(await isTrusted()).toBe(true)
})
