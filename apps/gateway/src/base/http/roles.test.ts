import { exampleOf, type Role, roleNames, roles, type RouteName, type RouteRow, routes } from '@faxdeck/contract'
import { describe, expect, it } from 'vitest'
import { type Browser, signedIn } from '../../testing/browser.ts'
import { startGateway } from '../../testing/start-gateway.ts'

const isLong = process.env.FAXDECK_LONG !== undefined

/** The one call that ends the session it is made in comes last. */
const rows = (Object.entries(routes) as [RouteName, RouteRow][]).toSorted(
  ([a], [b]) => Number(a === 'signOut') - Number(b === 'signOut'),
)

/** The address of a call, its example filled in. */
function urlOf(name: RouteName, { path }: RouteRow): string {
  const { params = {}, query = {} } = exampleOf(name, path)
  const filled = path.replace(/:(\w+)/g, (_, part: string) => String(params[part]))
  const search = new URLSearchParams(
    Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]),
  )
  return search.size > 0 ? `${filled}?${search}` : filled
}

/** What a browser is answered by every call that is not for everybody. */
async function walk(browser: Browser): Promise<[RouteName, string][]> {
  const answers: [RouteName, string][] = []
  for (const [name, row] of rows) {
    if (row.permission === null) continue
    const { status, body } = await browser.ask(row.method, urlOf(name, row))
    const isRefused = status === 401 || (status === 403 && body.code === 'forbidden')
    answers.push([name, isRefused ? String(status) : 'let in'])
  }
  return answers
}

/** What they should be, by the table of roles alone. */
const expected = (role: Role): [RouteName, string][] =>
  rows.flatMap(([name, { permission }]) => {
    if (permission === null) return []
    const may = (roles[role].permissions as readonly string[]).includes(permission)
    return [[name, may ? 'let in' : '403']]
  })

const nobody = rows.flatMap(([name, { permission }]) => (permission === null ? [] : [[name, '401']]))

describe.each(roleNames)('a person who is %s', (role) => {
  it('is let into the calls of the role and into no other', async () => {
    const gateway = await startGateway({ env: { FEATURE_V3_PLUGINS: 'true' } })
    const { browser } = await signedIn(gateway, role)
    expect(await walk(browser)).toEqual(expected(role))
  })

  // Who is nobody has no role: in the short form the one that may most shows it.
  it.runIf(isLong || role === 'administrator')('is let into none once suspended, idle or signed out', async () => {
    const clock = { ms: Date.UTC(2026, 10, 23) }
    const gateway = await startGateway({ now: () => new Date(clock.ms) })
    // The only administrator who can sign in is never suspended.
    await signedIn(gateway, 'administrator', 'stays')
    const suspended = await signedIn(gateway, role, 'suspended')
    await gateway.client.updatePerson({ params: { id: suspended.person.id }, body: { suspended: true } })
    expect(await walk(suspended.browser)).toEqual(nobody)
    const out = await signedIn(gateway, role, 'out')
    const { cookie } = out.browser
    await out.browser.ask('POST', '/admin/account/sign-out')
    out.browser.cookie = cookie
    expect(await walk(out.browser)).toEqual(nobody)
    const idle = await signedIn(gateway, role, 'idle')
    clock.ms += 15 * 60_000
    expect(await walk(idle.browser)).toEqual(nobody)
  })
})

describe('the streams', () => {
  it('are open to whoever opens faxes, and to nobody else', async () => {
    const gateway = await startGateway()
    for (const role of roleNames) {
      const { browser } = await signedIn(gateway, role)
      if (role !== 'auditor') continue
      expect((await browser.ask('GET', '/admin/events')).status).toBe(403)
    }
  })
})
