import type { DialedCall, DialedEnd } from '@faxdeck/provider-kit/emulator'
import type { EmulatedDb } from './emulated-db.ts'

/** A call as originate asked for it. */
export interface EmulatedCall extends DialedCall {
  variables: Readonly<Record<string, string>>
}

/** An event: its headers, and a body of its own. */
export interface EmulatedEvent {
  headers: Readonly<Record<string, string>>
  body?: string
}

/** FreeSWITCH's words, as a real one was seen to report them. */
const unanswered: Readonly<Record<string, string>> = {
  busy: 'USER_BUSY',
  no_answer: 'NO_ANSWER',
  bad_number: 'UNALLOCATED_NUMBER',
}

/** Runs the hook of a call that is over; the events with which a real FreeSWITCH would report it. */
export const endCall =
  (db: EmulatedDb) =>
  (call: EmulatedCall, end: DialedEnd): EmulatedEvent[] => {
    const events = eventsOf(call, end)
    const hangup = events.find(({ headers }) => headers['Event-Name'] === 'CHANNEL_HANGUP_COMPLETE')
    // The hook has the variables that the end of the channel is reported with.
    const [, argument] = /^db::(.*)$/.exec(call.variables.api_hangup_hook ?? '') ?? []
    if (argument !== undefined)
      db.run(argument.replace(/\$\{(\w+)\}/g, (_, name: string) => hangup?.headers[`variable_${name}`] ?? ''))
    return events
  }

const causeOf = (cause: string) => ({ 'Hangup-Cause': cause, variable_hangup_cause: cause })

function eventsOf({ id: uuid, to, variables }: EmulatedCall, end: DialedEnd): EmulatedEvent[] {
  const { delivered, pagesConfirmed } = end
  const cause = unanswered[end.ending]
  const of = Object.entries(variables).map(([name, value]) => [`variable_${name}`, value] as const)
  const channel = { 'Unique-ID': uuid, 'Caller-Destination-Number': to, ...Object.fromEntries(of) }
  const job = { 'Event-Name': 'BACKGROUND_JOB', 'Job-UUID': uuid, 'Job-Command': 'originate' }
  const hangup = { 'Event-Name': 'CHANNEL_HANGUP_COMPLETE', ...channel }
  if (cause !== undefined) {
    return [
      { headers: { ...hangup, ...causeOf(cause), variable_answer_epoch: '0' } },
      { headers: job, body: `-ERR ${cause}\n` },
    ]
  }
  const answered = { ...hangup, ...causeOf('NORMAL_CLEARING'), variable_answer_epoch: '1795238901' }
  const began = { headers: job, body: `+OK ${uuid}\n` }
  // A file that cannot be read ends the application at once, without a result.
  if (end.pages === 0) return [began, { headers: answered }]
  const result = {
    success: delivered ? '1' : '0',
    'result-code': delivered ? '0' : '49',
    'result-text': delivered ? 'OK' : 'The call dropped prematurely',
    'document-transferred-pages': String(pagesConfirmed),
    'image-resolution': '8040x7700',
  }
  const named = (prefix: string, name: (text: string) => string) =>
    Object.fromEntries(Object.entries(result).map(([key, value]) => [prefix + name(key), value]))
  const custom = { 'Event-Subclass': 'spandsp::txfaxresult', 'Event-Name': 'CUSTOM', ...channel }
  return [
    began,
    { headers: { ...custom, ...named('fax-', (text) => text) } },
    { headers: { ...answered, ...named('variable_fax_', (text) => text.replaceAll('-', '_')) } },
  ]
}
