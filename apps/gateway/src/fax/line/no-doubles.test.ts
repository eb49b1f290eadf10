import type { EmulatedServer, Emulator, EmulatorOptions } from '@faxdeck/provider-kit/emulator'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startGateway } from '../../testing/start-gateway.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const lost = '+15555550106'
const untaken = '+15555550124'
const emulatorOf = (id: string) => new URL(`../../../../../packages/providers/src/${id}/emulator.ts`, import.meta.url)

type Emulate = (options: EmulatorOptions) => Promise<Emulator & Pick<EmulatedServer, 'answerNext'>>

interface Weather {
  /** How far our clock is ahead of the provider's. */
  aheadMs?: number
  /** How far our clock is set forward once the answer was lost. */
  stepMs?: number
  listsAfterMs?: number
}

/** A gateway and its provider, each with a clock of its own, and nobody who calls back. */
async function stage(id: string, { aheadMs = 0, listsAfterMs = 0 }: Weather) {
  const clock = { passed: 0, aheadMs, setByMs: 0 }
  const theirs = () => new Date(Date.now() + clock.passed + clock.setByMs)
  const ours = () => new Date(Date.now() + clock.passed + clock.aheadMs)
  const { emulate } = (await import(emulatorOf(id).href)) as { emulate: Emulate }
  const open = async () => {
    const emulator = await emulate({ gatewayUrl: 'http://127.0.0.1:1', now: theirs, listsAfterMs })
    onTestFinished(() => emulator.close())
    return emulator
  }
  const emulator = await open()
  const env = {
    FAX_BACKEND: id,
    FAX_DISABLED: 'false',
    PUBLIC_API_URL: 'http://127.0.0.1:1',
    SINCH_AUTH_METHOD: 'basic',
  }
  const steady = () => performance.now() + clock.passed
  const { client } = await startGateway({ env: { ...emulator.env, ...env }, now: ours, steady })
  let others = 2000
  const job = (faxId: string) => client.getJob({ params: { id: faxId } })
  const send = async (to: string) => {
    const file = new File(['Dear colleague,\nplease find the results below.\n'], 'letter.txt')
    return (await client.submitFax({ form: { to, file } })).id
  }
  /** Hands over a fax whose answer gets lost. */
  const lose = async (to: string) => {
    const faxId = await send(to)
    await vi.waitFor(async () => expect((await job(faxId)).error_kind).toBe('uncertain'), 10_000)
    return faxId
  }
  /** Lets hours go by, in which another fax is sent each time and somebody asks about the lost one. */
  const wait = async (faxId: string, steps: number, stepMs = 20 * minute) => {
    for (let step = 0; step < steps; step += 1) {
      // Each to a number of its own: a call to the number of the last one would wait until that one has ended.
      const other = await send(`+1555555${String((others += 1)).padStart(4, '0')}`)
      await vi.waitFor(async () => expect((await job(other)).provider_sid).not.toBeNull(), 10_000)
      clock.passed += stepMs
      await client.refreshJob({ params: { id: faxId } })
    }
    return job(faxId)
  }
  const arrivedAt = (to: string) => emulator.faxes.filter((fax) => fax.to === to)
  return { clock, emulator, open, client, send, job, lose, wait, arrivedAt }
}

const emptyLists: Record<string, object> = {
  phaxio: { success: true, message: 'Faxes', data: [], paging: { total: 0, per_page: 100, page: 1 } },
  sinch: { faxes: [], pageNumber: 1, pageSize: 100, totalItems: 0, totalPages: 0 },
}

const isLong = process.env.FAXDECK_LONG !== undefined

const bad: [string, Weather][] = [
  ['our clock is 65 s ahead', { aheadMs: 65 * second }],
  ['our clock is 5 min ahead', { aheadMs: 5 * minute }],
  ['our clock is 2 days behind', { aheadMs: -48 * hour }],
  ['our clock is set forward by 660 s', { stepMs: 660 * second }],
  ['our clock is set forward by a day, and the list is 8 s late', { stepMs: 24 * hour, listsAfterMs: 8 * second }],
  ['the list is 15 min late', { listsAfterMs: 15 * minute }],
  ['the list is 2 h late and our clock wrong', { listsAfterMs: 2 * hour, aheadMs: 5 * minute, stepMs: 660 * second }],
]

