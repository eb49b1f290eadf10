import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type CallEnd, ProviderProblem } from '@faxdeck/provider-kit'
import { TrunkChoice } from './choose-trunk.ts'
import { splitPorts } from './config/engine-conf.ts'
import { trunk } from './index.ts'
import type { Trunk } from './more-trunks.ts'
import { trunkHeaders, tuningOf } from './originate.ts'
import { dialed, planOf } from './plan.ts'
import { quietSecondsLeft } from './quiet-hours.ts'
import { freeingTrunks } from './send.ts'

const defaults = Object.fromEntries(trunk.settings.map((row) => [row.key, row.default]))
const planWith = (settings: object) =>
  planOf({ ...defaults, trunk_host: 'a.example', trunk_user: 'u', trunk_numbers: '+15551230001', ...settings })

describe('a number', () => {
  it.each([
    [{}, '+15551234567', '+15551234567'],
    [{ trunk_international_prefix: '00' }, '+493012345', '00493012345'],
    [{ trunk_international_prefix: 'none' }, '+493012345', '493012345'],
    [
      { trunk_international_prefix: '00', trunk_country_code: '49', trunk_national_prefix: '0' },
      '+493012345',
      '03012345',
    ],
    [
      { trunk_international_prefix: '00', trunk_country_code: '49', trunk_national_prefix: '0' },
      '+4312345678',
      '004312345678',
    ],
    [
      { trunk_international_prefix: '011', trunk_country_code: '1', trunk_dial_prefix: '9' },
      '+15551234567',
      '95551234567',
    ],
    // The longest number there is, behind the longest prefixes.
    [
      { trunk_international_prefix: '00011', trunk_dial_prefix: '12345678' },
      '+123456789012345',
      '1234567800011123456789012345',
    ],
  ])('is dialed as the carrier wants it: %o %s', (settings, to, expected) => {
    expect(dialed(to, planWith(settings).dial)).toBe(expected)
  })

  it.each(['+19115550123', '+11234567890', '+10115550123', '+14115550123'])(
    'that would call for help is not dialed: %s',
    (to) => {
      const plan = planWith({ trunk_country_code: '1', trunk_dial_prefix: '9' })
      const [main] = plan.trunks
      const headers = () => main && trunkHeaders({ attemptId: 'a', to }, plan, main, { pages: '/p', result: '/r' })
      expect(headers).toThrow('No area code of North America begins like this.')
    },
  )

  it('shows the number of the sender, except to a carrier that does not know it', () => {
    const plan = planWith({
      trunk_numbers: '+15551230001, +15551230002=WARD 3B',
      trunk_more: 'other host=b.example user=v numbers=+15551240001',
      trunk_more_passwords: 'other=secret',
    })
    const shown = (trunk: number, from?: string) => {
      const fax = { attemptId: 'a', to: '+15555550123', ...(from === undefined ? {} : { from }) }
      const through = plan.trunks[trunk]
      const headers = through ? trunkHeaders(fax, plan, through, { pages: '/p', result: '/r' }) : []
      return headers.flatMap(([name, value]) => (/CallerID|FAXDECK_STATION/.test(name + value) ? [value] : []))
    }
    expect(shown(0)).toEqual(['<+15551230001>', expect.stringContaining('+15551230001')])
    expect(shown(0, '+15551230002')).toEqual(['<+15551230002>', 'FAXDECK_STATION=WARD 3B'])
    expect(shown(1, '+15551230002')).toEqual(['<+15551240001>', expect.anything()])
    expect(shown(1, '+15551240001')).toEqual(['<+15551240001>', expect.anything()])
    expect(shown(0, '+15559990000')).toEqual(['<+15559990000>', expect.anything()])
  })

  it('shows the caller ID of the longest prefix that fits', () => {
    const plan = planWith({ trunk_caller_ids: '+49=+493000, +4930=+493030303' })
    const [main] = plan.trunks
    const shown = (to: string) => main && plan.callerIdFor(to, main)
    expect(['+15550001', '+4989000', '+4930000'].map(shown)).toEqual(['+15551230001', '+493000', '+493030303'])
  })
})

