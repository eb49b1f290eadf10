import { describe, expect, it } from 'vitest'
import { accountFinding, anyObject, type Verdict, verdictOf } from './account-verdict.ts'
import { answerOf, type Answered } from '../http/ask.ts'
import { readFields } from '../http/read-fields.ts'

const url = 'https://api.acme.test/me'
const accepts = (body: unknown) => {
  const ok = readFields(body)?.value('ok')
  return typeof ok === 'boolean' ? ok : undefined
}
const judge = (answered: Answered) => verdictOf(answered, { name: 'Acme', accepts })
const came = async (status: number, body: string | null, headers: Record<string, string> = {}) =>
  judge(await answerOf(new Response(body, { status, headers }), url))
const html = { 'content-type': 'text/html; charset=utf-8' }

describe('what a provider answered about an account', () => {
  it('is accepted by its own answer alone', async () => {
    expect(await came(200, '{"ok":true}')).toEqual({ kind: 'accepted' })
    expect(await came(200, '{"ok":false}')).toMatchObject({ kind: 'refused' })
  })

  it.each([401, 403])('is refused credentials with %i', async (status) => {
    const verdict = await came(status, '{"message":"no"}')
    expect(verdict).toEqual({ kind: 'refused', detail: `Acme refused the credentials (${status}).` })
    expect(accountFinding(verdict, 'Acme', 'acme_url')).not.toHaveProperty('instead')
  })

  it.each<[string, number, string | null, Record<string, string>]>([
    ['a page with 200', 200, '<!DOCTYPE html><title>Sign in</title>', {}],
    ['a page that is named one', 200, 'Sign in', html],
    ['a page with 403', 403, '<html>Blocked</html>', {}],
    ['JSON of somebody else', 200, '{"status":"up"}', {}],
    ['nothing', 200, '', {}],
    ['a redirect', 302, null, { location: 'https://portal.hotel.test/login' }],
    ['no such address', 404, '{"error":"not found"}', {}],
    ['a proxy that wants a sign-in', 407, '', {}],
  ])('is none when %s comes', async (_what, status, body, headers) => {
    const verdict = await came(status, body, headers)
    expect(verdict.kind).toBe('strange')
    expect(accountFinding(verdict, 'Acme', 'acme_url').instead).toMatchObject({
      hint: expect.stringMatching(/is not Acme: check the address/),
      setting: 'acme_url',
    })
  })

  it('says where a redirect leads', async () => {
    expect(await came(302, null, { location: 'https://portal.hotel.test/login' })).toMatchObject({
      detail: 'The answer was a redirect (302) to portal.hotel.test, which is not followed.',
    })
  })

  it.each([500, 502, 503])('is a fault of the provider with %i', async (status) => {
    for (const body of ['{}', '<html>Bad gateway</html>']) {
      expect(accountFinding(await came(status, body), 'Acme').instead?.hint).toMatch(/^Acme reports an internal error/)
    }
  })

  it('is a warning when it was asked too often', async () => {
    expect(accountFinding(await came(429, '{}'), 'Acme').instead).toMatchObject({ severity: 'warning' })
  })

  it('is refused by a status that a provider refuses with, unless a page came with it', async () => {
    const project = { name: 'Acme', accepts: anyObject, refusals: [404] }
    const answer = { status: 404, body: {}, isPage: false, leadsTo: undefined }
    expect(verdictOf(answer, project).kind).toBe('refused')
    expect(verdictOf({ ...answer, isPage: true }, project).kind).toBe('strange')
  })
})

describe('a provider that cannot be asked', () => {
  const silence = (why: Exclude<Extract<Answered, { problem: string }>['why'], 'unsayable'>) =>
    accountFinding({ kind: 'unreachable', why, detail: 'Nobody.' }, 'Acme', 'acme_url')

  it('says each reason in a sentence of its own, and never speaks of wrong credentials', () => {
    const kinds = [
      'unknown_host',
      'lookup_failed',
      'refused',
      'no_route',
      'no_connection',
      'silent',
      'cut',
      'cert_date',
      'cert_untrusted',
      'cert_name',
      'tls',
      'blocked',
      'other',
    ] as const
    const said = kinds.map((why) => silence(why).instead?.hint ?? '')
    expect(new Set(said).size).toBe(kinds.length)
    for (const sentence of said) expect(sentence).toMatch(/^\S.*\.$/)
    for (const sentence of said) expect(sentence).not.toMatch(/does not accept|copy/)
  })

  it('was refused when no header can hold the credentials', () => {
    const verdict: Verdict = judge({ problem: 'Acme was not asked.', why: 'unsayable' })
    expect(verdict).toEqual({ kind: 'refused', detail: 'Acme was not asked.' })
  })
})
