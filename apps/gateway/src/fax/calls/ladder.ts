import type { CallOptions, CallRecord, CallTuning } from '@faxdeck/provider-kit'
import type { FaxAttemptRow } from '../../base/db/tables/tables.ts'
import { grouped } from '../../base/grouped.ts'
import { readCall } from './stored-call.ts'

/** What a retry changes, in the order in which it is tried. */
export const changes = ['buffer', 'speed', 'ecm', 'transport'] as const
export type Change = (typeof changes)[number]

/** How a call was asked for, and why so. */
export interface CallChoice {
  options: CallOptions
  /** `memory`: it worked with the number before. `retry`: the call before it broke off. `again`: as the call before it. */
  why: 'memory' | 'retry' | 'again'
  /** With `retry`: the one thing that is not as it was. */
  changed?: Change
}

export const readChoice = ({ call_options: text }: Pick<FaxAttemptRow, 'call_options'>): CallChoice | undefined =>
  text === null ? undefined : (JSON.parse(text) as CallChoice)

/**
 * Whether a call was taken by a machine and broke off while it was to send. A busy line, nobody who answers, a number
 * that is not in service and a person who picked up say nothing about speed, error correction or T.38.
 */
export function brokeOff(attempt: FaxAttemptRow): boolean {
  if (attempt.kind !== 'line_error' || attempt.again !== null) return false
  return readCall(attempt)?.steps?.some(({ step }) => step === 'answered') ?? false
}

/** Of a network that delays packets by up to 60 ms, 14 to 18 are measured. A busy machine may measure as much. */
const harmfulJitterMs = 10

/** The value that a change gives; undefined where there is nothing to change to. */
function changed(what: Change, before: CallOptions, record: CallRecord, tuning: CallTuning): CallOptions | undefined {
  switch (what) {
    case 'buffer': {
      const isLate = record.transport !== 't38' && (record.jitter_ms ?? 0) >= harmfulJitterMs
      return isLate && tuning.hasBuffer && !before.buffered ? { buffered: true } : undefined
    }
    case 'speed': {
      const was = before.speed ?? record.speeds?.at(-1)?.bps ?? tuning.speeds[0] ?? 0
      const speed = tuning.speeds.find((each) => each < was)
      return speed === undefined ? undefined : { speed }
    }
    case 'ecm':
      return (before.ecm ?? tuning.ecm) ? { ecm: false } : undefined
    case 'transport': {
      if (tuning.transports.length < 2) return undefined
      const was = before.transport ?? record.transport
      return { transport: was === 'audio' ? 't38' : 'audio' }
    }
  }
}

/** The next rung: as the call that broke off, but for one thing that no retry of the fax has changed yet. */
function climb(last: FaxAttemptRow, tried: readonly Change[], tuning: CallTuning): CallChoice | undefined {
  const before = readChoice(last)?.options ?? {}
  for (const what of changes) {
    if (tried.includes(what)) continue
    const change = changed(what, before, readCall(last) ?? {}, tuning)
    if (change) return { options: { ...before, ...change }, why: 'retry', changed: what }
  }
  return undefined
}

/**
 * How the next call of a fax is asked for. It decides nothing about whether or when there is one.
 * @param attempts of the fax with this provider, in order
 * @param remembered what worked with the number before
 * @returns undefined for a call as the settings have it
 */
export function chooseCall(
  attempts: readonly FaxAttemptRow[],
  remembered: CallOptions | undefined,
  tuning: CallTuning,
): CallChoice | undefined {
  const last = attempts.at(-1)
  if (!last) return remembered && { options: remembered, why: 'memory' }
  const tried = attempts.flatMap((attempt) => readChoice(attempt)?.changed ?? [])
  const next = brokeOff(last) ? climb(last, tried, tuning) : undefined
  const before = readChoice(last)
  return next ?? (before && { options: before.options, why: before.why === 'memory' ? 'memory' : 'again' })
}

/** What the timeline says of it: "This time at most 9,600 bit/s." */
export function choiceSentence(choice: CallChoice | undefined): string | undefined {
  if (!choice) return undefined
  const { options, why, changed: what } = choice
  if (why === 'memory') return 'The call is made as it last worked with this number.'
  if (what === 'speed')
    return `The last call was cut off, so this one sends at ${grouped(options.speed ?? 0)} bit/s at most.`
  if (what === 'buffer')
    return 'Packets of the last call came late and it was cut off, so this one uses a jitter buffer.'
  if (what === 'ecm') return 'The last call was cut off, so this one goes without error correction (ECM).'
  if (what === 'transport')
    return `The last call was cut off, so this one goes as ${options.transport === 't38' ? 'T.38' : 'audio'}.`
  return undefined
}
