import { z } from 'zod'
import { type Example, exampleOf } from './examples.ts'
import { faxEvent, faxStream, liveMessage, liveStream } from './live.ts'
import { scopeFor } from './permissions.ts'
import { problems } from './problems.ts'
import type { FileReply, RouteRow } from './route.ts'
import { apiKey } from './routes/api-keys.ts'
import { broadcast, broadcastDetail } from './routes/broadcasts.ts'
import { fax, quote } from './routes/faxes.ts'
import { inboundFax } from './routes/inbound.ts'
import { job, jobSummary } from './routes/jobs.ts'
import { logEntry } from './routes/logs.ts'
import { diagnostics } from './routes/operations.ts'
import { config, healthStatus } from './routes/overview.ts'
import { plugin } from './routes/plugins.ts'
import { faxRequest, pendingFax } from './routes/requests.ts'
import { describedSetting } from './routes/settings.ts'
import { type RouteName, routes } from './routes.ts'
import { finding, problemReply } from './shapes.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json | undefined }
type JsonObject = { [key: string]: Json | undefined }

/** Shapes that have a name of their own in the document. */
const named = {
  Problem: problemReply,
  Fax: fax,
  Quote: quote,
  Broadcast: broadcast,
  BroadcastDetail: broadcastDetail,
  FaxRequest: faxRequest,
  PendingFax: pendingFax,
  Job: job,
  JobSummary: jobSummary,
  InboundFax: inboundFax,
  ApiKey: apiKey,
  LogEntry: logEntry,
  Finding: finding,
  Diagnostics: diagnostics,
  Config: config,
  HealthStatus: healthStatus,
  Plugin: plugin,
  Setting: describedSetting,
  LiveMessage: liveMessage,
  FaxEvent: faxEvent,
} satisfies Record<string, z.ZodType>

const mediaTypes: Record<FileReply, string> = {
  pdf: 'application/pdf',
  png: 'image/png',
  csv: 'text/csv',
  text: 'text/plain',
  zip: 'application/zip',
}

function plainSchema(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest as JsonObject
}

/** Puts a reference wherever one of the named shapes stands. */
function withReferences(json: Json | undefined, known: ReadonlyMap<string, string>, self?: string): Json | undefined {
  if (typeof json !== 'object' || json === null) return json
  const name = known.get(JSON.stringify(json))
  if (name !== undefined && name !== self) return { $ref: `#/components/schemas/${name}` }
  if (Array.isArray(json)) return json.map((each) => withReferences(each, known) ?? null)
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, withReferences(value, known)]))
}

const knownOutputs = () =>
  new Map(Object.entries(named).map(([name, schema]) => [JSON.stringify(plainSchema(schema, 'output')), name]))

function parametersOf(where: 'path' | 'query', schema: z.ZodObject | undefined, example: JsonObject): Json[] {
  if (!schema) return []
  const { properties = {}, required = [] } = plainSchema(schema, 'input') as {
    properties?: Record<string, JsonObject>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...shape }]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: shape,
    ...(example[name] === undefined ? {} : { example: example[name] }),
  }))
}

function bodyOf({ form, fileOptional, body }: RouteRow, example: Example): JsonObject | undefined {
  if (form) {
    const { properties, required, ...rest } = plainSchema(form, 'input')
    const file = { type: 'string', contentMediaType: 'application/octet-stream' }
    const schema = {
      ...rest,
      properties: { ...(properties as JsonObject), file },
      required: [...((required as string[] | undefined) ?? []), ...(fileOptional ? [] : ['file'])],
    }
    return { required: true, content: { 'multipart/form-data': { schema } } }
  }
  if (!body) return undefined
  const schema = plainSchema(body, 'input')
  return { required: true, content: { 'application/json': { schema, example: example.body as Json } } }
}

function answerOf({ reply, status, summary, idempotent }: RouteRow, known: ReadonlyMap<string, string>): JsonObject {
  const description = summary
  if (reply === 'none') return { [status ?? 204]: { description } }
  const content: JsonObject =
    typeof reply === 'string'
      ? { [mediaTypes[reply]]: { schema: { type: 'string', contentMediaType: mediaTypes[reply] } } }
      : { 'application/json': { schema: withReferences(plainSchema(reply, 'output'), known) } }
  const headers: JsonObject = {
    'Idempotent-Replayed': {
      description: 'Present when the Idempotency-Key was used before: this is the first answer again.',
      schema: { type: 'string', const: 'true' },
    },
  }
  return { [status ?? 200]: { description, content, ...(idempotent ? { headers } : {}) } }
}

