/** How far a call had come: taken by the engine, picked up, agreed on a speed (T.30 phase B), a page confirmed, over. */
const callSteps = ['dialed', 'answered', 'agreed', 'page', 'ended'] as const
export type CallStep = (typeof callSteps)[number]

export interface TimedStep {
  step: CallStep
  at: string
  /** With `page`: which one was confirmed. */
  page?: number
}

export interface CallSpeed {
  /** Bits per second. */
  bps: number
  /** Pages that were confirmed when this speed was first seen; absent when the engine reported it at the end only. */
  after_page?: number
}

/** What an engine reported of a call, as it is stored and as it stands on the wire. What it did not report is absent. */
export interface CallRecord {
  transport?: 'audio' | 't38'
  /** Of the audio, as the engine spells it. */
  codec?: string
  /** What the far machine calls itself: its CSID or TSI. Anybody can write anything there. */
  station?: string
  /** Whether errors were corrected (ECM). */
  ecm?: boolean
  /** The speed that was agreed on, and each that took its place. */
  speeds?: CallSpeed[]
  /** Damaged rows. */
  bad_rows?: number
  /** Confirmed ones. */
  pages?: number
  /** ITU-T Q.850. */
  cause?: number
  /** The last answer of SIP: `486 Busy Here`. */
  sip?: string
  jitter_ms?: number
  lost_packets?: number
  steps?: TimedStep[]
}

const maxSpeeds = 20
const maxSteps = 60
const longestStation = 60
const longestCodec = 24
const longestSip = 60

/** Foreign words, without what is not seen or turns the direction of writing. */
const clean = (text: string, longest: number) =>
  text
    .replace(/[^\x20-\x7e]/g, '')
    .trim()
    .slice(0, longest)

const isCount = (value: unknown, max = 1_000_000): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max

const isSpeed = ({ bps, after_page }: CallSpeed) =>
  isCount(bps, 1_000_000) && bps > 0 && (after_page === undefined || isCount(after_page, 10_000))

const isStep = ({ step, at, page }: TimedStep) =>
  callSteps.includes(step) && !Number.isNaN(Date.parse(at)) && (page === undefined || isCount(page, 10_000))

/** Of many pages, the first and the last are kept. */
function boundedSteps(steps: readonly TimedStep[]): TimedStep[] {
  const good = steps.filter(isStep)
  return good.length <= maxSteps ? good : [...good.slice(0, maxSteps / 2), ...good.slice(-maxSteps / 2)]
}

function words({ codec, station, sip }: CallRecord): Pick<CallRecord, 'codec' | 'station' | 'sip'> {
  const kept = {
    codec: clean(codec ?? '', longestCodec),
    station: clean(station ?? '', longestStation),
    sip: clean(sip ?? '', longestSip),
  }
  return Object.fromEntries(Object.entries(kept).filter(([, text]) => text !== ''))
}

function numbers(record: CallRecord): Partial<CallRecord> {
  const { bad_rows, pages, cause, lost_packets, jitter_ms } = record
  return {
    ...(isCount(bad_rows) ? { bad_rows } : {}),
    ...(isCount(pages, 10_000) ? { pages } : {}),
    ...(isCount(cause, 127) && cause > 0 ? { cause } : {}),
    ...(isCount(lost_packets, 100_000_000) ? { lost_packets } : {}),
    ...(typeof jitter_ms === 'number' && jitter_ms >= 0 && jitter_ms < 60_000
      ? { jitter_ms: Math.round(jitter_ms * 10) / 10 }
      : {}),
  }
}

/** A record within bounds, whatever a switch put into it; undefined when nothing is left of it. */
export function boundedRecord(record: CallRecord | undefined): CallRecord | undefined {
  if (record === undefined) return undefined
  const { transport, ecm } = record
  const speeds = (record.speeds ?? []).filter(isSpeed).slice(0, maxSpeeds)
  const steps = boundedSteps(record.steps ?? [])
  const kept: CallRecord = {
    ...(transport === 'audio' || transport === 't38' ? { transport } : {}),
    ...words(record),
    ...(typeof ecm === 'boolean' ? { ecm } : {}),
    ...(speeds.length > 0 ? { speeds } : {}),
    ...numbers(record),
    ...(steps.length > 0 ? { steps } : {}),
  }
  return Object.keys(kept).length > 0 ? kept : undefined
}

/** The speed that counts at the end, behind those that were seen on the way. */
function mergeSpeeds(seen: readonly CallSpeed[], reported: readonly CallSpeed[]): CallSpeed[] {
  const speeds = [...seen]
  for (const speed of reported) if (speeds.at(-1)?.bps !== speed.bps) speeds.push(speed)
  return speeds
}

/** What was seen keeps its time; what was not is added. Engines that report whole seconds may seem to end before a step. */
function mergeSteps(seen: readonly TimedStep[], reported: readonly TimedStep[]): TimedStep[] {
  const isSeen = (each: TimedStep) => seen.some(({ step, page }) => step === each.step && page === each.page)
  const steps = [...seen, ...reported.filter((each) => !isSeen(each))].toSorted(
    (a, b) => callSteps.indexOf(a.step) - callSteps.indexOf(b.step) || (a.page ?? 0) - (b.page ?? 0),
  )
  let last = ''
  return steps.map((each) => {
    last = each.at > last ? each.at : last
    return { ...each, at: last }
  })
}

/** Two reports of one call as one: of facts, the later report counts. */
export function mergeRecords(seen: CallRecord | undefined, reported: CallRecord | undefined): CallRecord | undefined {
  if (!seen || !reported) return boundedRecord(seen ?? reported)
  const speeds = mergeSpeeds(seen.speeds ?? [], reported.speeds ?? [])
  return boundedRecord({ ...seen, ...reported, speeds, steps: mergeSteps(seen.steps ?? [], reported.steps ?? []) })
}
