import { describe, expect, it } from 'vitest'
import { uuidOf } from './originate.ts'
import { freeswitchSnippets } from './snippets.ts'
import { resultEnd } from './reported-ends.ts'
import { freeswitchWebhooks } from './webhooks.ts'

describe('the result hook', () => {
  const code = freeswitchSnippets()
    .map((each) => each.code)
    .join('')

  it('posts what our address takes, with the secret left to the person', () => {
    expect(code).toContain('"{base_url}/_internal/freeswitch/outbound_result"')
    expect(code).toContain('YOUR_INTERNAL_SECRET')
    for (const name of [
      'job_id',
      'fax_status',
      'fax_result_text',
      'fax_document_transferred_pages',
      'uuid',
      'fax_image_resolution',
    ])
      expect(code).toContain(`"${name}":`)
  })

  const attempt = '0123456789abcdef0123456789abcdef'
  const post = (...values: readonly string[]) => {
    const template = /'(\{"job_id".*\})'/.exec(code)?.[1] ?? ''
    const reported = [...values]
    const body = template.replaceAll(/%[sd]/g, () => reported.shift() ?? '')
    expect(reported).toEqual([])
    const request = { method: 'POST', url: '', headers: {}, query: {}, fields: [], files: [], body: Buffer.from(body) }
    return freeswitchWebhooks[0]?.translate(request, {}).updates?.[0]
  }

  it.each([
    ['SUCCESS', 'delivered'],
    ['FAILED', 'failed'],
  ])('posts a body that the address understands: %s', (word, state) => {
    const reported = post(attempt, word, 'Fax exchange', '2', uuidOf(attempt), '8040x7700', '+15551234567')
    expect(reported).toMatchObject({ attemptId: attempt, providerId: uuidOf(attempt), state })
  })

  it.each([
    ['0', '0x0', ' 15551234567', { kind: 'line_error' }],
    ['0', '0x0', '', { kind: 'line_error', again: 'unheard' }],
    ['0', '8040x7700', ' 15551234567', { kind: 'partial' }],
    ['1', '8040x7700', ' 15551234567', { kind: 'partial', pagesConfirmed: 1 }],
  ])('ends a dropped call as the event socket does: %s pages, %s, "%s"', (pages, resolution, station, expected) => {
    const dropped = 'The call dropped prematurely'
    const byHook = post(attempt, 'FAILED', dropped, pages, uuidOf(attempt), resolution, station)
    const headers = {
      'event-name': 'CUSTOM',
      'unique-id': uuidOf(attempt),
      'fax-success': '0',
      'fax-result-text': dropped,
      'fax-document-transferred-pages': pages,
      'fax-image-resolution': resolution,
      'fax-remote-station-id': station,
    }
    expect(byHook).toMatchObject(expected)
    expect(resultEnd(new Map(Object.entries(headers)), 'fax-')).toMatchObject({ ...byHook })
  })

  it('of an older Faxdeck, which does not say how far a dropped call came, ends nothing', () => {
    const body = { job_id: attempt, fax_status: 'FAILED', fax_result_text: 'The call dropped prematurely' }
    const request = { method: 'POST', url: '', headers: {}, query: {}, fields: [], files: [] }
    const post = (more: object) =>
      freeswitchWebhooks[0]?.translate({ ...request, body: Buffer.from(JSON.stringify({ ...body, ...more })) }, {})
    expect(post({ fax_document_transferred_pages: 0 })?.updates).toMatchObject([{ state: 'in_progress' }])
    expect(post({ fax_document_transferred_pages: 1 })?.updates).toMatchObject([{ kind: 'partial' }])
    expect(post({ fax_result_text: 'Failed to train' })?.updates).toMatchObject([{ kind: 'line_error' }])
  })

  it('names the fax by the variable that every call of ours carries', () => {
    expect(code).toContain('variable_faxdeck_attempt')
  })

  it('gives no value to a shell', () => {
    expect(code.match(/io\.popen\("[^"]*"/g)).toEqual([
      'io.popen("curl --silent --show-error --fail --max-time 20 --retry 3 --config -"',
    ])
    expect(code).not.toMatch(/os\.execute/)
  })
})
