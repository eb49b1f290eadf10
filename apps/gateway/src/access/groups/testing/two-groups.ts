import type { Role } from '@faxdeck/contract'
import { expect } from 'vitest'
import { type Browser, signedIn } from '../../../testing/browser.ts'
import { onEachGatewayDatabase } from '../../../testing/databases.ts'
import { startGateway, type TestGateway } from '../../../testing/start-gateway.ts'

/** Runs a suite over gateways on SQLite and on PostgreSQL. */
export function onBothDatabases(suite: (open: (env?: Record<string, string>) => Promise<TestGateway>) => void): void {
  onEachGatewayDatabase((database) =>
    suite(async (env = {}) => startGateway({ env: { ...(await database()), ...env } })),
  )
}

export interface Letter {
  to: string
  word?: string
  fields?: Record<string, string>
}

/** Sends a letter as the person at a browser. @returns the answer */
export async function sendAs(browser: Browser, { to, word = 'Dear all', fields = {} }: Letter, path = '/fax') {
  const form = new FormData()
  const given = path === '/fax' ? { to, ...fields } : fields
  for (const [name, value] of Object.entries(given)) form.set(name, value)
  form.set('file', new File([word], `${word.toLowerCase()}.txt`, { type: 'text/plain' }))
  const request = new Request('http://127.0.0.1/', { method: 'POST', body: form })
  const headers = { 'content-type': request.headers.get('content-type') ?? '' }
  return browser.ask('POST', path, { json: Buffer.from(await request.arrayBuffer()), headers })
}

/** Sends a letter and waits until it was delivered. @returns its id */
export async function delivered({ client }: TestGateway, browser: Browser, letter: Letter): Promise<string> {
  const { status, body } = await sendAs(browser, letter)
  expect([status, body.detail]).toEqual([202, undefined])
  const state = async () => (await client.getJob({ params: { id: body.id } })).status
  await expect.poll(state, { timeout: 60_000 }).toBe('SUCCESS')
  return String(body.id)
}

export async function receivedOn({ client }: TestGateway, to: string, fr: string): Promise<string> {
  return (await client.simulateInbound({ body: { to, fr } })).id
}

/** A group with a number and a person of a role in it. */
export async function groupWith(
  gateway: TestGateway,
  of: { name: string; number: string; person: string; role?: Role },
) {
  const { client } = gateway
  const { id } = await client.createGroup({ body: { name: of.name } })
  await client.addGroupNumber({ params: { id, number: of.number } })
  const { browser, person } = await signedIn(gateway, of.role ?? 'member', of.person)
  await client.addGroupMember({ params: { id, person: person.id } })
  return { id, browser, person }
}
