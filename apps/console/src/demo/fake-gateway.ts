import {
  permissionsOf,
  permissionsOfRole,
  type ProblemCode,
  problems,
  type RouteName,
  type RouteRow,
  routes,
} from '@faxdeck/contract'
import { Refusal } from './fake-calls.ts'
import { approvalCalls } from './faxes/fake-approvals.ts'
import { broadcastCalls } from './faxes/fake-broadcasts.ts'
import { bulkCalls } from './faxes/fake-bulk.ts'
import { inboundCalls } from './faxes/fake-inbound.ts'
import { jobCalls, sendingCalls } from './faxes/fake-jobs.ts'
import { numberCalls } from './faxes/fake-numbers.ts'
import { previewCalls, splitCalls } from './faxes/fake-previews.ts'
import { searchCalls } from './faxes/fake-search.ts'
import { operationCalls } from './installation/fake-operations.ts'
import { overviewCalls } from './installation/fake-overview.ts'
import { manifestCalls, pluginCalls } from './installation/fake-plugins.ts'
import { settingsCalls } from './installation/fake-settings.ts'
import { setupCalls } from './installation/fake-setup.ts'
import { webhookCalls } from './installation/fake-webhooks.ts'
import { diagnosticsCalls } from './lines/fake-diagnostics.ts'
import { catchUp } from './lines/fake-line.ts'
import { lineCalls } from './lines/fake-lines.ts'
import { groupCalls } from './people/fake-groups.ts'
import { keyCalls } from './people/fake-keys.ts'
import { peopleCalls } from './people/fake-people.ts'
import { logCalls } from './records/fake-logs.ts'
import { reportCalls } from './records/fake-reports.ts'
import { retentionCalls } from './records/fake-retention.ts'
import { bootstrapKey, type Failure, type World } from './world.ts'

/** What arrives at the gateway. */
export interface Call {
  method: string
  address: URL
  key: string | null
  body: string | FormData | undefined
}

/** Any handler; its input is checked against the row before it is called. */
type Handler = (input: never) => unknown

/** Every fake handler over one world. */
export function fakeCalls(world: World) {
  return {
    ...overviewCalls(world),
    ...jobCalls(world),
    ...bulkCalls(world),
    ...sendingCalls(world),
    ...numberCalls(world),
    ...previewCalls(world),
    ...splitCalls,
    ...broadcastCalls(world),
    ...inboundCalls(world),
    ...searchCalls(world),
    ...approvalCalls(world),
    ...keyCalls(world),
    ...peopleCalls(world),
    ...groupCalls(world),
    ...retentionCalls(world),
    ...diagnosticsCalls(world),
    ...logCalls(world),
    ...lineCalls(world),
    ...reportCalls(world),
    ...operationCalls(world),
    ...settingsCalls(world),
    ...setupCalls(world),
    ...pluginCalls(world),
    ...manifestCalls(world),
    ...webhookCalls(world),
  }
}

const mediaTypes = {
  pdf: 'application/pdf',
  png: 'image/png',
  csv: 'text/csv',
  text: 'text/plain',
  zip: 'application/zip',
} as const

function problem(code: ProblemCode, detail: string, fields?: Refusal['fields']): Response {
  const { status } = problems[code]
  const said = { detail, code, request_id: 'req-0001', ...(fields ? { fields } : {}) }
  return Response.json(said, { status, statusText: code })
}

// Not `instanceof`: in tests the encoder's bytes are of another realm than the page's.
const isBytes = (result: unknown): result is Uint8Array<ArrayBuffer> => ArrayBuffer.isView(result)

function answer(row: RouteRow, result: unknown): Response {
  const status = row.status ?? 200
  if (row.reply === 'none') return new Response(null, { status: 204 })
  if (isBytes(result)) {
    const type =
      typeof row.reply === 'string' ? mediaTypes[row.reply === 'document' ? 'pdf' : row.reply] : mediaTypes.text
    return new Response(result.slice(), { status, headers: { 'content-type': type } })
  }
  return Response.json(result, { status })
}

