import type { SettingRow } from '@faxdeck/settings'
import { describe, expect, it } from 'vitest'
import { declarationFaults, registryFaults } from './conformance-declaration.ts'
import { describeAnswers } from './conformance-answers.ts'
import { describeFinding, type FindTrial } from './conformance-find.ts'
import { sampleFax, sendFaults, type SendFault } from './conformance-send.ts'
import { noticeFaults, webhookFaults, type WebhookFixture } from './conformance-webhooks.ts'
import type { Line, Provider, ProviderSettings, WebhookRequest } from '../provider.ts'

export type { FindTrial } from './conformance-find.ts'
export { faultyFetch, sampleFax, type SendFault } from './conformance-send.ts'
export type { WebhookFixture } from './conformance-webhooks.ts'

/** What a provider brings along to be tried with. */
export interface Trial {
  /** The settings that the provider needs, and no others. */
  settings: ProviderSettings
  /** Further settings in force, without which the provider can still send: those that webhooks are verified by. */
  also?: ProviderSettings
  /** Signed requests, at least one for each webhook. */
  fixtures?: readonly WebhookFixture[]
  /**
   * An authentic notice of a received fax with this status word, or without any: needed when the provider announces
   * received faxes by callbacks.
   */
  notice?: (word: string | undefined) => { path: string; request: WebhookRequest }
  /** Needed when the provider can send. */
  sending?: {
    /** What may befall a send: over HTTP everything, so that cloud providers leave it out. */
    faults?: readonly SendFault[]
    /** Opens a line that meets the fault at its next send. */
    lineWith: (fault: SendFault, settings: ProviderSettings) => Line | Promise<Line>
  }
  /** Needed when a cloud provider can be asked about an attempt. */
  finding?: FindTrial
}

/** Tries a provider: the tests that every provider passes. Call it at the top of `<id>.test.ts`. */
export function describeProvider(provider: Provider, trial: Trial): void {
  const defaults = Object.fromEntries(provider.settings.map((row) => [row.key, row.default]))
  const settings = { ...defaults, ...trial.settings, ...trial.also }
  describe(`${provider.name} as a provider`, () => {
    it('is declared completely', () => {
      expect(declarationFaults(provider)).toEqual([])
    })
    describeMissing(provider, settings, Object.keys(trial.settings))
    describeWebhooks(provider, settings, trial.fixtures ?? [])
    if (provider.webhooks.some(({ purpose }) => purpose !== 'status')) describeNotices(provider, settings, trial.notice)
    if (provider.open || trial.sending) describeSending(provider, settings, trial)
    if (trial.finding) describeFinding(provider, trial.finding)
    if (trial.finding) describeAnswers(provider, trial.finding)
  })
}

/** Tries all providers together, and with the settings of the core: no two may claim the same name. */
export function describeRegistry(providers: readonly Provider[], coreRows: readonly SettingRow[]): void {
  it('gives every name to one provider only', () => {
    expect(registryFaults(providers, coreRows)).toEqual([])
  })
}

function describeMissing(provider: Provider, settings: ProviderSettings, needed: readonly string[]): void {
  it('misses nothing when it is set up', () => {
    expect(provider.missing(settings)).toBeUndefined()
  })
  it.each(needed)('says that %s is missing, and how it is called', (key) => {
    const row = provider.settings.find((candidate) => candidate.key === key)
    const sentence = provider.missing({ ...settings, [key]: null })
    expect(sentence).toContain(row?.label ?? 'a setting of the provider')
    expect(sentence).toContain(row?.env ?? 'a variable of the provider')
    expect(sentence).toMatch(/\.$/)
  })
}

function describeWebhooks(provider: Provider, settings: ProviderSettings, fixtures: readonly WebhookFixture[]): void {
  it.each(provider.webhooks.map(({ path }) => path))('brings a fixture for %s', (path) => {
    expect(fixtures.map((fixture) => fixture.path)).toContain(path)
  })
  it.each(fixtures)('understands the true and refuses the forged: $name', (fixture) => {
    expect(webhookFaults(provider, fixture, settings)).toEqual([])
  })
}

const unknownWords = ['NEVER-HEARD-OF', 'partly', 'ok?', '', undefined]

function describeNotices(provider: Provider, settings: ProviderSettings, notice: Trial['notice']): void {
  it.each(unknownWords)('keeps a received fax with the status word %j for a person to look at', (word) => {
    expect(notice, 'a notice to try its receiving with').toBeDefined()
    expect(notice ? noticeFaults(provider, notice(word), settings) : []).toEqual([])
  })
}

const everyFault = Object.keys(sendFaults) as SendFault[]

function describeSending(provider: Provider, settings: ProviderSettings, { sending, finding }: Trial): void {
  const faults = sending?.faults ?? everyFault
  it('brings lines to try its sending with', () => {
    expect(provider.open).toBeDefined()
    expect(sending?.lineWith).toBeDefined()
    expect(faults).toEqual(provider.kind === 'cloud' ? everyFault : faults)
  })

  it.each(faults)('reports %s at a send correctly', async (fault) => {
    const line = await sending?.lineWith(fault, settings)
    const expected = sendFaults[fault]
    const problem: unknown = await line?.send(sampleFax, AbortSignal.timeout(10_000)).catch((error: unknown) => error)
    expect(problem).toMatchObject({ name: 'ProviderProblem', kind: expect.toBeOneOf([...expected.kinds]) as unknown })
    expect(problem).toMatchObject(
      'retryAfterSeconds' in expected ? { retryAfterSeconds: expected.retryAfterSeconds } : {},
    )
    await line?.close?.()
  })

  it('names its account and brings a stand-in where it can be asked what became of an attempt', async () => {
    const line = await sending?.lineWith('a refused connection', settings)
    expect({ account: provider.account !== undefined, finding: finding !== undefined }).toEqual({
      account: provider.kind === 'cloud' || provider.kind === 'plugin',
      finding: provider.kind === 'cloud' && line?.find !== undefined,
    })
    await line?.close?.()
  })

  it('can do with a fax under way what its traits say', async () => {
    const line = await sending?.lineWith('a refused connection', settings)
    expect({ cancel: line?.cancel !== undefined, status: line?.status !== undefined }).toEqual({
      cancel: provider.traits.supports_cancel,
      status: provider.traits.supports_status,
    })
    await line?.close?.()
  })
}