const tagOf = (path: string) => /^\/(?:admin\/)?([^/:]+)/.exec(path)?.[1] ?? 'gateway'
const withKey: Json[] = [{ key: [] }, { bearer: [] }]

function operation(name: string, row: RouteRow, known: ReadonlyMap<string, string>): JsonObject {
  const example = exampleOf(name as RouteName, row.path)
  const idempotency = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    schema: { type: 'string', maxLength: 255 },
  }
  return {
    operationId: name,
    summary: row.summary,
    tags: [tagOf(row.path)],
    security: row.permission === null ? [] : withKey,
    ...(row.permission === null ? {} : { 'x-scope': scopeFor(row.permission) }),
    parameters: [
      ...parametersOf('path', row.params, example.params ?? {}),
      ...parametersOf('query', row.query, example.query ?? {}),
      ...(row.idempotent ? [idempotency] : []),
    ],
    requestBody: bodyOf(row, example),
    responses: { ...answerOf(row, known), default: { $ref: '#/components/responses/Problem' } },
  }
}

/** A stream of server-sent events. Source: WHATWG HTML, 9.2. */
function streamOperation(
  { path, permission, summary }: Pick<RouteRow, 'path' | 'permission' | 'summary'>,
  {
    operationId,
    data,
    example,
    parameters,
  }: { operationId: string; data: string; example: string; parameters?: Json[] },
): JsonObject {
  const schema = {
    type: 'string',
    description: `The data of each event is a \`${data}\` as JSON, in one line.`,
    'x-event-data': { $ref: `#/components/schemas/${data}` },
  }
  return {
    operationId,
    summary,
    tags: [tagOf(path)],
    security: withKey,
    'x-scope': permission === null ? undefined : scopeFor(permission),
    parameters,
    responses: {
      200: { description: summary, content: { 'text/event-stream': { schema, example } } },
      default: { $ref: '#/components/responses/Problem' },
    },
  }
}

function pathsOf(known: ReadonlyMap<string, string>): JsonObject {
  const paths: Record<string, JsonObject> = {}
  for (const [name, row] of Object.entries(routes)) {
    const path = row.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [row.method.toLowerCase()]: operation(name, row, known) }
  }
  paths[liveStream.path] = {
    get: streamOperation(liveStream, {
      operationId: 'followChanges',
      data: 'LiveMessage',
      example: ': open\n\nevent: change\ndata: {"changed":["inbound","health"]}\n\n',
    }),
  }
  paths[faxStream.path] = {
    get: streamOperation(faxStream, {
      operationId: 'followFaxes',
      data: 'FaxEvent',
      example: ': open\n\nid: 3f2a9c0b7d5e41868a1c6f0e92b4d7a5.9b1c2d3e4f5a6b7c\nevent: fax.delivered\ndata: {…}\n\n',
      parameters: [{ name: 'Last-Event-ID', in: 'header', required: false, schema: { type: 'string', maxLength: 60 } }],
    }),
  }
  return paths
}

/**
 * The API as an OpenAPI 3.1 document, made of the route rows and the streams alone.
 * Source: OpenAPI Specification 3.1.1.
 */
export function openApiDocument(version: string): JsonObject {
  const known = knownOutputs()
  const schemas = Object.entries(named).map(([name, schema]) => {
    return [name, withReferences(plainSchema(schema, 'output'), known, name)]
  })
  const codes = Object.entries(problems).map(([code, { status, sentence }]) => `- \`${code}\` (${status}): ${sentence}`)
  const document: JsonObject = {
    openapi: '3.1.1',
    info: {
      title: 'Faxdeck',
      version,
      description: 'Sends and receives faxes. Every call needs a key with the scope that it names in `x-scope`.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    paths: pathsOf(known),
    components: {
      schemas: Object.fromEntries(schemas) as JsonObject,
      responses: {
        Problem: {
          description: `What went wrong, as a sentence and a code:\n\n${codes.join('\n')}`,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
        },
      },
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  }
  return JSON.parse(JSON.stringify(document)) as JsonObject
}
