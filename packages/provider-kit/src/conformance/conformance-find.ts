import { describe, expect, it, onTestFinished } from 'vitest'
import { sampleFax } from './conformance-send.ts'
import type { Emulate, Emulator, EmulatorOptions } from '../emulator/index.ts'
import type { UncertainAttempt, Witness } from '../outcome/uncertain-attempt.ts'
import type { Host, Line, OutgoingFax, Provider } from '../provider.ts'

/** How a provider's word on a lost attempt is tried: against its own emulator. */
export interface FindTrial {
  emulate: Emulate
  /** Whether its list can prove that an attempt was never taken. Otherwise a person decides. */
  provesAbsence: boolean
  /** Settings without which the provider does not get our reference. */
  also?: Readonly<Record<string, string>>
}

const hour = 3_600_000
const minute = 60_000
const [lost, unanswered, delivered] = ['+15555550106', '+15555550112', '+15555550123']
const doubt = { name: 'ProviderProblem', kind: 'uncertain' }

const unused = () => Promise.reject(new Error('A cloud provider tells by callbacks.'))
const hostWith = (fetch: Host['fetch']): Host => ({
  fetch,
  now: () => new Date(),
  directory: '/nowhere',
  publicUrl: 'https://fax.example.test',
  report: unused,
  receive: unused,
  log: { info: () => undefined, warn: () => undefined },
})

/** A fetch that reads the clock of whom it asks, as that of the gateway does; and what may go wrong with its answers. */
function watching() {
  let theirs: number | undefined
  let taken: Response | undefined
  const mixUp = {
    /** Asks for something else than was asked for. */
    url: (asked: string) => asked,
    /** Answers a submission as the one before it. */
    replays: false,
  }
  const fetch: Host['fetch'] = async (input, init) => {
    if (mixUp.replays && init?.body && taken) return taken.clone()
    const response = await globalThis.fetch(typeof input === 'string' ? mixUp.url(input) : input, init)
    if (init?.body) taken = response.clone()
    theirs = Date.parse(response.headers.get('date') ?? '')
    return response
  }
  return { fetch, mixUp, clock: () => (theirs === undefined ? undefined : new Date(theirs)) }
}

/** An account at an emulator whose clock is moved by hand, and differs from ours by `aheadMs`. */
export async function account(provider: Provider, trial: FindTrial, { aheadMs = 0, ...options }: Options = {}) {
  const passed = { ms: 0 }
  const now = () => new Date(Date.now() + aheadMs + passed.ms)
  const emulator: Emulator = await trial.emulate({ gatewayUrl: 'http://127.0.0.1:1', now, ...options })
  onTestFinished(() => emulator.close())
  const { fetch, mixUp, clock } = watching()
  const env: Record<string, string> = { ...emulator.env, ...trial.also }
  const settings = Object.fromEntries(provider.settings.map((row) => [row.key, env[row.env] ?? row.default]))
  const line = provider.open?.(hostWith(fetch), settings)
  if (!line?.find) throw new Error(`${provider.name} has no list to find an attempt in.`)
  let attempts = 0
  const send = async (to: string): Promise<OutgoingFax & { providerId?: string }> => {
    const attemptId = (attempts += 1).toString(16).padStart(32, '0')
    const callbackUrl = `http://127.0.0.1:1/callback?attempt=${attemptId}`
    const pdf = () => Promise.resolve(Buffer.from('%PDF-1.4 /Type/Page\n%%EOF\n'))
    const fax = { ...sampleFax, attemptId, to, callbackUrl, pdf }
    const receipt = await line.send(fax, AbortSignal.timeout(300)).catch(() => undefined)
    return receipt ? { ...fax, providerId: receipt.providerId } : fax
  }
  const facts = (fax: OutgoingFax, change: Partial<UncertainAttempt>): UncertainAttempt => ({
    to: fax.to,
    at: new Date(),
    clock,
    overForMs: () => 2 * hour,
    witness: () => Promise.resolve(undefined),
    isKnown: () => Promise.resolve(false),
    hasRival: () => Promise.resolve(false),
    ...change,
  })
  const find = (fax: OutgoingFax, change: Partial<UncertainAttempt> = {}) =>
    (line as Required<Line>).find(fax.attemptId, AbortSignal.timeout(10_000), facts(fax, change))
  return { emulator, line, mixUp, send, find, clock, now, pass: (ms: number) => (passed.ms += ms) }
}

