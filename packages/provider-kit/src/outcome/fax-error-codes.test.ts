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

  it.each([
    ['FAX_ERROR', 133, 'bad_number', 'Phaxio does not permit faxes to this number.'],
    ['FAX_ERROR', 113, 'bad_document', 'The document was deleted at Phaxio before it could be sent.'],
    ['FAX_ERROR', 79, 'rejected', 'Phaxio had already completed this fax. Ask the recipient whether it arrived.'],
    ['DOCUMENT_CONVERSION_ERROR', 133, 'bad_document', 'The document could not be turned into fax pages.'],
  ])('%s %i is reported by type and number', (type, code, kind, sentence) => {
    const said = failed(type, code, 0)
    expect(said).toMatchObject({ kind, sentence: `${sentence} Phaxio says: Far end said no.` })
    expect(said.again).toBeUndefined()
  })

  it('is worth one more attempt where the provider did not get to the document', () => {
    expect(failed('documentConversionError', 54)).toMatchObject({ kind: 'bad_document', again: 'as_it_is' })
    expect(failed('DOCUMENT_CONVERSION_ERROR', 57).sentence).toContain(
      'could not store the document, and did not dial.',
    )
    expect(failed('documentConversionError', 55).again).toBeUndefined()
  })

  it('does not speak of printed pages where the other machine cannot take the fax', () => {
    const fine = failed('FAX_ERROR', 7, 0, 'Far end cannot receive at the resolution of the image')
    expect(fine).toMatchObject({ kind: 'rejected', sentence: expect.stringContaining('None was sent.') as unknown })
    expect(failed('faxError', 8, undefined, 'Far end is not compatible').kind).toBe('rejected')
  })

  it('says nothing for a provider that says nothing', () => {
    expect(failureOf('Phaxio', { type: 'lineError', code: 17, message: ' ', pagesConfirmed: undefined }).sentence).toBe(
      'The line was busy.',
    )
  })
})
