import type { CallEnd, TimedStep } from '@faxdeck/provider-kit'
import { recordOf } from './call-facts.ts'
import { answeredEnd, countOf, unansweredEnd } from './call-result.ts'
import type { EslMessage } from './esl-frames.ts'
import { noted, notedAs, uuidOf } from './originate.ts'

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
  if (!wasAnswered)
    return withCall(unansweredEnd(uuid, headers.get('hangup-cause') ?? '', recordOf(headers).sip), headers)
  const end = answeredEnd({ uuid, success: false, pages: 0, resolution: undefined, station: undefined, text: '' })
  return withCall(end && { ...end, kind: 'bad_document', sentence: noResultSentence }, headers)
}

const older = ['fax_success', 'fax_document_transferred_pages', 'answer_epoch', 'hangup_cause', 'fax_image_resolution']

/** The variables of a call as its note has them; undefined when it is not a note. */
function readNote(text: string): Map<string, string> | undefined {
  const values = text.slice(notedAs.length).split(':')
  if (text.startsWith(notedAs) && values.length >= noted.length) {
    const last = noted.length - 1
    const fields = [...values.slice(0, last), values.slice(last).join(':')]
    return new Map(noted.map((name, index) => [name, fields[index] ?? '']))
  }
  // Calls that an older Faxdeck dialed noted less, and before that no resolution.
  const [, ...found] = /^([01]?):(\d{0,9}):(\d{0,15}):(\w{0,60}):(?:(\d{1,6}x\d{1,6}|):)?(.*)$/s.exec(text) ?? []
  if (found.length === 0) return undefined
  return new Map([...older, 'fax_result_text'].map((name, index) => [name, found[index] ?? '']))
}

function stepsOf(variables: ReadonlyMap<string, string>): TimedStep[] {
  const names = { answered: 'answer_epoch', ended: 'end_epoch' } as const
  return (['answered', 'ended'] as const).flatMap((step) => {
    const seconds = Number(/^\d{9,11}$/.exec(variables.get(names[step]) ?? '')?.[0] ?? 0)
    return seconds === 0 ? [] : [{ step, at: new Date(seconds * 1000).toISOString() }]
  })
}

/** The end as the note of its call reports it; undefined when there is no note. @param text what FreeSWITCH kept */
export function notedEnd(uuid: string, text: string): CallEnd | undefined {
  const variables = readNote(text)
  if (!variables) return undefined
  const reported = [...variables].flatMap(([name, value]) =>
    value === '' ? [] : [[`variable_${name}`, value] as const],
  )
  const cause = variables.get('hangup_cause') ?? ''
  const end = hangupEnd(new Map([...reported, ['unique-id', uuid], ['hangup-cause', cause]]))
  const steps = stepsOf(variables)
  return end && { ...end, call: { ...end.call, ...(steps.length > 0 && { steps }) } }
}