interface Options extends Partial<EmulatorOptions> {
  aheadMs?: number
}

const witnessOf = (fax: OutgoingFax & { providerId?: string }) => (): Promise<Witness> => {
  if (fax.providerId === undefined) throw new Error('A fax that was not taken is no witness.')
  return Promise.resolve({ attemptId: fax.attemptId, providerId: fax.providerId, to: fax.to })
}

type OpenAccount = (options?: Options) => ReturnType<typeof account>

function withoutProof(open: OpenAccount): void {
  it('concludes nothing from a list without it, however long ago that was by our clock', async () => {
    const { send, find } = await open()
    const fax = await send(unanswered)
    await expect(find(fax, { at: new Date(Date.now() - 1000 * hour) })).rejects.toMatchObject(doubt)
  })

  it('concludes nothing from a list that shows no fax of an hour later', async () => {
    const { send, find, now, pass } = await open()
    const fax = await send(unanswered)
    const overBy = now()
    await expect(find(fax, { overBy })).rejects.toMatchObject(doubt)
    pass(hour - 2 * minute)
    await expect(find(fax, { overBy, witness: witnessOf(await send(delivered)) })).rejects.toMatchObject(doubt)
  })

  it('concludes nothing before an hour has passed by our own steady clock, whatever its clock shows', async () => {
    const { send, find, now, pass } = await open()
    const fax = await send(unanswered)
    const overBy = now()
    pass(3 * hour)
    const witness = witnessOf(await send(delivered))
    const early = () => hour - minute
    await expect(find(fax, { overBy, witness, overForMs: early })).rejects.toMatchObject(doubt)
    await expect(find(fax, { overBy, witness, overForMs: () => undefined })).rejects.toMatchObject(doubt)
  })

  it('concludes nothing from a witness that its list does not know, or that another clock stamped', async () => {
    const { send, find, now, pass, clock } = await open()
    const fax = await send(unanswered)
    const overBy = now()
    pass(2 * hour)
    const later = await send(delivered)
    const stranger = () => Promise.resolve({ attemptId: 'f'.repeat(32), providerId: '900999', to: delivered })
    await expect(find(fax, { overBy, witness: stranger })).rejects.toMatchObject(doubt)
    const witness = witnessOf(later)
    const slow = () => new Date((clock()?.getTime() ?? 0) - hour)
    await expect(find(fax, { overBy, witness, clock: slow })).rejects.toMatchObject(doubt)
    await expect(find(fax, { overBy, witness, clock: () => undefined })).rejects.toMatchObject(doubt)
  })
}

function withProof(open: OpenAccount, provesAbsence: boolean): void {
  it.each([0, 5 * hour, -5 * hour])('goes by the clock of its provider alone, %i ms ahead of ours', async (aheadMs) => {
    const { send, find, now, pass } = await open({ aheadMs })
    const fax = await send(unanswered)
    const overBy = now()
    pass(hour + minute)
    const witness = witnessOf(await send(delivered))
    const found = find(fax, { overBy, witness })
    if (provesAbsence) expect(await found).toEqual({ taken: false })
    else await expect(found).rejects.toMatchObject(doubt)
  })

  it.each([8000, 15 * minute, 3 * hour])('never misses a fax that is listed %i ms late', async (listsAfterMs) => {
    const { send, find, now, pass, emulator } = await open({ listsAfterMs })
    const fax = await send(lost)
    const overBy = now()
    await expect(find(fax, { overBy })).rejects.toMatchObject(doubt)
    for (let step = 0; step < 4; step += 1) {
      pass(hour)
      const witness = witnessOf(await send(delivered))
      const found = await find(fax, { overBy, begunAfter: overBy, witness }).catch(() => undefined)
      expect(found?.taken).not.toBe(false)
    }
    const [taken] = emulator.faxes
    expect(await find(fax, { overBy, begunAfter: overBy })).toMatchObject({ taken: true, providerId: taken?.id })
  })
}

/** Tries that a provider never takes silence for proof: see the decision record on evidence. */
export function describeFinding(provider: Provider, trial: FindTrial): void {
  const open: OpenAccount = (options) => account(provider, trial, options)
  describe('asked about an attempt whose answer was lost', () => {
    withoutProof(open)
    withProof(open, trial.provesAbsence)
  })
}