interface Found {
  name: RouteName
  row: RouteRow
  params: Record<string, string>
}

function findRow(method: string, path: string): Found | undefined {
  const all = (Object.entries(routes) as [RouteName, RouteRow][]).filter(([, row]) => row.method === method)
  // As the gateway does, a path as it is before one with a parameter in its place.
  const inOrder = [...all.filter(([, row]) => row.path === path), ...all]
  for (const [name, row] of inOrder) {
    const match = new RegExp(`^${row.path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`).exec(path)
    if (!match) continue
    const given = Object.entries(match.groups ?? {})
    return { name, row, params: Object.fromEntries(given.map(([key, value]) => [key, decodeURIComponent(value)])) }
  }
  return undefined
}

/** A person confirms who they are before some calls. */
function assertConfirmed({ signedIn, factors }: World, { row }: Found): void {
  if (row.confirm && signedIn !== undefined && !factors.confirmed) throw new Refusal('confirmation_required')
}

function mayCall(world: World, key: string | null, { name, row: { permission } }: Found): void {
  if (!permission) return
  const person = world.people.find(({ id }) => id === world.signedIn)
  if (!key && person) {
    if (!permissionsOfRole(person.role).has(permission)) throw new Refusal('forbidden')
    return
  }
  const scopes = world.keys.find((each) => each.token === key)?.scopes
  // The demo lets everybody in; what a key may not do there is refused as anywhere.
  if (key && !scopes && name === 'getConfig') world.guests?.add(key)
  if (key === bootstrapKey || world.guests?.has(key ?? '')) return
  if (!scopes) throw new Refusal('unauthorized')
  if (!permissionsOf(scopes).has(permission)) throw new Refusal('forbidden')
}

function inputOf({ row, params }: Found, { address, body }: Call): never {
  const form = body instanceof FormData ? Object.fromEntries(body) : undefined
  const read = {
    params: row.params?.safeParse(params),
    query: row.query?.safeParse(Object.fromEntries(address.searchParams)),
    body: row.body?.safeParse(typeof body === 'string' && body !== '' ? JSON.parse(body) : undefined),
    form: row.form?.loose().safeParse(form),
  }
  const wrong = Object.values(read).find((part) => part && !part.success)
  if (wrong) throw new Refusal('invalid', wrong.error?.issues[0]?.message)
  return Object.fromEntries(Object.entries(read).map(([part, result]) => [part, result?.data])) as never
}

function failAsReported(failure: Failure): Response {
  if (failure === 'offline') throw new TypeError('Failed to fetch')
  const { status, statusText, body } = failure
  return body ? Response.json(body, { status, statusText }) : new Response('', { status, statusText })
}

/** What MCP answers at the health addresses of its transports, which stand outside the contract. */
function mcpHealth({ config: { mcp } }: World, path: string): Response | undefined {
  const isOn =
    (mcp.sse_enabled && path === `${mcp.sse_path}/health`) || (mcp.http_enabled && path === `${mcp.http_path}/health`)
  return isOn ? Response.json({ status: 'ok' }) : undefined
}

/**
 * A gateway in memory: the key and its scopes are looked at, the input is checked against the contract, and everything
 * travels as it does over the wire.
 * @throws {TypeError} as `fetch` does, where the world says that the call gets no answer
 */
export function fakeGateway(world: World): (call: Call) => Response {
  const handlers: Partial<Record<RouteName, Handler>> = fakeCalls(world)
  return (call) => {
    const found = findRow(call.method, call.address.pathname)
    const handler = found && handlers[found.name]
    if (!handler) return mcpHealth(world, call.address.pathname) ?? problem('not_found', problems.not_found.sentence)
    const failure = world.failures.get(found.name)
    if (failure) return failAsReported(failure)
    try {
      mayCall(world, call.key, found)
      assertConfirmed(world, found)
      catchUp(world)
      return answer(found.row, handler(inputOf(found, call)))
    } catch (error) {
      if (error instanceof Refusal) return problem(error.code, error.message, error.fields)
      throw error
    }
  }
}
