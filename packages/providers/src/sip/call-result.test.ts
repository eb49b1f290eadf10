import { describe, expect, it } from 'vitest'
import { attemptOf, parseResult, updateOf } from './call-result.ts'

/** As a real Asterisk 22 wrote them under the shipped dialplan. */
const reported = {
  delivered:
    'attempt=0000001a&answered=1&cause=16&status=SUCCESS&pages=3&mode=T38&rate=14400&error=HANGUP&station=%2B15550000000&end=1',
  /** The machine at the other end had the only page, and said so too late. */
  dropped:
    'attempt=0000001d&answered=1&cause=0&status=FAILED&pages=0&mode=audio&rate=14400&resolution=8031x7700&error=The%20call%20dropped%20prematurely&station=%2B15550000000&end=1',
  droppedEarly:
    'attempt=0000001f&answered=1&cause=0&status=FAILED&pages=0&mode=audio&rate=14400&resolution=0x0&error=The%20call%20dropped%20prematurely&station=&end=1',
  partial:
    'attempt=0000002a&answered=1&cause=0&status=FAILED&pages=1&mode=audio&rate=14400&error=The%20call%20dropped%20prematurely&station=%2B15550000000&end=1',
  failed: 'attempt=0000001e&answered=&cause=0&status=&pages=&mode=&rate=&error=&station=&end=1',
}

const endOf = (text: string, change = {}) => {
  const result = parseResult(text)
  return result && updateOf({ ...result, ...change })
}

describe('what the dialplan reports about a call', () => {
  it('is a delivery only with the word SUCCESS, whatever the channel says', () => {
    expect(endOf(reported.delivered)).toEqual({
      attemptId: '0000001a',
      providerId: 'faxdeck-0000001a',
      state: 'delivered',
      pagesConfirmed: 3,
      word: 'SUCCESS T38 14400',
      call: { transport: 't38', station: '+15550000000', speeds: [{ bps: 14400 }], pages: 3, cause: 16 },
    })
  })

  it('confirms no count of pages where a delivery has none', () => {
    const end = endOf(reported.delivered, { pages: 0 })
    expect(end).toMatchObject({ state: 'delivered' })
    expect(end).not.toHaveProperty('pagesConfirmed')
  })

  it.each([
    ['401 Unauthorized', 'bad_credentials', 'user name or password'],
    ['407 Proxy Authentication Required', 'bad_credentials', 'user name or password'],
    ['403 Forbidden', 'rejected', 'The call was rejected.'],
    ['302 Moved Temporarily', 'rejected', 'redirects this number'],
  ])('is judged by the answer of SIP where that says more than the cause: %s', (sip, kind, words) => {
    const end = endOf(`${reported.failed.replace('&end=1', '')}&sip=${encodeURIComponent(`SIP ${sip}`)}&end=1`, {
      cause: 21,
    })
    expect(end).toMatchObject({ state: 'failed', kind, sentence: expect.stringContaining(words) as string })
  })

  it('speaks to people, and leaves the number of the cause to the record', () => {
    const end = endOf(reported.failed, { cause: 34 })
    expect(end).toMatchObject({ sentence: 'Every line on the way to the number was busy.', call: { cause: 34 } })
    expect(endOf(reported.failed, { cause: 111 })?.sentence).toBe('The call could not be put through.')
  })

  it('is partial as soon as a page was confirmed', () => {
    expect(endOf(reported.partial)).toMatchObject({
      kind: 'partial',
      pagesConfirmed: 1,
      sentence: 'The call was cut off after 1 page: The call dropped prematurely.',
    })
    expect(endOf(reported.partial, { pages: 2 })?.sentence).toContain('2 pages')
  })

  it('is partial when a page may have arrived, and tried again only when none can have', () => {
    expect(endOf(reported.dropped)).toMatchObject({ kind: 'partial', pagesConfirmed: 0 })
    expect(endOf(reported.droppedEarly)).toMatchObject({ kind: 'line_error', pagesConfirmed: 0 })
    const ofOlderDialplan = reported.droppedEarly.replace('&resolution=0x0', '')
    expect(endOf(ofOlderDialplan)).toMatchObject({ kind: 'partial', pagesConfirmed: 0 })
    expect(endOf(reported.dropped, { status: '', error: '', resolution: '' })).toMatchObject({ kind: 'line_error' })
  })

  it.each([
    [17, 'busy'],
    [19, 'no_answer'],
    [18, 'no_answer'],
    [1, 'bad_number'],
    [28, 'bad_number'],
    [21, 'rejected'],
    [34, 'line_error'],
    [0, 'line_error'],
  ])('reports an unanswered call by the cause %i as %s', (cause, kind) => {
    expect(endOf(reported.failed, { cause })).toMatchObject({ state: 'failed', kind, pagesConfirmed: 0 })
  })

  it('knows a call that rang in vain, or was busy, without a cause', () => {
    expect(endOf(reported.failed, { reason: 3 })).toMatchObject({ kind: 'no_answer' })
    expect(endOf(reported.failed, { reason: 5 })).toMatchObject({ kind: 'busy' })
  })

  it.each([
    ['FILE_ERROR', 'bad_document'],
    ['Far end cannot receive at the resolution of the image', 'rejected'],
    ['Timed out waiting for initial communication', 'line_error'],
    ['T38_NEG_ERROR', 'line_error'],
  ])('judges the words %s of the fax engine as %s', (error, kind) => {
    expect(endOf(reported.dropped, { error })).toMatchObject({ kind })
  })

  it.each(['', 'end=1', reported.delivered.replace('&end=1', ''), reported.delivered.slice(0, -1), '{"attempt":1}'])(
    'is nothing while it is not whole: %j',
    (text) => {
      expect(parseResult(text)).toBeUndefined()
    },
  )

  it('keeps what the far machine says of itself to printable letters', () => {
    const result = parseResult(reported.dropped.replace('prematurely', '%0D%0A%FF%00%1B'))
    expect(result?.error).toBe('The call dropped ')
  })

  it('recognizes channels of ours only', () => {
    expect(attemptOf('faxdeck-0123456789abcdef')).toBe('0123456789abcdef')
    for (const other of ['1795288994.25', 'faxdeck-', 'faxdeck-../x', 'xfaxdeck-0123456789abcdef']) {
      expect(attemptOf(other)).toBeUndefined()
    }
  })
})
