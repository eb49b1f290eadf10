import { problems, type ProblemCode } from '../problems.ts'
import type { RouteRow } from '../route.ts'
import type { JsonObject } from './schemas.ts'

const requestId = '5f2d8c31a7e94b06c1d2e3f4'

/** What the answers with each status are called. */
const names: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  413: 'TooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'RateLimited',
  503: 'Unavailable',
}

const codesOf = (status: number) =>
  (Object.keys(problems) as ProblemCode[]).filter((code) => problems[code].status === status)

const exampleOf = (code: ProblemCode): JsonObject => ({
  type: `urn:faxdeck:problem:${code}`,
  title: problems[code].title,
  status: problems[code].status,
  detail: problems[code].sentence,
  instance: `urn:faxdeck:request:${requestId}`,
  code,
  request_id: requestId,
})

const listOf = (codes: readonly ProblemCode[]) =>
  codes.map((code) => `- \`${code}\` (${problems[code].status}): ${problems[code].sentence}`).join('\n')

const header = (description: string, type: 'string' | 'integer') => ({ description, schema: { type } })

function answer(description: string, codes: readonly ProblemCode[]): JsonObject {
  const examples = Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }]))
  const isPause = codes.some((code) => [429, 503].includes(problems[code].status))
  return {
    description: `${description}\n\n${listOf(codes)}`,
    headers: {
      'X-Request-Id': header('Use it to find the call in the gateway log.', 'string'),
      ...(isPause ? { 'Retry-After': header('Seconds to wait before trying again.', 'integer') } : {}),
    },
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' }, examples } },
  }
}

/** The error answers, by name: one for each status that calls refer to, and one for all others. */
export function problemResponses(): JsonObject {
  const byStatus = Object.entries(names).map(([status, name]) => {
    const codes = codesOf(Number(status))
    return [name, answer(`Refused with ${status}, for one of these reasons:`, codes)]
  })
  const rest = (Object.keys(problems) as ProblemCode[]).filter((code) => !(problems[code].status in names))
  return { ...Object.fromEntries(byStatus), Problem: answer('What else can go wrong:', rest) } as JsonObject
}

/** Statuses with which a call can be refused, as far as its row says. */
function refusals({ permission, params, query, body, form, rate }: RouteRow): number[] {
  return [
    ...(body || form ? [400] : []),
    ...(permission === null ? [] : [401]),
    403,
    ...(params ? [404] : []),
    ...(body || form ? [413, 415] : []),
    ...(params || query || body || form ? [422] : []),
    ...(permission === null && !rate ? [] : [429]),
    503,
  ]
}

const reference = (name: string) => ({ $ref: `#/components/responses/${name}` })

/** References to the error answers of a call. A change may also meet a state in which it cannot be made. */
export function refusalsOf(row: RouteRow): JsonObject {
  const statuses = row.method === 'GET' ? refusals(row) : [...refusals(row), 409]
  const named = statuses.map((status) => [status, reference(names[status] ?? 'Problem')])
  return { ...Object.fromEntries(named), default: reference('Problem') } as JsonObject
}
