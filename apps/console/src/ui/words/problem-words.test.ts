import { CallProblem, type WireCall } from '@faxdeck/contract/client'
import { describe, expect, it } from 'vitest'
import { sentenceOf, wordsOf } from './problem-words.ts'

const call: WireCall = {
  method: 'GET',
  path: '/admin/fax-jobs',
  failure: 'Failed to fetch jobs',
  shortError: 'API Error',
  reply: 'json',
}
const answer = (fields?: { field: string; message: string }[]) => ({
  detail: 'Some fields are not valid.',
  code: 'invalid',
  request_id: 'req-1',
  ...(fields ? { fields } : {}),
})

describe('the words of a failure', () => {
  it('give the short line when the server says nothing', () => {
    const words = wordsOf(new CallProblem(call, 500, 'Internal Server Error'))
    expect(words).toMatchObject({ what: 'Failed to fetch jobs', why: 'API Error: 500 Internal Server Error' })
    expect(words.requestId).toBeUndefined()
    expect(words.advice).not.toContain('request ID')
  })

  it('lead to the log of the gateway by the request ID, when there is one', () => {
    expect(wordsOf(new CallProblem(call, 500, '', answer())).advice).toContain(
      'search the gateway log for this request ID',
    )
  })

  it('give the server’s own words first when it has any, and the request ID', () => {
    const words = wordsOf(
      new CallProblem(call, 422, 'Unprocessable Content', answer([{ field: 'to', message: 'is empty' }])),
    )
    expect(words.why).toBe('Some fields are not valid. (API Error: 422 Unprocessable Content)')
    expect(words.fields).toEqual([{ field: 'to', message: 'is empty' }])
    expect(words.requestId).toBe('req-1')
    expect(words.about).toBe('/docs/latest/reference/errors/#invalid')
  })

  it('list several fields instead of saying them in a row as well', () => {
    const fields = [
      { field: 'id', message: 'It is missing.' },
      { field: 'actions', message: 'It must be an object.' },
    ]
    const detail = 'id: It is missing. actions: It must be an object.'
    const words = wordsOf(new CallProblem(call, 422, 'Unprocessable Content', { ...answer(fields), detail }))
    expect(words).toMatchObject({ why: 'API Error: 422 Unprocessable Content', fields })
  })

  it('say a field’s fault once, when the sentence holds it', () => {
    const fields = [{ field: 'max_file_size_mb', message: 'Enter at most 100.' }]
    const detail = 'MAX_FILE_SIZE_MB: Enter at most 100.'
    expect(wordsOf(new CallProblem(call, 422, '', { ...answer(fields), detail })).fields).toEqual([])
  })

  it('lead to Settings where a provider is not set up', () => {
    const notSetUp = { ...answer(), code: 'provider_not_configured' as const }
    const { advice } = wordsOf(new CallProblem(call, 503, 'Service Unavailable', notSetUp))
    expect(advice).toBe('Complete its settings under Settings, then try again.')
  })

  it('do not show a status when no answer came', () => {
    expect(sentenceOf(new CallProblem(call, 0, ''))).toBe('Failed to fetch jobs: The gateway did not answer.')
  })

  it('pass on how long to wait', () => {
    expect(wordsOf(new CallProblem(call, 429, 'Too Many Requests', undefined, 17)).advice).toBe(
      'Wait 17 seconds, then retry.',
    )
  })

  it.each([0, 401, 403, 404, 409, 422, 429, 500, 503])('advise something to do after %i', (status) => {
    expect(wordsOf(new CallProblem(call, status, '')).advice).toMatch(/^\p{Lu}.+\.$/u)
  })

  it('own up to a fault of the console', () => {
    expect(wordsOf(new TypeError('x is not a function'))).toMatchObject({
      what: 'Something went wrong in the console',
      why: 'x is not a function',
    })
  })
})
