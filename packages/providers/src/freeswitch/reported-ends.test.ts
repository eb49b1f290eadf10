import { describe, expect, it } from 'vitest'
import { notedEnd } from './reported-ends.ts'

const uuid = '01234567-89ab-cdef-0123-456789abcdef'
const dropped = 'The call dropped prematurely'

describe('the note that FreeSWITCH keeps of a call', () => {
  it.each([
    ['1:2:1795238901:NORMAL_CLEARING:8040x7700:OK', { state: 'delivered', pagesConfirmed: 2 }],
    [`0:1:1795238901:NORMAL_CLEARING:8040x7700:${dropped}`, { kind: 'partial', pagesConfirmed: 1 }],
    [`0:0:1795238901:NORMAL_CLEARING:8040x7700:${dropped}`, { kind: 'partial', pagesConfirmed: 0 }],
    [`0:0:1795238901:NORMAL_CLEARING:0x0:${dropped}`, { kind: 'line_error', pagesConfirmed: 0 }],
    ['::0:USER_BUSY::', { kind: 'busy' }],
    ['::1795238901:NORMAL_CLEARING::', { kind: 'bad_document' }],
  ])('%s', (note, end) => {
    expect(notedEnd(uuid, note)).toMatchObject(end)
  })

  it.each([
    ['1:2:1795238901:NORMAL_CLEARING:OK', { state: 'delivered', word: 'OK' }],
    [`0:0:1795238901:NORMAL_CLEARING:${dropped}`, { kind: 'partial', word: dropped }],
    ['0:0:1795238901:NORMAL_CLEARING:Odd: words', { kind: 'partial', word: 'Odd: words' }],
    ['::0:NO_ANSWER:', { kind: 'no_answer' }],
  ])('of a call that an older Faxdeck dialed is read as well: %s', (note, end) => {
    expect(notedEnd(uuid, note)).toMatchObject(end)
  })

  it('holds what the call did, also of a delivery that nobody saw', () => {
    const note = '2:1:2:1795238901:NORMAL_CLEARING:8040x7700:1795238960:16:200::PCMU:14400:on:negotiated:OK: odd'
    const end = notedEnd(uuid, note)
    expect(end).toMatchObject({ state: 'delivered', pagesConfirmed: 2, word: 'OK: odd' })
    expect(end?.call).toEqual({
      transport: 't38',
      codec: 'PCMU',
      ecm: true,
      speeds: [{ bps: 14_400 }],
      pages: 2,
      cause: 16,
      sip: '200 OK',
      steps: [
        { step: 'answered', at: '2026-11-21T05:28:21.000Z' },
        { step: 'ended', at: '2026-11-21T05:29:20.000Z' },
      ],
    })
  })

  it('says that the trunk refused the account, or sent the call elsewhere', () => {
    const note = (status: string) => `2:::0:CALL_REJECTED::1795238960:21:${status}:${status}::::: `
    expect(notedEnd(uuid, note('401'))).toMatchObject({ kind: 'bad_credentials', call: { sip: '401' } })
    expect(notedEnd(uuid, note('302'))).toMatchObject({
      kind: 'rejected',
      sentence: expect.stringContaining('redirects') as string,
    })
    expect(notedEnd(uuid, note('603'))).toMatchObject({ kind: 'rejected', sentence: 'The call was rejected.' })
  })

  it.each(['-ERR no reply\n', '', '2:0:0:X:', '1:2:1795238901'])('is nothing when it is something else: %j', (text) => {
    expect(notedEnd(uuid, text)).toBeUndefined()
  })
})
