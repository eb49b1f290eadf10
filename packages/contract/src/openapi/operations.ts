import type { z } from 'zod'
import { type Example, exampleOf } from '../examples.ts'
import { faxStream, liveStream } from '../live.ts'
import { scopeFor } from '../permissions.ts'
import type { FileReply, RouteRow } from '../route.ts'
import { type RouteName, routes } from '../routes.ts'
import { exampleAnswer } from './answers.ts'
import { refusalsOf } from './problem-answers.ts'
import { type Json, type JsonObject, plainSchema, withReferences } from './schemas.ts'
import { tagOf } from './texts.ts'

const mediaTypes: Record<FileReply, readonly string[]> = {
  pdf: ['application/pdf'],
  png: ['image/png'],
  csv: ['text/csv'],
  text: ['text/plain'],
  zip: ['application/zip'],
  document: ['application/pdf', 'image/tiff', 'text/plain'],
}

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
    ...(example[name] === undefined ? {} : { example: inShape(shape, example[name]) }),
  }))
}

/** One value of a list may be given alone. */
const inShape = ({ type }: JsonObject, value: Json): Json =>
  type === 'array' && !Array.isArray(value) ? [value] : value

function bodyOf({ form, fileOptional, body }: RouteRow, example: Example): JsonObject | undefined {
  if (form) {
    const { properties, required, ...rest } = plainSchema(form, 'input')
    const file = { type: 'string', contentMediaType: 'application/octet-stream' }
    const fields = Object.entries(properties as Record<string, JsonObject>).map(([name, field]) => {
      const given = example.form?.[name]
      return [name, given === undefined ? field : { ...field, examples: [given] }]
    })
    const schema = {
      ...rest,
      properties: { ...(Object.fromEntries(fields) as JsonObject), file },
      required: [...((required as string[] | undefined) ?? []), ...(fileOptional ? [] : ['file'])],
    }
    return { required: true, content: { 'multipart/form-data': { schema } } }
  }
  if (!body) return undefined
  const schema = plainSchema(body, 'input')
  return { required: true, content: { 'application/json': { schema, example: example.body as Json } } }
}

function answerOf(name: RouteName, row: RouteRow, known: ReadonlyMap<string, string>): JsonObject {
  const { reply, status, summary, idempotent } = row
  const description = summary
  if (reply === 'none') return { [status ?? 204]: { description } }
  const content: JsonObject =
    typeof reply === 'string'
      ? Object.fromEntries(
          mediaTypes[reply].map((type) => [type, { schema: { type: 'string', contentMediaType: type } }]),
        )
      : {
          'application/json': {
            schema: withReferences(plainSchema(reply, 'output'), known),
            example: exampleAnswer(name) as Json,
          },
        }
  const headers: JsonObject = {
    'Idempotent-Replayed': {
      description: 'Present when the Idempotency-Key was used before: this repeats the first answer.',
      schema: { type: 'string', const: 'true' },
    },
  }
  return { [status ?? 200]: { description, content, ...(idempotent ? { headers } : {}) } }
}

const withKey: Json[] = [{ key: [] }, { bearer: [] }]

/** What its row decides about a call, in sentences. */
function factsOf({ permission, zone, rate, idempotent, audits, takesTokens, confirm }: RouteRow): string {
  const facts = [
    permission === null ? 'Needs no key.' : `Needs the scope \`${scopeFor(permission)}\`.`,
    ...(takesTokens ? ['Also accepts access tokens.'] : []),
    ...(confirm
      ? ['Asks a person who did not sign in within the last ten minutes to confirm: `confirmation_required`.']
      : []),
    ...(zone === undefined ? ['Answers only to this machine and the admin networks.'] : []),
    ...(zone === 'granted'
      ? [
          'Keys that were made for it are answered from any address, keys with `keys:manage` only from this machine and the admin networks.',
        ]
      : []),
    ...(rate ? [`Counts toward the limit \`${rate}\`.`] : []),
    ...(idempotent ? ['Can be repeated safely with the same Idempotency-Key for 24 hours.'] : []),
    ...(audits ? [`Recorded in the audit trail as ${audits.map((each) => `\`${each}\``).join(' or ')}.`] : []),
  ]
  return facts.join(' ')
}

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
    description: factsOf(row),
    tags: [tagOf(row.path)],
    security: row.permission === null ? [] : withKey,
    ...(row.permission === null ? {} : { 'x-scope': scopeFor(row.permission) }),
    parameters: [
      ...parametersOf('path', row.params, example.params ?? {}),
      ...parametersOf('query', row.query, example.query ?? {}),
      ...(row.idempotent ? [idempotency] : []),
    ],
    requestBody: bodyOf(row, example),
    responses: { ...answerOf(name as RouteName, row, known), ...refusalsOf(row) },
  }
}

/** A stream of server-sent events. Source: WHATWG HTML, 9.2. */
function streamOperation(
  row: Pick<RouteRow, 'method' | 'path' | 'permission' | 'summary' | 'rate' | 'zone'>,
  {
    operationId,
    data,
    example,
    parameters,
  }: { operationId: string; data: readonly string[]; example: string; parameters?: Json[] },
): JsonObject {
  const { path, permission, summary } = row
  const facts: RouteRow = { ...row, failure: '', reply: 'none' }
  const refs = data.map((name) => ({ $ref: `#/components/schemas/${name}` }))
  const shape: JsonObject = refs.length > 1 ? { oneOf: refs } : { ...refs[0] }
  const schema = {
    type: 'string',
    description: `The data of each event is a ${data.map((name) => `\`${name}\``).join(' or ')} as JSON, in one line.`,
    contentMediaType: 'text/event-stream',
    contentSchema: shape,
    'x-event-data': shape,
  }
  return {
    operationId,
    summary,
    description: factsOf(facts),
    tags: [tagOf(path)],
    security: withKey,
    'x-scope': permission === null ? undefined : scopeFor(permission),
    parameters,
    responses: {
      200: { description: summary, content: { 'text/event-stream': { schema, example } } },
      ...refusalsOf(facts),
    },
  }
}

/** Every call of the API, the streams among them. */
export function pathsOf(known: ReadonlyMap<string, string>): JsonObject {
  const paths: Record<string, JsonObject> = {}
  for (const [name, row] of Object.entries(routes)) {
    const path = row.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [row.method.toLowerCase()]: operation(name, row, known) }
  }
  paths[liveStream.path] = {
    get: streamOperation(liveStream, {
      operationId: 'followChanges',
      data: ['LiveMessage'],
      example: ': open\n\nevent: change\ndata: {"changed":["inbound","health"]}\n\n',
    }),
  }
  paths[faxStream.path] = {
    get: streamOperation(faxStream, {
      operationId: 'followFaxes',
      data: ['FaxEvent', 'InboundEvent'],
      example: ': open\n\nid: 3f2a9c0b7d5e41868a1c6f0e92b4d7a5.9b1c2d3e4f5a6b7c\nevent: fax.delivered\ndata: {…}\n\n',
      parameters: [
        { name: 'Last-Event-ID', in: 'header', required: false, schema: { type: 'string', maxLength: 60 } },
        ...parametersOf('query', faxStream.query, { types: 'fax.*,inbound.*' }),
      ],
    }),
  }
  return paths
}

/** The tags of all calls. */
export const operationTags = (paths: JsonObject): ReadonlySet<string> => new Set(Object.keys(paths).map(tagOf))
