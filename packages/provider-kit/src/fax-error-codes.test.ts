import { describe, expect, it } from 'vitest'
import { failureOf } from './fax-error-codes.ts'

const failed = (type: string | null, code: number | null, pagesConfirmed?: number, message = 'Far end said no') =>
  failureOf('Phaxio', { type, code, message, pagesConfirmed })

describe('a numbered fax error', () => {
  it.each([
    ['lineError', 17, 'busy'],
    ['CALL_ERROR', 17, 'busy'],
    ['lineError', 16, 'no_answer'],
    ['LINE_ERROR', 43, 'line_error'],
    ['lineError', 999, 'line_error'],
    ['lineError', 52, 'bad_number'],
    ['lineError', 34, 'rejected'],
    ['documentConversionError', 54, 'bad_document'],
    ['DOCUMENT_CONVERSION_ERROR', 133, 'bad_document'],
    ['generalError', 75, 'cancelled'],
    ['FATAL_ERROR', 46, 'rejected'],
    ['something new', 17, 'rejected'],
    [null, null, 'rejected'],
  ])('%s %s is %s', (type, code, kind) => {
    expect(failed(type, code)).toMatchObject({ state: 'failed', kind })
    expect(failed(type, code).sentence).toMatch(/\. Phaxio says: Far end said no\.$/)
  })

  it.each([
    ['faxError', 6],
    ['lineError', 11],
  ])('%s %i may be tried again only when it is known that no page went', (type, code) => {
    expect(failed(type, code).kind).toBe('partial')
    expect(failed(type, code, 2)).toMatchObject({ kind: 'partial', pagesConfirmed: 2 })
    for (const message of ['The call dropped prematurely', 'No response after sending a page', '']) {
      expect(failed(type, code, 0, message)).toMatchObject({ kind: 'partial', pagesConfirmed: 0 })
    }
    const early = 'Timed out waiting for initial communication'
    expect(failed(type, code, 0, early)).toMatchObject({ kind: 'line_error', pagesConfirmed: 0 })
    expect(failed(type, code, undefined, early).kind).toBe('partial')
  })

  it('says nothing for a provider that says nothing', () => {
    expect(failureOf('Phaxio', { type: 'lineError', code: 17, message: ' ', pagesConfirmed: undefined }).sentence).toBe(
      'The line was busy.',
    )
  })
})
