import type { CallTuning } from '@faxdeck/provider-kit'
import { describe, expect, it } from 'vitest'
import type { FaxAttemptRow } from '../../base/db/tables/tables.ts'
import { type CallChoice, choiceSentence, chooseCall } from './ladder.ts'

const tuning: CallTuning = { speeds: [14_400, 9600, 4800], ecm: true, transports: ['audio', 't38'], hasBuffer: true }
const broken = { transport: 'audio', speeds: [{ bps: 14_400 }], steps: [{ step: 'answered' }] }

function attemptAs(choice: CallChoice | undefined, change: Partial<FaxAttemptRow> = {}): FaxAttemptRow {
  const row = { kind: 'line_error', again: null, call_record: JSON.stringify(broken) }
  return { ...row, call_options: choice ? JSON.stringify(choice) : null, ...change } as FaxAttemptRow
}

/** The calls of a fax whose every call broke off. */
function climb(times: number, of = tuning): (CallChoice | undefined)[] {
  const attempts: FaxAttemptRow[] = []
  const choices: (CallChoice | undefined)[] = []
  for (let time = 0; time < times; time += 1) {
    const choice = chooseCall(attempts, undefined, of)
    choices.push(choice)
    attempts.push(attemptAs(choice))
  }
  return choices
}

describe('the calls of a fax that breaks off again and again', () => {
  it('each change exactly one thing: the speed, then error correction, then T.38', () => {
    const choices = climb(6)
    const options = choices.map((choice) => choice?.options ?? {})
    expect(options.slice(0, 4)).toEqual([
      {},
      { speed: 9600 },
      { speed: 9600, ecm: false },
      { speed: 9600, ecm: false, transport: 't38' },
    ])
    for (const [index, now] of options.slice(1, 4).entries()) {
      const before = options[index] ?? {}
      const different = ['speed', 'ecm', 'transport'].filter(
        (name) => Reflect.get(now, name) !== Reflect.get(before, name),
      )
      expect(different).toHaveLength(1)
    }
    expect(options[4]).toEqual(options[3])
    expect(choices.slice(1, 4).map(choiceSentence)).toEqual([
      'The last call was cut off, so this one sends at 9,600 bit/s at most.',
      'The last call was cut off, so this one goes without error correction (ECM).',
      'The last call was cut off, so this one goes as T.38.',
    ])
  })

  it('begin with a jitter buffer where packets came late, and only there', () => {
    const record = (jitter_ms: number, transport = 'audio') => ({
      call_record: JSON.stringify({ ...broken, transport, jitter_ms }),
    })
    const choose = (change: Partial<FaxAttemptRow>, of = tuning) =>
      chooseCall([attemptAs(undefined, change)], undefined, of)
    const late = choose(record(14.5))
    expect(late).toEqual({ options: { buffered: true }, why: 'retry', changed: 'buffer' })
    expect(choiceSentence(late)).toBe(
      'Packets of the last call came late and it was cut off, so this one uses a jitter buffer.',
    )
    const again = chooseCall([attemptAs(undefined, record(14.5)), attemptAs(late, record(14.5))], undefined, tuning)
    expect(again?.options).toEqual({ buffered: true, speed: 9600 })
    for (const other of [
      choose(record(4)),
      choose(record(30, 't38')),
      choose(record(14.5), { ...tuning, hasBuffer: false }),
    ])
      expect(other?.options).toEqual({ speed: 9600 })
  })

  it('pass over what the settings rule out', () => {
    const fixed = climb(4, { speeds: [14_400], ecm: false, transports: ['audio'], hasBuffer: false })
    expect(fixed).toEqual([undefined, undefined, undefined, undefined])
    expect(climb(2, { ...tuning, speeds: [14_400] })[1]?.changed).toBe('ecm')
    const dataOnly = climb(5, { ...tuning, transports: ['t38'] })
    expect(dataOnly.map((choice) => choice?.options.transport)).toEqual(Array(5).fill(undefined))
  })

  it('go on from what was remembered', () => {
    const first = chooseCall([], { speed: 9600, transport: 't38' }, tuning)
    expect(first).toEqual({ options: { speed: 9600, transport: 't38' }, why: 'memory' })
    expect(chooseCall([attemptAs(first)], undefined, tuning)).toEqual({
      options: { speed: 4800, transport: 't38' },
      why: 'retry',
      changed: 'speed',
    })
  })
})

describe('a call after one that did not break off', () => {
  const untaken = JSON.stringify({ cause: 17, steps: [{ step: 'dialed' }] })

  it.each([
    ['busy', { kind: 'busy', call_record: untaken }],
    ['no_answer', { kind: 'no_answer', call_record: untaken }],
    ['unreachable', { kind: 'unreachable', call_record: null }],
    ['not put through', { kind: 'line_error', call_record: untaken }],
    ['a person answered', { again: 'unheard' }],
    ['too fine', { kind: 'rejected', again: 'coarser' }],
    ['uncertain', { kind: 'uncertain' }],
    ['nothing known of it', { call_record: null }],
  ] as const)('is made as that one was: %s', (_, change) => {
    expect(chooseCall([attemptAs(undefined, change)], undefined, tuning)).toBeUndefined()
    const choice: CallChoice = { options: { speed: 9600 }, why: 'retry', changed: 'speed' }
    expect(chooseCall([attemptAs(choice, change)], undefined, tuning)?.options).toEqual({ speed: 9600 })
  })
})
