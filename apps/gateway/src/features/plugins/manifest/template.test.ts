import { describe, expect, it } from 'vitest'
import { parseJsonTemplate, renderHeader, renderJson, renderText, renderUrl, TemplateProblem } from './template.ts'

const hostile = [
  '"},"to":"+15550009999","x":{"',
  '\\"',
  '&to=%2B15550009999',
  '?a=b#c',
  'x/../../admin',
  '..%2f..%2fadmin',
  '</to>{{creds.token}}',
  'a\r\nX-Evil: 1',
  '\u0000\u2028\ud800',
  '%00',
]

describe('a JSON template', () => {
  it.each(hostile)('keeps %j inside its text', (to) => {
    const template = parseJsonTemplate('{"to":"{{to}}","note":"for {{to}}, please","pages":{{ pages }},"fixed":[true]}')
    const sent = JSON.parse(JSON.stringify(renderJson(template, { to, pages: 2 }))) as Record<string, unknown>
    expect(Object.keys(sent)).toEqual(['to', 'note', 'pages', 'fixed'])
    expect(sent).toMatchObject({ pages: 2, fixed: [true] })
    expect(sent.note).toBe(`for ${to.toWellFormed()}, please`)
  })

  it('does not take a value for a template', () => {
    expect(renderJson({ to: 'a {{to}}' }, { to: '{{creds.token}}', 'creds.token': 'secret' })).toEqual({
      to: 'a {{creds.token}}',
    })
  })
})

describe('an address template', () => {
  const render = (to: string) => renderUrl('https://api.acme.example', '/v1/{{to}}/faxes', '?n={{to}}&m=1', { to })

  it.each(hostile)('keeps %j inside its segment and its field', (to) => {
    const url = render(to)
    expect(url.origin).toBe('https://api.acme.example')
    expect(url.pathname).toMatch(/^\/v1\/[^/]+\/faxes$/)
    expect([...url.searchParams]).toEqual([
      ['n', to.toWellFormed()],
      ['m', '1'],
    ])
    expect(url.hash).toBe('')
  })

  it.each(['..', '.', ''])('refuses %j, which would lead elsewhere', (to) => {
    expect(() => render(to)).toThrow(TemplateProblem)
  })
})

describe('a header template', () => {
  it.each(['a\r\nX-Evil: 1', 'a\nb', '\u0000', 'ключ'])('refuses %j', (to) => {
    expect(() => renderHeader('to {{to}}', { to })).toThrow('no header can carry')
  })
  it('carries what fits', () => {
    expect(renderHeader('Key {{to}}', { to: 'a b+c/=' })).toBe('Key a b+c/=')
  })
})

it('does not make something of a name that is not there', () => {
  expect(() => renderText('{{nobody}}', {})).toThrow('There is nothing to put in the place of {{nobody}}.')
})
