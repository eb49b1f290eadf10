import type { CallEnd } from '@faxdeck/provider-kit'
import { recordOf } from './call-facts.ts'
import { answeredEnd, countOf, unansweredEnd } from './call-result.ts'
import type { EslMessage } from './esl-frames.ts'
import { noted, uuidOf } from './originate.ts'

const noResultSentence =
  'The fax engine ended without a result: FreeSWITCH cannot read the pages, or mod_spandsp is missing.'

/** Calls that others place share the event socket. */
export const isOurs = (headers: EslMessage['headers']) =>
  uuidOf(headers.get('variable_faxdeck_attempt') ?? '') === headers.get('unique-id')

/** An originate that brought no call about says why; a call that was answered goes on. */
export function jobEnd({ headers, body }: EslMessage): CallEnd | undefined {
  const refused = /^-ERR (\w+)/.exec(body)?.[1]
  return refused === undefined ? undefined : unansweredEnd(headers.get('job-uuid') ?? '', refused)
}

/** The end as the fax application reports it. */
export function resultEnd(headers: EslMessage['headers'], prefix: 'fax-' | 'variable_fax_'): CallEnd | undefined {
  const reported = (name: string) => headers.get(prefix + (prefix === 'fax-' ? name : name.replaceAll('-', '_')))
  const pages = countOf(reported('document-transferred-pages'))
  const uuid = headers.get('unique-id') ?? ''
  const [resolution, text = ''] = [reported('image-resolution'), reported('result-text')]
  // An event leaves out what is empty; a note does not hold it at all.
  const station = reported('remote-station-id') ?? (headers.has('event-name') ? '' : undefined)
  return withCall(
    answeredEnd({ uuid, success: reported('success') === '1', pages, resolution, station, text }),
    headers,
  )
}

const withCall = (end: CallEnd | undefined, headers: EslMessage['headers']): CallEnd | undefined =>
  end && { ...end, call: recordOf(headers) }

/** The end of a call that is over, by the variables it had. */
export function hangupEnd(headers: EslMessage['headers']): CallEnd | undefined {
  const uuid = headers.get('unique-id') ?? ''
  if (headers.has('variable_fax_success')) return resultEnd(headers, 'variable_fax_')
  const wasAnswered = !['', '0'].includes(headers.get('variable_answer_epoch') ?? '')
  if (!wasAnswered) return withCall(unansweredEnd(uuid, headers.get('hangup-cause') ?? ''), headers)
  const end = answeredEnd({ uuid, success: false, pages: 0, resolution: undefined, station: undefined, text: '' })
  return withCall(end && { ...end, kind: 'bad_document', sentence: noResultSentence }, headers)
}

/** The end as the note of its call reports it; undefined when there is no note. @param text what FreeSWITCH kept */
export function notedEnd(uuid: string, text: string): CallEnd | undefined {
  // Calls that an older Faxdeck dialed noted no resolution.
  const [, ...values] = /^([01]?):(\d{0,9}):(\d{0,15}):(\w{0,60}):(?:(\d{1,6}x\d{1,6}|):)?(.*)$/s.exec(text) ?? []
  if (values.length === 0) return undefined
  const variables = noted.map((name, index) => [`variable_${name}`, values[index] ?? ''] as const)
  const reported = variables.filter(([, value]) => value !== '')
  const [, , , cause = ''] = values
  return hangupEnd(new Map([...reported, ['unique-id', uuid], ['hangup-cause', cause]]))
}