describe.each(['phaxio', 'sinch'])('a fax that %s took, whose answer and callback were lost', (id) => {
  it.each(isLong || id === 'phaxio' ? bad : bad.slice(-1))('is delivered once where %s', async (_what, weather) => {
    const { clock, lose, wait, arrivedAt } = await stage(id, weather)
    const faxId = await lose(lost)
    clock.aheadMs += weather.stepMs ?? 0
    await wait(faxId, 2, 6 * minute)
    const job = await wait(faxId, 8)
    expect(arrivedAt(lost)).toHaveLength(1)
    expect(job).toMatchObject({ attempt_count: 1, provider_sid: arrivedAt(lost)[0]?.id })
  })

  it.each([
    ['one answer about it is dated two hours early', { early: true }],
    ['the clock of its provider is set forward by two hours', { early: false }],
  ])('is delivered once where %s, and the list shows it late', async (_what, { early }) => {
    const { clock, emulator, client, lose, wait, arrivedAt } = await stage(id, {})
    const faxId = await lose(lost)
    const [ours] = arrivedAt(lost)
    const { takenAt } = ours ?? {}
    Object.assign(ours ?? {}, { takenAt: new Date(8e15) })
    const date = new Date(Date.now() - 2 * hour).toUTCString()
    if (early) emulator.answerNext({ status: 200, headers: { date }, body: emptyLists[id] }, /faxes$/)
    await client.refreshJob({ params: { id: faxId } })
    clock.setByMs = early ? 0 : 2 * hour
    await wait(faxId, 2, 5 * second)
    expect(arrivedAt(lost)).toHaveLength(1)
    Object.assign(ours ?? {}, { takenAt })
    const job = await wait(faxId, 5)
    expect(arrivedAt(lost)).toHaveLength(1)
    expect(job).toMatchObject({ attempt_count: 1, provider_sid: ours?.id })
  })

  it('is left to a person where another account is set up meanwhile, until the first is back', async () => {
    const { emulator, open, client, lose, wait, arrivedAt } = await stage(id, {})
    const faxId = await lose(lost)
    const other = await open()
    const key = `${id}_base_url`
    const [first = '', second = ''] = [emulator, other].map(({ env }) => env[`${id.toUpperCase()}_BASE_URL`] ?? '')
    await client.updateSettings({ body: { [key]: second } })
    const job = await wait(faxId, 6)
    expect(job).toMatchObject({ status: 'in_progress', attempt_count: 1 })
    expect(job.error).toContain('through a different account')
    expect([arrivedAt(lost).length, other.faxes.filter(({ to }) => to === lost).length]).toEqual([1, 0])
    await client.updateSettings({ body: { [key]: first } })
    expect(await wait(faxId, 1)).toMatchObject({ attempt_count: 1, provider_sid: arrivedAt(lost)[0]?.id })
  })
})

describe.each(['phaxio', 'sinch'])('a fax that %s never took', (id) => {
  it('is sent again once its list shows a fax of an hour later, and not before', async () => {
    const { emulator, send, job, wait, arrivedAt } = await stage(id, { aheadMs: 5 * minute })
    emulator.answerNext('cut', /faxes$/)
    const faxId = await send(untaken)
    await vi.waitFor(async () => expect((await job(faxId)).error_kind).toBe('uncertain'), 10_000)
    expect(await wait(faxId, 3)).toMatchObject({ status: 'in_progress', attempt_count: 1 })
    expect(arrivedAt(untaken)).toEqual([])
    await wait(faxId, 3)
    await vi.waitFor(() => expect(arrivedAt(untaken)).toHaveLength(1), 10_000)
    expect(await job(faxId)).toMatchObject({ attempt_count: 2 })
  })
})
