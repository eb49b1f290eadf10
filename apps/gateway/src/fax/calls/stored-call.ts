import { maskDigits } from '@faxdeck/contract'
import { boundedRecord, type CallRecord, mergeRecords } from '@faxdeck/provider-kit'

interface WithCall {
  call_record: string | null
}

/** What a call did, as it is kept with its fax; nothing where no engine reported anything. */
export function storedCall(call: CallRecord | undefined): Partial<WithCall> {
  const kept = boundedRecord(call)
  return kept ? { call_record: JSON.stringify(kept) } : {}
}

/** The record that is kept with an attempt or a received fax; null when there is none. */
export function readCall({ call_record: text }: WithCall): CallRecord | null {
  return text === null ? null : (JSON.parse(text) as CallRecord)
}

/** The same, where numbers are hidden: most machines call themselves by theirs. */
export function presentCall(kept: WithCall): CallRecord | null {
  const call = readCall(kept)
  return call?.station === undefined ? call : { ...call, station: maskDigits(call.station) }
}

/** What a further report adds to the record of a call that has ended; nothing when it reports no more. */
export function newsOfCall(kept: WithCall, call: CallRecord | undefined): Partial<WithCall> {
  const merged = storedCall(mergeRecords(readCall(kept) ?? undefined, call))
  return merged.call_record === undefined || merged.call_record === kept.call_record ? {} : merged
}
