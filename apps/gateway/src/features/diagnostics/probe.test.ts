import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Probe } from '../../base/checks.ts'
import { runProbe } from './probe.ts'

const received: object[] = []
const log = { warn: (facts: object) => void received.push(facts) }
const probe = (change: Partial<Probe>): Probe => ({
  name: 'looks',
  severity: 'critical',
  hint: 'It is broken: mend it.',
  run: () => ({ passed: true }),
  ...change,
})

afterEach(() => {
  received.length = 0
  vi.useRealTimers()
})

describe('a probe', () => {
  it('says what is wrong only when it is', async () => {
    expect((await runProbe('g', probe({}), log)).finding).toMatchObject({ passed: true, sentence: null })
    const failed = await runProbe('g', probe({ setting: 's', run: () => ({ passed: false, detail: 'Seen.' }) }), log)
    expect(failed).toEqual({
      shown: false,
      finding: {
        group: 'g',
        check: 'looks',
        passed: false,
        severity: 'critical',
        sentence: 'It is broken: mend it.',
        detail: 'Seen.',
        setting: 's',
      },
    })
  })

  it('says what it saw instead, where its own words would claim more', async () => {
    const instead = { hint: 'Nobody answered: try again.' }
    const silent = probe({ setting: 's', run: () => ({ passed: false, instead }) })
    expect((await runProbe('g', silent, log)).finding).toMatchObject({ sentence: instead.hint, setting: 's' })
    const mild = probe({ run: () => ({ passed: false, instead: { ...instead, severity: 'warning' } }) })
    expect((await runProbe('g', mild, log)).finding).toMatchObject({ severity: 'warning' })
    const elsewhere = probe({ setting: 's', run: () => ({ passed: false, instead: { ...instead, setting: 't' } }) })
    expect((await runProbe('g', elsewhere, log)).finding).toMatchObject({ setting: 't' })
  })

  it('ends after five seconds, even when what it asks does not', async () => {
    vi.useFakeTimers()
    let aborted = false
    const run = (signal: AbortSignal) => {
      signal.addEventListener('abort', () => (aborted = true))
      return new Promise<never>(() => undefined)
    }
    const running = runProbe('g', probe({ run }), log)
    await vi.advanceTimersByTimeAsync(5000)
    expect((await running).finding).toMatchObject({
      passed: false,
      detail: 'No response within 5 seconds.',
      sentence: expect.stringMatching(/^This check did not finish in time/) as unknown,
    })
    expect(aborted).toBe(true)
  })

  it('claims its own fault when no answer comes only where silence is what it looks for', async () => {
    vi.useFakeTimers()
    const run = () => new Promise<never>(() => undefined)
    const running = runProbe('g', probe({ run, holdsInSilence: true }), log)
    await vi.advanceTimersByTimeAsync(5000)
    expect((await running).finding.sentence).toBe('It is broken: mend it.')
  })

  it('is asked to end before it is given up, so that it can say what did not answer', async () => {
    vi.useFakeTimers()
    const run = (signal: AbortSignal) =>
      new Promise<{ passed: boolean; detail: string }>((resolve) => {
        signal.addEventListener('abort', () => resolve({ passed: false, detail: 'Acme does not answer.' }))
      })
    const running = runProbe('g', probe({ run }), log)
    await vi.advanceTimersByTimeAsync(5000)
    expect((await running).finding.detail).toBe('Acme does not answer.')
  })

  it('keeps the words of an unexpected error to itself: they may repeat a credential', async () => {
    const run = () => {
      throw new TypeError('"Bearer s3cret" is no header value')
    }
    const outcome = await runProbe('g', probe({ run }), log)
    expect(outcome.finding).toMatchObject({ passed: false, detail: 'The check failed unexpectedly (TypeError).' })
    expect(JSON.stringify([outcome, received])).not.toContain('s3cret')
    expect(received).toEqual([{ check: 'looks', error: 'TypeError' }])
  })

  it('makes no issue of what could not be tried, and says the check’s own reason', async () => {
    const untried = 'Not run: the switch has no such module.'
    const { finding, shown } = await runProbe('g', probe({ run: () => ({ passed: false, untried }) }), log)
    expect(finding).toMatchObject({ passed: false, severity: 'info', sentence: untried })
    expect(shown).toBe(false)
  })

  it('shows what was seen where there is nothing to judge', async () => {
    const seen = await runProbe(
      'g',
      probe({ severity: 'info', run: () => ({ passed: true, detail: '3 waiting' }) }),
      log,
    )
    expect(seen.shown).toBe('3 waiting')
  })
})
