import { describe, expect, it } from 'vitest'
import { uuidOf } from './originate.ts'
import { freeswitchSnippets } from './snippets.ts'
import { freeswitchWebhooks } from './webhooks.ts'

describe('the result hook', () => {
  const code = freeswitchSnippets()
    .map((each) => each.code)
    .join('')

  it('posts what our address takes, with the secret left to the person', () => {
    expect(code).toContain('"{base_url}/_internal/freeswitch/outbound_result"')
    expect(code).toContain('YOUR_INTERNAL_SECRET')
    for (const name of ['job_id', 'fax_status', 'fax_result_text', 'fax_document_transferred_pages', 'uuid'])
      expect(code).toContain(`"${name}":`)
  })

  it.each([
    ['SUCCESS', 'delivered'],
    ['FAILED', 'failed'],
  ])('posts a body that the address understands: %s', (word, state) => {
    const template = /'(\{"job_id".*\})'/.exec(code)?.[1] ?? ''
    const attempt = '0123456789abcdef0123456789abcdef'
    const told = [attempt, word, 'Fax exchange', '2', uuidOf(attempt)]
    const body = template.replaceAll(/%[sd]/g, () => told.shift() ?? '')
    const request = { method: 'POST', url: '', headers: {}, query: {}, fields: [], files: [], body: Buffer.from(body) }
    expect(freeswitchWebhooks[0]?.translate(request, {})).toMatchObject({
      updates: [{ attemptId: attempt, providerId: uuidOf(attempt), state }],
    })
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
