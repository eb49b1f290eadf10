import { readFileSync } from 'node:fs'
import { CallLog } from '@faxdeck/provider-kit'
import { describe, expect, it } from 'vitest'
import { noteProgress, recordOf } from './call-facts.ts'
import { EslFrames, type EslMessage, readEvent } from './esl-frames.ts'

const recorded = (name: string): EslMessage[] => {
  const frames = new EslFrames().push(readFileSync(new URL(`fixtures/${name}.txt`, import.meta.url)))
  return frames.map(({ body }) => readEvent(body))
}
const headersOf = (name: string, event: string) => {
  const found = recorded(name).find(({ headers }) => headers.get('event-name') === event)
  if (!found) throw new Error('The recording has no such event.')
  return found.headers
}

describe('a call through FreeSWITCH while it is up', () => {
  it('reports when it was answered, what the machines agreed on, and each page', () => {
    let second = 0
    const calls = new CallLog(() => new Date(Date.UTC(2026, 10, 23, 9, 0, (second += 1))))
    for (const { headers } of recorded('progress')) expect(noteProgress(headers, calls, 'attempt')).toBe(true)
    const { steps = [], ...facts } = calls.recordOf('attempt') ?? {}
    expect(facts).toEqual({
      transport: 'audio',
      ecm: true,
      station: 'fsloop',
      speeds: [{ bps: 14_400, after_page: 0 }],
      pages: 2,
    })
    expect(steps.map(({ step, page }) => [step, page])).toEqual([
      ['answered', undefined],
      ['agreed', undefined],
      ['page', 1],
      ['page', 2],
    ])
  })
})

describe('the record of a call through FreeSWITCH', () => {
  it('holds what its last event has', () => {
    expect(recordOf(headersOf('delivered', 'CHANNEL_HANGUP_COMPLETE'))).toEqual({
      transport: 'audio',
      ecm: true,
      speeds: [{ bps: 14_400 }],
      station: 'fsloop',
      pages: 2,
      cause: 16,
    })
    expect(recordOf(headersOf('busy', 'CHANNEL_HANGUP_COMPLETE'))).toEqual({ cause: 17 })
  })

  const ended = (variables: Record<string, string>) => {
    const own = Object.entries(variables).map(([name, value]) => [`variable_${name}`, value] as const)
    return recordOf(new Map([...headersOf('delivered', 'CHANNEL_HANGUP_COMPLETE'), ...own]))
  }

  it('says audio and the answer to the call, where T.38 was offered during it and refused', () => {
    const refused = { sip_invite_failure_status: '488', sip_invite_failure_phrase: 'Not Acceptable Here' }
    const record = ended({ ...refused, sip_term_status: '200', fax_t38_status: 'requested' })
    expect(record).toMatchObject({ transport: 'audio', sip: '200 OK', cause: 16 })
  })

  it('does not say of a delivery that it ended with a fault', () => {
    expect(ended({ fax_t38_status: 'negotiated', hangup_cause_q850: '58' })).not.toHaveProperty('cause')
    expect(ended({ fax_success: '0', hangup_cause_q850: '58' })).toMatchObject({ cause: 58 })
  })

  it('says what the trunk answered to a call that nobody took', () => {
    const own = { sip_term_status: '486', sip_invite_failure_status: '486', sip_invite_failure_phrase: 'Busy Here' }
    const variables = Object.entries(own).map(([name, value]) => [`variable_${name}`, value] as const)
    const busy = new Map([...headersOf('busy', 'CHANNEL_HANGUP_COMPLETE'), ...variables])
    expect(recordOf(busy)).toEqual({ cause: 17, sip: '486 Busy Here' })
  })

  it('of a received fax over T.38 says so, with its codec before the change and its damaged rows', () => {
    expect(recordOf(headersOf('received-t38', 'CUSTOM'), true)).toMatchObject({
      transport: 't38',
      codec: 'PCMU',
      station: '+15551234567',
      bad_rows: 0,
    })
  })
})