describe('what of a call can be changed', () => {
  it.each([
    [{}, [14_400, 9600, 4800], ['audio', 't38']],
    [{ trunk_speed: '12000', trunk_t38: 'off' }, [9600, 4800], ['audio']],
    [{ trunk_speed: '4800', trunk_t38: 'only' }, [4800], ['t38']],
  ])('stays within the settings: %o', (settings, speeds, transports) => {
    expect(tuningOf(planWith(settings))).toMatchObject({ speeds, transports })
  })
})

describe('quiet hours', () => {
  const at = (hours: number, minutes: number) => new Date(2026, 0, 15, hours, minutes)
  it.each([
    ['22:00-06:30', 21, 59, 0],
    ['22:00-06:30', 22, 0, 8.5 * 3600],
    ['22:00-06:30', 3, 0, 3.5 * 3600],
    ['22:00-06:30', 6, 30, 0],
    ['12:00-13:00', 12, 30, 1800],
    ['12:00-13:00', 13, 0, 0],
  ])('%s at %i:%i have %i seconds left', (hours, h, m, left) => {
    expect(quietSecondsLeft(hours, at(h, m))).toBe(left)
  })

  it.each([
    // 29 March 2026 has no hour from 2 to 3, and 25 October has it twice.
    ['2026-03-28T22:00:00Z', 6.5 * 3600],
    ['2026-10-24T21:00:00Z', 8.5 * 3600],
    ['2026-10-25T00:15:00Z', 5.25 * 3600],
    ['2026-10-25T01:15:00Z', 4.25 * 3600],
  ])('end by the clock on the wall in nights when it is changed: from %s in %i seconds', (now, left) => {
    vi.stubEnv('TZ', 'Europe/Berlin')
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(quietSecondsLeft('22:00-06:30', new Date(now))).toBe(left)
  })

  it('that end in an hour that comes twice are over after it, and not a day later', () => {
    vi.stubEnv('TZ', 'Europe/Berlin')
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(quietSecondsLeft('22:00-02:30', new Date('2026-10-25T01:15:00Z'))).toBe(15 * 60)
  })
})

