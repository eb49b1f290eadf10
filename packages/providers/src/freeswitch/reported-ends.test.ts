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

  it.each(['-ERR no reply\n', '', '2:0:0:X:', '1:2:1795238901'])('is nothing when it is something else: %j', (text) => {
    expect(notedEnd(uuid, text)).toBeUndefined()
  })
})
