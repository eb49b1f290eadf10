import type { Provider } from '@faxdeck/provider-kit'
import { expect, it } from 'vitest'
import { Events } from '../../base/events/events.ts'
import { onEachDatabase } from '../../testing/databases.ts'
import { Clocks } from '../../base/providers/clocks.ts'
import { clockProbe, clocksOf, type OtherClock } from './clock.ts'
import { runProbe } from './probe.ts'

const log = { warn: () => undefined }
const day = 86_400_000
const at = (ms: number) => () => new Date(Date.now() + ms)

const acme = { id: 'acme', name: 'Acme' } as Provider

/** A provider with the right time, whatever the clock of this machine says. */
async function ofProvider(now: () => Date): Promise<readonly OtherClock[]> {
  const clocks = new Clocks({ now })
  const answer = () => Promise.resolve(new Response('{}', { headers: { date: new Date().toUTCString() } }))
  await clocks.watch('acme', answer)('https://api.acme.test')
  return clocksOf({ clock: (id) => clocks.read(id) }, [acme])
}

onEachDatabase((open) => {
  const look = async (ms: number, providers: 'asked' | 'silent') => {
    const database = await open()
    const now = at(ms)
    const others = async () => (providers === 'asked' ? ofProvider(now) : [])
    const probe = clockProbe({ database, now, others })
    return { database, find: async () => (await runProbe('system', probe, log)).finding, engine: database.engine }
  }

  it('agrees with the provider that was asked', async () => {
    expect(await (await look(0, 'asked')).find()).toMatchObject({ passed: true, detail: expect.stringMatching(/Acme/) })
  })

  it.each([
    [day, 'ahead of'],
    [-day, 'behind'],
    [60_000, 'ahead of'],
  ])('is seen to be %i ms wrong, and still after more was recorded', async (ms, words) => {
    const { database, find } = await look(ms, 'asked')
    for (let look = 0; look < 2; look++) {
      expect(await find()).toMatchObject({
        passed: false,
        severity: 'warning',
        sentence: expect.stringMatching(/^This machine’s clock is wrong/),
        detail: expect.stringContaining(`${words} that of Acme.`),
      })
      await new Events(database, at(ms)).restartRequested({ key_id: 'k' })
    }
  })

  it('is judged by the audit trail, or the database, when no provider can be asked', async () => {
    const { database, find, engine } = await look(-day, 'silent')
    await new Events(database, () => new Date()).restartRequested({ key_id: 'k' })
    await new Events(database, at(-day)).restartRequested({ key_id: 'k' })
    const finding = await find()
    expect(finding.passed).toBe(false)
    expect(finding.sentence).toMatch(engine === 'sqlite' ? /entries dated in the future/ : /clock/)
  })

  it('says that nobody could be asked', async () => {
    const { find, engine } = await look(0, 'silent')
    const finding = await find()
    if (engine === 'sqlite')
      expect(finding).toMatchObject({ passed: true, detail: expect.stringMatching(/no other clock was available$/) })
    else expect(finding).toMatchObject({ passed: true, detail: 'agrees with the database' })
  })
})