describe('the choice of a trunk', () => {
  const plan = planWith({
    trunk_channels: 1,
    trunk_more: 'europe host=b.example to=+49,+33 channels=1; backup host=c.example channels=1',
  })
  const up = plan.trunks.map(({ name }) => ({ name, registration: 'Registered', reachable: true, roundTripMs: 1 }))
  const fax = (n: number, to = '+15550000') => ({ attemptId: `attempt${n}`, jobId: `job${n}`, to })

  it('goes by order, destination and free channels', () => {
    const choice = new TrunkChoice(plan.trunks)
    expect(choice.take(fax(1), up).name).toBe('main')
    expect(choice.take(fax(2), up).name).toBe('backup')
    expect(choice.take(fax(3, '+4930'), up).name).toBe('europe')
    expect(() => choice.take(fax(4), up)).toThrow('Every channel of the trunk is busy.')
    choice.free('attempt1', false)
    expect(choice.take(fax(5), up).name).toBe('main')
  })

  it('counts every call that Asterisk has, and no call of ours that it has no more', () => {
    const choice = new TrunkChoice(plan.trunks)
    const call = (trunk: string, id: string) => ({ trunk, id })
    // A received fax, and one that a gateway before this one dialed.
    expect(choice.take(fax(1), up, [call('main', '1795288994.25')]).name).toBe('backup')
    const adopted = call('main', `faxdeck-${'a'.repeat(32)}`)
    expect(() => choice.take(fax(2), up, [adopted, call('backup', '1795288994.26')])).toThrow('busy')
    expect(choice.take(fax(3), up, [adopted, call('backup', 'faxdeck-attempt1')].slice(1)).name).toBe('main')
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 11_000)
    onTestFinished(() => void vi.restoreAllMocks())
    expect(choice.take(fax(4), up, []).name).toBe('main')
  })

  it('holds up the faxes of other destinations only where these cannot go out either', () => {
    const choice = new TrunkChoice(plan.trunks.slice(0, 2))
    const states = up.slice(0, 2)
    const refusal = (act: () => unknown) => {
      try {
        act()
      } catch (error) {
        return error
      }
      return undefined
    }
    choice.take(fax(1), states)
    const busy = { kind: 'rate_limited', retryAfterSeconds: 5 }
    expect(refusal(() => choice.take(fax(2), states))).toMatchObject({ ...busy, waiting: { only: 'this fax' } })
    choice.take(fax(3, '+4930'), states)
    const waiting = { pause: 'Every channel of the trunk is busy.' }
    expect(refusal(() => choice.take(fax(4), states))).toMatchObject({ ...busy, waiting })
    const down = states.map((state) => (state.name === 'main' ? { ...state, reachable: false } : state))
    choice.free('attempt3', false)
    expect(refusal(() => choice.take(fax(5), down))).toMatchObject({
      kind: 'unreachable',
      waiting: { only: 'this fax' },
    })
  })

  it('says that an account is refused only where the carrier answers', () => {
    const take = (reachable: boolean | null) => {
      const state = { name: 'main', registration: 'Rejected', reachable, roundTripMs: null }
      try {
        return new TrunkChoice(plan.trunks.slice(0, 1)).take(fax(1), [state]).name
      } catch (error) {
        return error instanceof ProviderProblem ? error.kind : String(error)
      }
    }
    expect([true, false, null].map(take)).toEqual(['bad_credentials', 'unreachable', 'unreachable'])
  })

  it('passes over a trunk that is down, and says so when none is up', () => {
    const choice = new TrunkChoice(plan.trunks)
    const down = (names: readonly string[]) =>
      up.map((state) => (names.includes(state.name) ? { ...state, registration: 'Unregistered' } : state))
    expect(choice.take(fax(1), down(['main'])).name).toBe('backup')
    expect(() => choice.take(fax(2), down(['main', 'backup']))).toThrow('The trunk is not registered at a.example.')
    const refused = (reachable: boolean | null) =>
      up.map((state) => ({ ...state, registration: 'Rejected', reachable }))
    expect(() => choice.take(fax(3), refused(true))).toThrow('a.example refuses the user name or the password')
    expect(() => choice.take(fax(4), refused(null))).toThrow('a.example does not answer, or refuses the user name')
    expect(() => choice.take(fax(5), refused(false))).toThrow('a.example does not answer.')
  })

  it('tries a fax that was not put through by another trunk first, and other faxes as ever', () => {
    const choice = new TrunkChoice(plan.trunks)
    choice.take(fax(1), up)
    choice.free('attempt1', true)
    expect(choice.take({ ...fax(2), jobId: 'job1' }, up).name).toBe('backup')
    expect(choice.take(fax(3), up).name).toBe('main')
  })
})

