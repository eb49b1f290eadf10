import { exampleOf, type RouteName, type RouteRow, routes } from '@faxdeck/contract'
import { describe, expect, it } from 'vitest'
import { signedIn } from '../../../testing/browser.ts'
import { startGateway, type TestGateway } from '../../../testing/start-gateway.ts'

/** What lets somebody in, hands out a secret, sends faxes elsewhere or ends a protection. */
const confirmed: readonly RouteName[] = [
  'invitePerson',
  'renewInvitation',
  'updatePerson',
  'resetFactors',
  'createApiKey',
  'rotateApiKey',
  'pairTunnel',
  'configureTunnel',
  'addGroupNumber',
  'addGroupMember',
  'exportRecords',
  'updateSettings',
  'exportSettings',
  'persistSettings',
  'updatePluginConfig',
  'installManifest',
  'importManifests',
  'createWebhook',
  'updateWebhook',
  'rotateWebhookSecret',
  'createOwnWebhook',
  'updateOwnWebhook',
  'rotateOwnWebhookSecret',
  'liftHold',
  'setRetention',
  'resumeDeletions',
  'confirmClock',
  'settleDataFolder',
  'changePassword',
  'startTotp',
  'removeTotp',
  'startPasskey',
  'removePasskey',
  'renewRecoveryCodes',
  'acknowledgeReset',
]

type Ask = (method: string, url: string) => Promise<{ body: { code?: string } }>

/** Which calls ask their caller to confirm; the one that ends the session is left out. */
async function asking(ask: Ask): Promise<RouteName[]> {
  const found: RouteName[] = []
  for (const [name, row] of Object.entries<RouteRow>(routes) as [RouteName, RouteRow][]) {
    if (row.permission === null || name === 'signOut') continue
    const { params = {} } = exampleOf(name, row.path)
    const url = row.path.replace(/:(\w+)/g, (_, part: string) => String(params[part]))
    if ((await ask(row.method, url)).body.code === 'confirmation_required') found.push(name)
  }
  return found.toSorted()
}

/** The calls of a program with the first key. */
const withKey =
  ({ app, key }: TestGateway): Ask =>
  async (method, url) => {
    const headers = { host: 'localhost', 'x-api-key': key }
    const answer = await app.inject({ method: method as 'GET', url, headers, remoteAddress: '127.0.0.1' })
    return { body: String(answer.headers['content-type']).includes('json') ? answer.json() : {} }
  }

describe('a confirmation', () => {
  it('is asked for these calls alone, of people who did not prove lately who they are, and of no key', async () => {
    const clock = { ms: Date.UTC(2026, 10, 23) }
    const gateway = await startGateway({ now: () => new Date(clock.ms) })
    const { browser } = await signedIn(gateway, 'administrator')
    const ask: Ask = (method, url) => browser.ask(method, url)
    expect(await asking(ask)).toEqual([])
    clock.ms += 10 * 60_000
    expect(await asking(ask)).toEqual(confirmed.toSorted())
    expect(await asking(withKey(gateway))).toEqual([])
  })
})
