import { describe, expect, it } from 'vitest'
import { Problem } from '../../../base/http/answers/problem.ts'
import { acmeManifest } from '../testing/acme.ts'
import { largestManifest, readManifest } from './manifest.ts'
import { renderText, TemplateProblem } from './template.ts'
import { meaningOf } from './words.ts'

type Change = (manifest: ReturnType<typeof acmeManifest> & Record<string, unknown>) => void

/** What is said against a manifest that was changed. */
function saidAbout(change: Change, allowLoopback = false): string {
  const manifest = acmeManifest()
  change(manifest)
  try {
    readManifest(manifest, { allowLoopback })
    return 'It is good.'
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return error.message
  }
}

const sendTo =
  (url: string, domain = new URL(url).hostname): Change =>
  (manifest) => {
    manifest.actions.send_fax.url = url
    manifest.allowed_domains.push(domain)
  }

describe('a manifest', () => {
  it('is read, with what it asks for and what will not work', () => {
    const read = readManifest(acmeManifest(), { allowLoopback: false })
    expect(read).toMatchObject({ id: 'acme-fax', name: 'Acme Fax', credentials: ['token'], warnings: [] })
    expect(read.actions.send_fax.names).toEqual(['settings.region', 'fax_id', 'to', 'pages'])
  })

  it.each<[field: string, change: Change]>([
    ['id', (manifest) => (manifest.id = '../../evil')],
    ['id', (manifest) => (manifest.id = 'a')],
    ['name', (manifest) => (manifest.name = 'Acme\u202exaF')],
    ['allowed_domains', (manifest) => (manifest.allowed_domains = [])],
    ['allowed_domain', (manifest) => Object.assign(manifest, { allowed_domain: [] })],
    ['actions.send_fax.url', (manifest) => (manifest.actions.send_fax.url = 'https://elsewhere.example/')],
    ['actions.send_fax.url', sendTo('https://{{settings.host}}/fax', 'api.acme.example')],
    ['actions.send_fax.url', sendTo('https://me:secret@api.acme.example/fax')],
    ['actions.send_fax.url', sendTo('https://api.acme.example@169.254.169.254/fax')],
    ['actions.send_fax.url', sendTo('https://api.acme.example/a/../b')],
    ['actions.send_fax.url', sendTo('https://api.acme.example/{nobody}')],
    [
      'actions.send_fax.body.template',
      (manifest) => (manifest.actions.send_fax.body = { kind: 'json', template: '{"to":' }),
    ],
    [
      '{{file_path}}',
      (manifest) => (manifest.actions.send_fax.body = { kind: 'json', template: '{"f":"{{file_path}}"}' }),
    ],
    ['{{job_id}}', (manifest) => (manifest.actions.send_fax.body = { kind: 'form', template: 'id={{job_id}}' })],
    ...['a\r\nX-Evil: b', 'a\nb', 'a\u0000b', 'snow\u2603'].map((value): [string, Change] => [
      'actions.send_fax.headers.X-Own',
      (manifest) => Object.assign(manifest.actions.send_fax.headers, { 'X-Own': value }),
    ]),
    [
      'auth.header_name',
      (manifest) => Object.assign(manifest, { auth: { scheme: 'api_key_header', header_name: 'X-A\r\nB' } }),
    ],
    ['actions.send_fax.headers.Host', (manifest) => Object.assign(manifest.actions.send_fax.headers, { Host: 'x' })],
    [
      'actions.get_status.response.status_map.sent',
      (manifest) => (manifest.actions.get_status.response.status_map.sent = 'hurray'),
    ],
    ['actions.get_status.response.pages', (manifest) => (manifest.actions.get_status.response.pages = 'a b')],
  ])('is refused with a sentence that names %s', (field, change) => {
    const said = saidAbout(change)
    expect(said).toContain(field)
    expect(said).toMatch(/\.$/)
  })

  it.each([
    'https://169.254.169.254/latest/meta-data',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://[::1]/',
    'https://10.0.0.1/',
    'https://localhost/',
    'https://intranet/',
    'https://printer.local/',
    'https://db.internal/',
    'http://api.acme.example/',
    'ftp://api.acme.example/',
  ])('never speaks to %s', (url) => {
    expect(saidAbout(sendTo(url))).toMatch(/not a public host name|begins? with https/)
  })

  it('speaks to this machine only where a test allows it', () => {
    expect(saidAbout(sendTo('http://127.0.0.1:9/fax'), true)).toBe('It is good.')
    expect(saidAbout(sendTo('http://10.0.0.1:9/fax'), true)).toContain('not a public host name')
  })

  it('is refused when it is too large', () => {
    expect(saidAbout((manifest) => (manifest.description = 'x'.repeat(largestManifest)))).toContain('256 KB')
  })

  it.each([
    ['in the template', (deep: string) => JSON.parse(deep) as unknown],
    ['in a template that is written as text', (deep: string) => deep],
  ])('is refused when it is nested too deep %s', (_where, write) => {
    const template = write(`{"a":${'['.repeat(9000)}${']'.repeat(9000)}}`)
    const said = saidAbout((manifest) => (manifest.actions.send_fax.body = { kind: 'json', template } as never))
    expect(said).toContain('at most 40 levels')
  })

  it('gives words and placeholders no meaning that nobody wrote', () => {
    expect(meaningOf('constructor')).toBeUndefined()
    expect(() => renderText('{{constructor}}', {})).toThrow(TemplateProblem)
  })

  it('warns about fields that have no effect here', () => {
    const manifest = acmeManifest()
    const { send_fax } = manifest.actions
    const bare = {
      ...manifest,
      auth: { scheme: 'none' },
      actions: { send_fax: { ...send_fax, body: { kind: 'none' } } },
    }
    expect(readManifest(bare, { allowLoopback: false }).warnings.join(' ')).toMatch(
      /Without actions.get_status.*no fax will ever count as delivered.*sends no document.*does not use {{to}}.*no credentials/,
    )
  })
})