describe('the end of a call through a trunk', () => {
  const plan = planWith({ trunk_more: 'backup host=b.example' })
  const refused = { state: 'failed', kind: 'rejected', sentence: 'The call was rejected.', pagesConfirmed: 0 } as const
  const answered = { call: { steps: [{ step: 'answered', at: '2026-11-23T09:00:00.000Z' }] } } as const

  /** A call through the first trunk ends; what is reported of it, and the trunk of the next attempt. */
  const after = async (end: object, { trunks = plan.trunks, silent = '', refusing = '' } = {}) => {
    const choice = new TrunkChoice(trunks)
    const ended = vi.fn<(end: CallEnd) => void>()
    const listener = { ended, look: vi.fn<() => void>(), onProblem: vi.fn<(error: unknown) => void>() }
    const fax = { jobId: 'job', to: '+15550000' }
    choice.take({ ...fax, attemptId: 'attempt1' }, [])
    const isSilent = ({ name }: Trunk) => Promise.resolve(name === silent)
    const isRefused = ({ name }: Trunk) => Promise.resolve(name === refusing)
    const noteRefusal = vi.fn<(trunk: Trunk) => void>()
    const carrier = { isSilent, isRefused, noteRefusal }
    freeingTrunks(listener, choice, plan, carrier).ended({ ...refused, ...end, attemptId: 'attempt1' })
    await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce())
    const noted = noteRefusal.mock.calls.map(([{ name }]) => name)
    return { told: ended.mock.calls[0]?.[0], noted, next: choice.take({ ...fax, attemptId: 'attempt2' }, []).name }
  }

  it('is no end where one carrier refuses it and there is another', async () => {
    expect(await after({})).toMatchObject({ told: { kind: 'rejected', again: 'elsewhere' }, next: 'backup' })
    expect((await after({}, { trunks: plan.trunks.slice(0, 1) })).told).not.toHaveProperty('again')
    expect((await after(answered)).told).not.toHaveProperty('again')
  })

  it('is not that nobody answered where the carrier itself does not', async () => {
    const rang = { kind: 'no_answer', sentence: 'Nobody answered.' }
    expect(await after(rang)).toMatchObject({ told: rang, next: 'main' })
    const away = { kind: 'unreachable', sentence: 'a.example does not answer.' }
    expect(await after(rang, { silent: 'main' })).toMatchObject({
      told: { ...away, again: 'elsewhere' },
      next: 'backup',
    })
    const alone = await after(rang, { silent: 'main', trunks: plan.trunks.slice(0, 1) })
    expect(alone.told).toMatchObject(away)
    expect(alone.told).not.toHaveProperty('again')
  })

  it('is about the account where the carrier refuses that too, and not just this call', async () => {
    const forbidden = { call: { sip: '403 Forbidden' } }
    const alone = { trunks: plan.trunks.slice(0, 1) }
    expect(await after(forbidden, alone)).toMatchObject({ told: { kind: 'rejected' }, noted: [] })
    expect(await after(forbidden, { ...alone, refusing: 'main' })).toMatchObject({
      told: { kind: 'bad_credentials', sentence: expect.stringContaining('user name or password') as string },
      noted: ['main'],
    })
    expect((await after({}, { ...alone, refusing: 'main' })).told).toMatchObject({ kind: 'rejected' })
    const other = await after(forbidden, { refusing: 'main' })
    expect(other).toMatchObject({ told: { kind: 'bad_credentials', again: 'elsewhere' }, next: 'backup' })
  })

  it('changes the trunk only where the carrier did not put it through', async () => {
    expect((await after({ kind: 'line_error' })).next).toBe('backup')
    // The retry changes speed, error correction or T.38, and nothing beside it.
    expect((await after({ kind: 'line_error', ...answered })).next).toBe('main')
    expect((await after({ kind: 'busy' })).next).toBe('main')
  })
})

describe('the media ports', () => {
  it.each([
    [16_384, 17_183],
    [10_001, 10_040],
    [20_000, 20_005],
  ])('%i to %i are shared out without overlap, audio from an even one on', (first, last) => {
    const { rtp, udptl } = splitPorts([first, last])
    expect(rtp[0] % 2).toBe(0)
    expect(rtp[0]).toBeGreaterThanOrEqual(first)
    expect(rtp[1]).toBeGreaterThan(rtp[0])
    expect(udptl[0]).toBe(rtp[1] + 1)
    expect(udptl[1]).toBe(last)
    expect(udptl[1]).toBeGreaterThanOrEqual(udptl[0])
  })
})
