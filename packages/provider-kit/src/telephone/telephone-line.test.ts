import { describe, expect, it, onTestFinished } from 'vitest'
import { freshFolder, RecordingHost } from '../testing/recording-host.ts'
import { Spool } from './spool.ts'
import { type CallEnd, type Engine, type EngineListener, TelephoneLine } from './telephone-line.ts'

const attemptId = '0123456789abcdef'
const never = new AbortController().signal
const broken = (change: Partial<CallEnd>): CallEnd => ({
  attemptId,
  providerId: attemptId,
  state: 'failed',
  kind: 'partial',
  pagesConfirmed: 0,
  ...change,
})

/** A line with one call up, which ends as the test says when it is hung up. */
async function lineWith(ends: readonly CallEnd[], cancelWaitMs?: number) {
  const host = new RecordingHost(await freshFolder())
  let isUp = true
  const made: { listener?: EngineListener } = {}
  const engine: Engine = {
    name: 'Engine',
    providerIdOf: (id) => id,
    attemptOf: (id) => id,
    dial: () => Promise.resolve(),
    isUp: async () => isUp,
    hangUp: async () => {
      isUp = false
      for (const end of ends) made.listener?.ended(end)
    },
    listNoted: async () => [],
    readEnd: async () => undefined,
    forget: async () => undefined,
    close: async () => undefined,
  }
  const line = new TelephoneLine(
    host,
    new Spool(host.directory),
    (listener) => {
      made.listener = listener
      return engine
    },
    cancelWaitMs,
  )
  onTestFinished(() => line.close())
  return { host, line, report: (end: CallEnd) => made.listener?.ended(end) }
}

describe('a call that is hung up on request', () => {
  it.each([
    [{ pagesConfirmed: 2 }, /^Canceled after page 2\. /],
    [{ pagesConfirmed: 0 }, /its first page may have been printed/],
    [{ kind: 'line_error', again: 'unheard' }, /before a page went out/],
    [{ kind: 'uncertain' }, /It’s unknown how far the call got/],
  ] as const)('is canceled, and says how far it had come: %j', async (change, sentence) => {
    const { host, line } = await lineWith([broken(change)])
    expect(await line.cancel(attemptId, never)).toBe(true)
    expect(host.reports).toMatchObject([{ kind: 'cancelled', onRequest: true }])
    expect(host.reports[0]?.sentence).toMatch(sentence)
    expect(host.reports[0]?.again).toBeUndefined()
  })

  it('stays canceled however often and however late the engine reports its end', async () => {
    const { host, line, report } = await lineWith([broken({ pagesConfirmed: 1 }), broken({ pagesConfirmed: 1 })])
    expect(await line.cancel(attemptId, never)).toBe(true)
    report(broken({ kind: 'line_error' }))
    await line.close()
    expect(new Set(host.reports.map(({ kind }) => kind))).toEqual(new Set(['cancelled']))
  })

  it('has arrived when it had arrived', async () => {
    const { host, line } = await lineWith([broken({ state: 'delivered', pagesConfirmed: 3 })])
    expect(await line.cancel(attemptId, never)).toBe(false)
    expect(host.reports).toMatchObject([{ state: 'delivered' }])
  })

  it('is canceled though nobody reports its end', async () => {
    const { host, line } = await lineWith([], 1)
    expect(await line.cancel(attemptId, never)).toBe(true)
    expect(host.reports).toMatchObject([
      { kind: 'cancelled', sentence: 'Canceled. It’s unknown how far the call got.' },
    ])
  })
})

describe('an end that is reported again', () => {
  it('is reported once, unless the fax has arrived after all', async () => {
    const { host, line, report } = await lineWith([])
    report(broken({ kind: 'line_error' }))
    report(broken({ kind: 'partial' }))
    report(broken({ state: 'delivered', pagesConfirmed: 3 }))
    await line.close()
    expect(host.reports).toMatchObject([{ kind: 'line_error' }, { state: 'delivered' }])
  })
})
