import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import {
  CallProblem,
  type Client,
  exampleOf,
  faxStream,
  liveStream,
  type RouteName,
  type RouteRow,
  routes,
  scopeFor,
} from '@faxdeck/contract'
import { openApiDocument } from '@faxdeck/contract/openapi'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import type { AuditEntry } from '../../base/events/facts.ts'
import { startGateway, type TestGateway } from '../../testing/start-gateway.ts'

const document = openApiDocument('1.0.2')

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1 by an independent validator', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(structuredClone(document))
    expect(errors ?? []).toEqual([])
    expect([valid, validator.version]).toEqual([true, '3.1'])
  })

  it('has every call, with the scope it needs and the shape it answers', () => {
    const paths = document.paths as Record<string, Record<string, Record<string, unknown>>>
    const tags = (document.tags as { name: string }[]).map(({ name }) => name)
    for (const [name, row] of Object.entries<RouteRow>(routes)) {
      const operation = paths[row.path.replace(/:(\w+)/g, '{$1}')]?.[row.method.toLowerCase()]
      expect(operation, name).toMatchObject({ operationId: name, summary: row.summary })
      expect(operation?.['x-scope'], name).toBe(row.permission === null ? undefined : scopeFor(row.permission))
      expect(tags, name).toEqual(expect.arrayContaining(operation?.['tags'] as string[]))
    }
    expect(JSON.stringify(document)).toContain('"$ref":"#/components/schemas/Fax"')
  })

  it.each([
    ['followChanges', liveStream, 'LiveMessage'],
    ['followFaxes', faxStream, 'FaxEvent'],
  ] as const)(
    'has the stream %s, which is no row',
    async (operationId, { method, path, summary, permission }, shape) => {
      const { get } = (document.paths as Record<string, { get: object }>)[path] ?? {}
      expect(get).toMatchObject({ operationId, summary, 'x-scope': scopeFor(permission) })
      expect(JSON.stringify(get)).toContain('text/event-stream')
      expect(document).toHaveProperty(`components.schemas.${shape}`)
      const { app } = await startGateway()
      expect(app.hasRoute({ method, url: path })).toBe(true)
    },
  )

  it('is served to this machine without a key', async () => {
    const { app } = await startGateway()
    const ask = (remoteAddress: string, headers = {}) =>
      app.inject({ url: '/openapi.json', headers: { host: 'localhost', ...headers }, remoteAddress })
    const answer = await ask('127.0.0.1')
    expect(answer.json()).toMatchObject({ openapi: '3.1.1', info: { title: 'Faxdeck' } })
    const again = await ask('127.0.0.1', { 'if-none-match': answer.headers.etag })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    expect((await ask('192.0.2.1')).statusCode).toBe(403)
  })
})

/** Calls whose example cannot succeed on a gateway that has just been started, and what they answer instead. */
const otherwise: Partial<Record<RouteName, number>> = {
  getFaxPdf: 403,
  getLinkedReceived: 403,
  resolveJob: 409,
  cancelJob: 409,
  releaseJob: 409,
  createBulk: 409,
  getBulk: 404,
  stopBulk: 404,
  fetchInboundAgain: 409,
  redeemPairing: 403,
  restart: 403,
  settleDataFolder: 409,
  startLineTest: 409,
  tailLogFile: 404,
  getWebhookDelivery: 404,
  getOwnWebhookDelivery: 404,
  replayWebhookDelivery: 404,
  replayOwnWebhookDelivery: 404,
  cancelFax: 409,
  quoteSplit: 422,
  splitFax: 422,
  resendBroadcast: 409,
  downloadInboundPdf: 404,
  downloadInboundZip: 404,
  addGroupMember: 404,
  openFax: 404,
  findFaxesToOpen: 404,
  notePrint: 404,
  // Keys are not people: these are about the session of one.
  signIn: 403,
  readInvitation: 403,
  acceptInvitation: 403,
  staySignedIn: 403,
  signOut: 403,
  changePassword: 403,
  listOwnSessions: 403,
  endOwnSession: 403,
  endOtherSessions: 403,
  askToConfirm: 403,
  getFactors: 403,
  startTotp: 403,
  removeTotp: 403,
  startPasskey: 403,
  renamePasskey: 403,
  acknowledgeReset: 403,
  removePasskey: 403,
  renewRecoveryCodes: 403,
  signInWithCode: 403,
  askForPasskey: 403,
  signInWithPasskey: 403,
  confirmAccount: 403,
  confirmWithPasskey: 403,
  addTotp: 403,
  addPasskey: 403,
  // Nobody has signed in, and no provider is set up.
  endPersonSession: 404,
  startSingleSignOn: 409,
  finishSingleSignOn: 409,
}

const webhook = { url: 'https://hooks.example.com/faxdeck', events: ['fax.delivered' as const] }
const hold = { kind: 'number' as const, subject: '+15555550177', reason: 'Case 2026-117' }
const invited = () => ({ name: 'Jo', email: `${randomUUID()}@clinic.example`, role: 'operator' as const })
const page = () => new File(['One page.'], 'page.txt', { type: 'text/plain' })

