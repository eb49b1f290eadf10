import { existsSync } from 'node:fs'
import { providers } from '@faxdeck/providers/registry'
import { describe, expect, it } from 'vitest'
import { through } from '../../testing/through-emulator.ts'

const emulatorOf = (id: string) => new URL(`../../../../../packages/providers/src/${id}/emulator.ts`, import.meta.url)
const emulated = providers.filter(({ id, kind }) => kind === 'cloud' && existsSync(emulatorOf(id)))
const number = '+15555550114'

describe.each(emulated)('$name, which reports a fax busy and then delivered', ({ id }) => {
  it('has been given the fax once, and the fax is delivered', async () => {
    const { send, job, emulator } = await through(id)
    const faxId = await send(number)
    await expect.poll(async () => (await job(faxId)).status, { timeout: 20_000 }).toBe('SUCCESS')
    const { timeline, attempts, next_try_at, needs_attention } = await job(faxId)
    const events = timeline.map(({ event }) => event)
    expect(events.slice(events.indexOf('retry_scheduled'))).toEqual(['retry_scheduled', 'delivered'])
    expect([attempts.length, next_try_at, needs_attention]).toEqual([1, null, false])
    expect(emulator.faxes.filter(({ to }) => to === number)).toHaveLength(1)
  })
})
