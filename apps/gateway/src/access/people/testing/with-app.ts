import { expect } from 'vitest'
import type { Browser } from '../../../testing/browser.ts'
import { onEachGatewayDatabase } from '../../../testing/databases.ts'
import { startGateway } from '../../../testing/start-gateway.ts'
import { stepAt, totpCode } from '../factors/totp.ts'

export const minute = 60_000

/** A suite of gateways with a clock that is set, on each database. */
export function onEachGateway(
  suite: (open: (env?: Record<string, string>) => ReturnType<typeof opened>) => void,
): void {
  onEachGatewayDatabase((database) => suite(async (env) => opened({ ...env, ...(await database()) })))
}

/** A gateway with a clock that the test moves, and what its trail holds. */
export async function opened(env: Record<string, string> = {}) {
  const clock = { ms: Date.UTC(2026, 10, 23, 8) }
  const now = () => new Date(clock.ms)
  const gateway = await startGateway({ now, env })
  const events = async (event: string) => (await gateway.client.listLogs({ query: { event } })).items
  return { ...gateway, clock, events, now }
}

export type Opened = Awaited<ReturnType<typeof opened>>

/** Sets up an authenticator app. @returns its codes, and the recovery codes that came with it */
export async function withApp({ now }: Pick<Opened, 'now'>, browser: Browser) {
  const { token, secret } = (await browser.ask('POST', '/admin/account/totp/start')).body
  const code = (steps = 0) => totpCode(secret, stepAt(now()) + steps)
  const added = await browser.ask('POST', '/admin/account/totp', { json: { token, code: code() } })
  expect(added.status).toBe(200)
  return { code, codes: added.body.recovery_codes as string[] }
}
