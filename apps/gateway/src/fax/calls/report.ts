import { type CallReport, maskNumber } from '@faxdeck/contract'
import type { CallRecord } from '@faxdeck/provider-kit'
import type { Database } from '../../base/db/database.ts'
import { grouped } from '../../base/grouped.ts'
import { readCall } from './stored-call.ts'

const maxCalls = 1000
const maxNumbers = 200

interface EndedCall {
  direction: 'sent' | 'received'
  number: string | null
  at: string
  isComplete: boolean
  /** Somebody answered, and no fax machine was heard. */
  isUnheard: boolean
  call: CallRecord
}

type NumberCalls = CallReport['numbers'][number]

async function readSent({ db }: Database): Promise<EndedCall[]> {
  const rows = await db
    .selectFrom('fax_attempts')
    .innerJoin('fax_jobs', 'fax_jobs.id', 'fax_attempts.job_id')
    .select(['fax_jobs.to_number', 'fax_attempts.ended_at', 'fax_attempts.kind', 'fax_attempts.call_record'])
    .select('fax_attempts.again')
    .where('fax_attempts.call_record', 'is not', null)
    .where('fax_attempts.ended_at', 'is not', null)
    .orderBy('fax_attempts.ended_at', 'desc')
    .limit(maxCalls)
    .execute()
  return rows.map((row) => ({
    direction: 'sent',
    number: row.to_number,
    at: row.ended_at ?? '',
    isComplete: row.kind === null,
    isUnheard: row.again === 'unheard',
    call: readCall(row) ?? {},
  }))
}

async function readReceived({ db }: Database): Promise<EndedCall[]> {
  const rows = await db
    .selectFrom('inbound_faxes')
    .select(['from_number', 'received_at', 'broke_off', 'call_record'])
    .where('call_record', 'is not', null)
    .orderBy('received_at', 'desc')
    .limit(maxCalls)
    .execute()
  return rows.map((row) => {
    const call = readCall(row) ?? {}
    const isComplete = row.broke_off === null
    const { number, at } = { number: row.from_number, at: row.received_at }
    return { direction: 'received', number, at, isComplete, isUnheard: !isComplete && isSilent(call), call }
  })
}

const wasTaken = ({ steps, transport }: CallRecord) =>
  transport !== undefined || (steps?.some(({ step }) => step === 'answered') ?? false)

const isSilent = ({ transport, station, speeds, pages = 0 }: CallRecord) =>
  transport === undefined && station === undefined && speeds === undefined && pages === 0

/** What became of a call that did not end with the whole fax. */
const brokeOff = (each: EndedCall) => !each.isComplete && !each.isUnheard && wasTaken(each.call)
const notReached = (each: EndedCall) => !each.isComplete && (each.isUnheard || !wasTaken(each.call))
const lastSpeed = ({ call }: EndedCall) => call.speeds?.at(-1)?.bps
const hasSlowed = (each: EndedCall) => (each.call.speeds?.[0]?.bps ?? 0) > (lastSpeed(each) ?? 0)

const counted = (calls: readonly EndedCall[], is: (each: EndedCall) => boolean) => calls.filter(is).length

const totalsOf = (calls: readonly EndedCall[]) => ({
  calls: calls.length,
  complete: counted(calls, ({ isComplete }) => isComplete),
  broke_off: counted(calls, brokeOff),
  not_reached: counted(calls, notReached),
  slowed: counted(calls, hasSlowed),
})

/** What is wrong with a number: more than one call in four that broke off or slowed down, and not by one call alone. */
function problemOf(calls: readonly EndedCall[], slowest: number | null): string | null {
  const { broke_off: broke, slowed } = totalsOf(calls)
  const unheard = counted(calls, ({ isUnheard }) => isUnheard)
  const isMuch = (count: number) => count >= 2 && count * 4 > calls.length
  const of = (count: number) => `${grouped(count)} of ${grouped(calls.length)} calls`
  if (isMuch(broke)) return `${of(broke)} were cut off.`
  if (isMuch(unheard)) return `No fax machine was heard in ${of(unheard)}.`
  if (!isMuch(slowed)) return null
  return `${of(slowed)} slowed down${slowest === null ? '' : `, to ${grouped(slowest)} bit/s at worst`}.`
}

function numberCalls(calls: readonly EndedCall[]): NumberCalls {
  const [newest] = calls
  const speeds = calls.flatMap((each) => lastSpeed(each) ?? [])
  const slowest = speeds.length === 0 ? null : Math.min(...speeds)
  return {
    number: newest?.number ? maskNumber(newest.number) : '****',
    direction: newest?.direction ?? 'sent',
    ...totalsOf(calls),
    slowest,
    last_at: newest?.at ?? '',
    trouble: problemOf(calls, slowest),
  }
}

const byProblem = (a: NumberCalls, b: NumberCalls) =>
  Number(b.trouble !== null) - Number(a.trouble !== null) ||
  b.broke_off - a.broke_off ||
  b.slowed - a.slowed ||
  b.last_at.localeCompare(a.last_at)

/** How the last 1,000 calls went, by number. */
export async function readCallReport(database: Database): Promise<CallReport> {
  const all = [...(await readSent(database)), ...(await readReceived(database))]
  const calls = all.toSorted((a, b) => b.at.localeCompare(a.at)).slice(0, maxCalls)
  const byNumber = Map.groupBy(calls, ({ direction, number }) => `${direction} ${number ?? ''}`)
  const over = (transport: CallRecord['transport']) => counted(calls, ({ call }) => call.transport === transport)
  return {
    ...totalsOf(calls),
    since: calls.at(-1)?.at ?? null,
    over_t38: over('t38'),
    over_audio: over('audio'),
    numbers: [...byNumber.values()].map(numberCalls).toSorted(byProblem).slice(0, maxNumbers),
  }
}