/** Makes what the example of a call is about, and answers its id. Calls that only read, and record nothing, share a delivered fax. */
async function makeSubject(client: Client, path: string, sent: () => Promise<string>): Promise<string | undefined> {
  if (path.includes('/webhooks/')) return (await client.createWebhook({ body: webhook })).id
  if (path.includes('/groups/')) {
    const { id } = await client.createGroup({ body: { name: randomUUID() } })
    if (path.endsWith('/calling-number')) await client.addGroupNumber({ params: { id, number: '+15555550102' } })
    return id
  }
  if (path.includes('/holds/')) return (await client.placeHold({ body: hold })).id
  if (path.includes('/people/')) return (await client.invitePerson({ body: invited() })).person.id
  if (path.includes('/api-keys/')) return (await client.createApiKey({ body: {} })).key_id
  if (path.includes('/previews/')) return (await client.createPreview({ form: { file: page() } })).id
  if (path.includes('/approvals/') || path.startsWith('/fax/requests/:id')) {
    const headers = { 'idempotency-key': randomUUID() }
    return (await client.requestFax({ form: { to: '+15555550199', file: page() } }, { headers })).approval?.id
  }
  if (path.includes('/broadcasts/:id')) {
    const { id } = await client.createBroadcast({ form: { recipients: '+15555550198', file: page() } })
    const state = async () => (await client.getBroadcast({ params: { id } })).state
    await expect.poll(state, { timeout: 20_000 }).toBe('finished')
    return id
  }
  if (path.includes('/inbound/:id') || path.startsWith('/received/'))
    return (await client.simulateInbound({ body: {} })).id
  if (!/^\/(fax|admin\/fax-jobs)\/:id/.test(path)) return undefined
  return sent()
}

async function sendOne(client: Client): Promise<string> {
  const { id } = await client.submitFax({ form: { to: '+15555550199', file: page() } })
  const state = async () => (await client.getJob({ params: { id } })).status
  await expect.poll(state, { timeout: 20_000 }).toBe('SUCCESS')
  return id
}

/** Calls whose example changes nothing that is recorded, and which therefore leave no event. */
const unrecorded: readonly RouteName[] = [
  'releaseJob',
  'resumeBroadcast',
  'exportSettings',
  'reloadSettings',
  'registerSinchWebhook',
  'forgetCallNumber',
  'removeGroupNumber',
  'removeGroupMember',
  'removePrice',
  'searchFaxes',
  // Their pages are still being read.
  'getJobText',
  'getInboundText',
]

/** Follows the audit trail of a gateway: what was recorded since the last time it was asked. */
function followTrail({ gateway }: TestGateway): () => readonly AuditEntry[] {
  let entries: AuditEntry[] = []
  gateway.events.onRecorded((entry) => entries.push(entry))
  return () => {
    const recorded = entries
    entries = []
    return recorded
  }
}

/** What is wrong with what a call left in the audit trail, by its row. */
function auditFault(name: RouteName, { audits = [] }: RouteRow, left: readonly AuditEntry[]): string {
  const strange = left.find(({ event, key_id: key, by }) => {
    return (key === 'bootstrap' || by === 'bootstrap') && !audits.includes(event)
  })
  if (strange) return `It left ${strange.event}.`
  const isSilent = audits.length === 0 || name in otherwise || unrecorded.includes(name)
  return isSilent || left.some(({ event }) => audits.includes(event)) ? 'ok' : `It left none of ${audits.join()}.`
}

/** Makes the call of an example, and answers what was not as its row says. */
async function tryExample(
  client: Client,
  recorded: () => readonly AuditEntry[],
  [name, row]: [RouteName, RouteRow],
  shared: () => Promise<string>,
): Promise<number | string> {
  const { params, query, body, form } = exampleOf(name, row.path)
  const changesNothing = row.method === 'GET' && row.audits === undefined
  const id = await makeSubject(client, row.path, changesNothing ? shared : () => sendOne(client))
  const call = client[name] as (input: object) => Promise<unknown>
  recorded()
  try {
    await call({
      params: id === undefined ? params : { ...params, id },
      ...(query ? { query } : {}),
      ...(body === undefined ? {} : { body: name === 'archiveReceived' ? { ids: [id] } : body }),
      ...(row.form ? { form: { ...form, file: page() } } : {}),
    })
    if (name in otherwise) return 'This example works now.'
    const left: AuditEntry[] = []
    // What a call sets going may be recorded a moment after its answer, on a busy machine.
    const until = Date.now() + 20_000
    for (;;) {
      left.push(...recorded())
      const fault = auditFault(name, row, left)
      if (!fault.startsWith('It left none') || Date.now() > until) return fault
      await delay(50)
    }
  } catch (error) {
    if (error instanceof CallProblem) return otherwise[name] === error.status ? 'ok' : JSON.stringify(error.answer)
    throw error
  }
}

describe('the examples', () => {
  it('work as they stand, with ids of things that exist, and are audited as their rows say', async () => {
    const env = { FEATURE_V3_PLUGINS: 'true', ENABLE_ADMIN_EXEC: 'true', REQUIRE_MCP_APPROVAL: 'true' }
    const gateway = await startGateway({ env })
    const recorded = followTrail(gateway)
    const failed: Record<string, unknown> = {}
    let one: Promise<string> | undefined
    const shared = () => (one ??= sendOne(gateway.client))
    for (const [name, row] of Object.entries<RouteRow>(routes) as [RouteName, RouteRow][]) {
      const outcome = await tryExample(gateway.client, recorded, [name, row], shared)
      if (outcome !== 'ok') failed[name] = outcome
    }
    expect(failed).toEqual({})
  })
})
